// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/failed_calls.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "base/error.h"
#include "check/call_scope.h"
#include "check/check.h"
#include "check/history.h"
#include "check/leaks.h"
#include "check/lifecycle.h"
#include "check/pool_blocks.h"
#include "check/reporter.h"
#include "check/thread_contexts.h"

namespace foothold::check {
namespace {

constexpr std::size_t kShownContexts = 3;

// Numbers that mean the same wherever they come from.
const char* RuleOfCode(int code, std::string_view call) {
  switch (code) {
    case kUninitialized:
      if (WasFinalized()) return "ACL-LIFE-002";
      return !WasInitialized() && ParentInitialized() ? "ACL-CTX-005" : "ACL-LIFE-001";
    case kRtContextNull:  // asking whether there is one is no use of it
      return call == "aclrtGetDevice" || call == "aclrtGetCurrentContext" ? nullptr : "ACL-CTX-001";
    case kRtEventTimestampInvalid:
    case kRtEventTimestampReversal:
      return "ACL-SYNC-005";
    case kRtStreamNoCallbackThread:
      return call == "aclrtLaunchCallback" ? "ACL-CB-001" : nullptr;
    case kRtStreamUnjoined:
      return "ACL-SYNC-050";
    case kRtCaptureDependency:
      return "ACL-SYNC-051";
    case kRtModelUpdateFailed:
      return "ACL-MDL-050";
    case 100017:  // inputs, and outputs, do not fit the model
    case 100018:
      return "ACL-MDL-001";
    default:
      return nullptr;
  }
}

// Without a library there is no context and no object either: that is what went wrong first.
const char* EarlierMistake(std::string_view id) {
  const bool follows = id == "ACL-CTX-001" || id == "ACL-LIFE-005" || id == "ACL-MEM-011";
  if (follows && WasFinalized()) return "ACL-LIFE-002";
  if (id != "ACL-CTX-001" || WasInitialized()) return nullptr;
  if (ParentInitialized()) return "ACL-CTX-005";
  for (const ObjectRecord& record : LiveObjects())
    if (record.kind == HandleKind::kContext) return nullptr;
  return "ACL-LIFE-001";
}

// Where an API has a rule of its own for what went wrong.
const char* RuleOfApi(std::string_view id, std::string_view call, const std::optional<ObjectRecord>& object) {
  const bool lost = object && object->destroyed;
  if (lost && object->kind == HandleKind::kExecutor) return "NN-EXEC-001";
  if (lost && std::string_view(object->destroyed.call) == "aclDestroyTensorList" &&
      object->kind == HandleKind::kTensor)
    return "NN-EXEC-003";
  if (lost && std::string_view(object->destroyed.call) == "aclDestroyScalarList" &&
      object->kind == HandleKind::kScalar)
    return "NN-EXEC-003";
  const bool of_memory = id == "ACL-MEM-004" || id == "ACL-MEM-016" || id == "ACL-MEM-015";
  if (of_memory && call.starts_with("aclnn")) return "NN-TENSOR-001";
  if (of_memory && call.find("Session::") != std::string_view::npos)
    return call.find("MemoryBase") != std::string_view::npos ? "GE-RUN-010" : "GE-RUN-001";
  return nullptr;
}

bool Destroys(std::string_view call) {
  return call.find("Destroy") != std::string_view::npos || call.find("Release") != std::string_view::npos;
}

const Rule* RuleOf(const CallScope& call, const Error& error, const BrokenRule& broken,
                   const std::optional<ObjectRecord>& object) {
  const char* id = broken.rule != nullptr ? broken.rule : RuleOfCode(error.code(), call.name());
  if (id == nullptr) return nullptr;
  if (const char* const earlier = EarlierMistake(id)) return Wanted(earlier);
  if (const char* const own = RuleOfApi(id, call.name(), object)) return Wanted(own);
  if (std::string_view(id) == "ACL-CTX-001" && ContextLostByReset()) return Wanted("ACL-CTX-004");
  const bool again =
      std::string_view(id) == "ACL-LIFE-005" && Destroys(call.name()) && object && object->destroyed;
  return Wanted(again ? "ACL-LIFE-007" : id);
}

Act EndOf(const Site& site, const char* does) {
  return {.call = site.call, .arguments = {}, .does = does, .agent = {}, .site = site};
}

void AddObject(Finding& finding, const ObjectRecord& record) {
  if (record.destroyed) finding.before = EndOf(record.destroyed, "destroyed it");
  finding.objects.push_back(Describe(record));
}

void AddBlock(Finding& finding, const BlockRecord& record) {
  if (record.freed) finding.before = EndOf(record.freed, "freed it");
  finding.objects.push_back(Describe(record));
}

// For a thread without a context: those of others.
void AddContexts(Finding& finding) {
  std::size_t shown = 0;
  for (const ObjectRecord& record : LiveObjects())
    if (record.kind == HandleKind::kContext && shown++ < kShownContexts)
      finding.objects.push_back(Describe(record));
}

void AddFacts(Finding& finding, const BrokenRule& broken, const std::optional<ObjectRecord>& object) {
  const std::string_view id = finding.rule->id;
  if (id == "ACL-CTX-001") return AddContexts(finding);
  if (const auto context = id == "ACL-CTX-004" ? ContextLostByReset() : std::nullopt)
    return AddObject(finding, *context);
  if (id == "ACL-LIFE-002" && Finalizer()) finding.before = EndOf(Finalizer(), "ended the library");
  if (object) return AddObject(finding, *object);
  if (broken.object == nullptr) return;
  if (const auto block = FindBlockAt(broken.object)) AddBlock(finding, *block);
}

// The call may have failed before it looked at what it was given: the arguments say what that is.
void LookAtLateEnd(std::string_view call, const std::string& arguments) {
  if (call.find("Destroy") == call.npos && !call.starts_with("aclrtFree")) return;
  const std::size_t at = arguments.find("=0x");
  if (at == arguments.npos) return;
  DestroyedLate(reinterpret_cast<const void*>(std::strtoull(arguments.c_str() + at + 1, nullptr, 16)));
}

}  // namespace

void CallFailed(const CallScope& call, const std::string& arguments, const Error& error,
                const BrokenRule& broken) noexcept try {
  if (Ignoring()) return;
  const auto object = broken.object == nullptr ? std::nullopt : FindObject(broken.object);
  Finding finding;
  finding.rule = RuleOf(call, error, broken, object);
  if (finding.rule == nullptr) return;
  finding.headline = error.message();
  finding.now = {.call = call.name(),
                 .arguments = arguments,
                 .does = fmt::format("failed with {}", static_cast<int>(error.code())),
                 .agent = {},
                 .site = call.site()};
  AddFacts(finding, broken, object);
  if (std::string_view(finding.rule->id) == "ACL-LIFE-002") LookAtLateEnd(call.name(), arguments);
  Reporter::Get().Report(std::move(finding));
} catch (...) {  // no memory for a report
}

}  // namespace foothold::check
