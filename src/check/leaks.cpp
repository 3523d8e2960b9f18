// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/leaks.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/handle_pool.h"
#include "base/per_process.h"
#include "check/call_scope.h"
#include "check/check.h"
#include "check/lifecycle.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

// Null: nobody asks for them.
const char* RuleFor(HandleKind kind) {
  switch (kind) {
    case HandleKind::kPhysicalMemory:
      return "ACL-LEAK-002";
    case HandleKind::kContext:
    case HandleKind::kStream:
    case HandleKind::kEvent:
    case HandleKind::kNotify:
    case HandleKind::kCountNotify:
      return "ACL-LEAK-003";
    case HandleKind::kDataBuffer:
    case HandleKind::kModelDesc:
    case HandleKind::kDataSet:
    case HandleKind::kModelConfig:
    case HandleKind::kRunConfig:
    case HandleKind::kBundleSizes:
    case HandleKind::kAippParameters:
      return "ACL-LEAK-004";
    case HandleKind::kTensorDesc:
    case HandleKind::kOperatorAttributes:
    case HandleKind::kOperatorHandle:
    case HandleKind::kAllocatorDesc:
    case HandleKind::kGraphDumpOption:
      return "ACL-LEAK-005";
    case HandleKind::kTensor:
    case HandleKind::kScalar:
    case HandleKind::kIntArray:
    case HandleKind::kFloatArray:
    case HandleKind::kBoolArray:
    case HandleKind::kTensorList:
    case HandleKind::kScalarList:
    case HandleKind::kExecutor:
      return "ACL-LEAK-006";
    case HandleKind::kTransferItem:
    case HandleKind::kTransferSet:
    case HandleKind::kTransferChannel:
    case HandleKind::kQueueAttributes:
    case HandleKind::kQueueRoute:
    case HandleKind::kRouteList:
    case HandleKind::kRouteQuery:
      return "ACL-LEAK-008";
    default:
      return nullptr;
  }
}

bool IsOfTheProcess(HandleKind kind) {
  const char* const rule = RuleFor(kind);
  return rule != nullptr && std::string_view(rule) > "ACL-LEAK-003";
}

struct Left {
  std::uint64_t count = 0, bytes = 0;
  std::string what;
  Site made, used;
};
// By rule, what it is, the call and the place.
using Leaks = std::map<std::tuple<std::string, std::string, std::string, StackId>, Left>;

void Add(Leaks& leaks, const char* rule, const std::string& what, std::uint64_t bytes, const Site& made,
         const Site& used) {
  Left& left = leaks[{rule, what, made.call, made.stack}];
  ++left.count;
  left.bytes += bytes;
  left.what = what;
  left.made = made;
  if (used) left.used = used;
}

void Add(Leaks& leaks, const ObjectRecord& record) {
  if (RuleFor(record.kind) != nullptr && IsPrograms(record))
    Add(leaks, RuleFor(record.kind), HandleKindName(record.kind), 0, record.made, record.used);
}

void Add(Leaks& leaks, const BlockRecord& record) {
  if (!IsPrograms(record)) return;
  const char* const rule = record.kind == BlockKind::kDevice ? "ACL-LEAK-001" : "ACL-LEAK-002";
  Add(leaks, rule, NameOf(record.kind), record.size, record.made, {});
}

void Report(const Leaks& leaks, const char* when) {
  for (const auto& [key, left] : leaks) {
    const Rule* const rule = Wanted(std::get<0>(key).c_str());
    if (rule == nullptr) continue;
    Finding finding;
    finding.rule = rule;
    finding.places = left.count;
    finding.leaks = true;
    finding.headline =
        left.bytes > 0 ? fmt::format("{} bytes of {} in {} block{} are left {}", left.bytes, left.what,
                                     left.count, left.count == 1 ? "" : "s", when)
                       : fmt::format("{} object{} ({}) {} left {}", left.count, left.count == 1 ? "" : "s",
                                     left.what, left.count == 1 ? "is" : "are", when);
    finding.now.call = left.made.call;
    finding.now.does = "made what is left";
    finding.now.site = left.made;
    if (left.used && left.used.stack != left.made.stack)
      finding.objects.push_back({"use", "the last", {{"used by", left.used}}});
    finding.key = {{"kind", left.what}};
    Reporter::Get().ReportLater(std::move(finding));
  }
}

template <typename Objects, typename Blocks>
void Report(const Objects& objects, const Blocks& blocks, const char* when) {
  Leaks leaks;
  for (const ObjectRecord& record : objects)
    Add(leaks, record);
  for (const BlockRecord& record : blocks)
    Add(leaks, record);
  Report(leaks, when);
}

// What aclFinalize took away.
struct Taken {
  static Taken& Get() { return PerProcess<Taken>::Get(); }

  std::mutex mutex;  // guards both
  std::vector<ObjectRecord> objects;
  std::vector<BlockRecord> blocks;
};

bool IsFinalizing() {
  const CallScope* const call = CallScope::Current();
  return call != nullptr && std::string_view(call->name()).starts_with("aclFinalize");
}

}  // namespace

void DeviceEnd::Report() noexcept try {
  if (!IsFinalizing()) return check::Report(taken_->objects, taken_->blocks, "when the device ends");
  Taken& taken = Taken::Get();
  const std::lock_guard<std::mutex> lock(taken.mutex);
  taken.objects.insert(taken.objects.end(), taken_->objects.begin(), taken_->objects.end());
  taken.blocks.insert(taken.blocks.end(), taken_->blocks.begin(), taken_->blocks.end());
} catch (...) {  // no memory for the list
}

void DestroyedLate(const void* object) noexcept {
  Taken& taken = Taken::Get();
  const std::lock_guard<std::mutex> lock(taken.mutex);
  std::erase_if(taken.objects,
                [&](const ObjectRecord& record) { return record.handle == HandleValue(object); });
  std::erase_if(taken.blocks, [&](const BlockRecord& record) {
    return record.base == reinterpret_cast<std::uintptr_t>(object);
  });
}

void ReportLeaksAtExit() noexcept try {
  {
    Taken& taken = Taken::Get();
    const std::lock_guard<std::mutex> lock(taken.mutex);
    Report(taken.objects, taken.blocks, "when the library is finalised");
  }
  if (!WasFinalized()) return;
  Leaks leaks;
  for (const ObjectRecord& record : LiveObjects())
    if (IsOfTheProcess(record.kind)) Add(leaks, record);
  for (const BlockRecord& record : LiveBlocks())
    if (record.kind == BlockKind::kPinned || record.kind == BlockKind::kRegistered) Add(leaks, record);
  Report(leaks, "when the program ends");
} catch (...) {
}

}  // namespace foothold::check
