// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/checked_calls.h"

#include <fmt/format.h>

#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/per_process.h"
#include "base/spin.h"
#include "calls/view.h"
#include "check/call_finding.h"
#include "check/check.h"
#include "check/history.h"
#include "check/reporter.h"
#include "device/memory_map.h"

namespace foothold::aclnn {
namespace {

// Small, and not a multiple of what programs are likely to give by chance.
constexpr std::uint64_t kWorkspaceBytes = 4096 + 512;
constexpr std::size_t kMostRemembered = 1 << 16;

struct Prepared {
  check::Site made;
  std::vector<const void*> objects;
  std::uint64_t workspace = 0;
};

struct AllPrepared {
  static AllPrepared& Get() { return PerProcess<AllPrepared>::Get(); }

  SpinLock lock;  // guards the map
  std::unordered_map<const void*, Prepared> by_executor;
};

bool IsObject(Kind kind) {
  return kind <= Kind::kBools;
}

// One that is run only once is forgotten.
std::optional<Prepared> Find(const void* executor, bool repeatable) {
  AllPrepared& all = AllPrepared::Get();
  const std::lock_guard<SpinLock> lock(all.lock);
  const auto found = all.by_executor.find(executor);
  if (found == all.by_executor.end()) return std::nullopt;
  if (repeatable) return found->second;
  std::optional<Prepared> prepared(std::move(found->second));
  all.by_executor.erase(found);
  return prepared;
}

// Executors that are gone need not be remembered.
void Shrink(AllPrepared& all) {
  if (all.by_executor.size() < kMostRemembered) return;
  std::erase_if(all.by_executor, [](const auto& entry) {
    const auto record = check::FindObject(entry.first);
    return !record || record->destroyed;
  });
}

void LookAtObjects(const Prepared& prepared) {
  const auto record = check::FindDestroyed(prepared.objects);
  if (!record) return;
  auto finding = check::FindingHere(
      "NN-EXEC-002", fmt::format("an argument ({}) was destroyed between the two calls of the operator",
                                 HandleKindName(record->kind)));
  if (!finding) return;
  finding->before = check::ActAt(record->destroyed, "destroyed it");
  finding->objects.push_back(check::Describe(*record));
  finding->objects.push_back({"first", "call of the operator", {{"called by", prepared.made}}});
  check::Reporter::Get().Report(std::move(*finding));
}

struct Workspace {
  std::size_t reach = 0;  // bytes of device memory from there on
  std::uint64_t serial = 0;
};

Workspace FindWorkspace(const void* address) {
  if (address == nullptr) return {};
  const MemoryInfo found = MemoryMap::Get().Find(address);
  if (found.kind == MemoryKind::kDevice || found.kind == MemoryKind::kManaged)
    return {found.base + found.size - reinterpret_cast<std::uintptr_t>(address), found.serial};
  return found.kind == MemoryKind::kMapped ? Workspace{ReachOf(address), found.serial} : Workspace{};
}

void LookAtWorkspace(const Prepared& prepared, const void* workspace, std::uint64_t bytes,
                     std::size_t reach) {
  std::string what;
  if (workspace == nullptr || bytes < prepared.workspace)
    what = fmt::format("a workspace of {} bytes was given, and {} were asked for",
                       workspace == nullptr ? 0 : bytes, prepared.workspace);
  else if (reach < bytes)
    what = fmt::format("a workspace of {} bytes was given, and {} bytes of device memory lie there", bytes,
                       reach);
  if (what.empty()) return;
  auto finding = check::FindingHere("NN-WS-001", std::move(what));
  if (!finding) return;
  finding->before = check::ActAt(prepared.made, "asked for the workspace");
  if (const auto block = check::FindBlockAt(workspace)) finding->objects.push_back(check::Describe(*block));
  check::Reporter::Get().Report(std::move(*finding));
}

// A view behind the storage it is said to have, inside of its memory: clients do it.
void LookAtStorage(const Arguments& arguments, std::size_t index, const void* handle) {
  const Tensor* const tensor = Tensors::Get().FindOrNull(handle);
  if (tensor == nullptr || IsEmpty(tensor->dims)) return;
  const std::int64_t last = tensor->offset + SpanOf(tensor->dims, tensor->strides);
  const std::int64_t room = CountOf(tensor->storage);
  if (tensor->storage.size() == 0 || last <= room) return;
  auto finding = check::FindingHere(
      "NN-TENSOR-001",
      fmt::format("'{}' reaches element {} of a storage of {}", arguments.parameter(index).name, last, room));
  if (!finding) return;
  finding->severity = check::Severity::kPortability;
  if (const auto record = check::FindObject(handle)) finding->objects.push_back(check::Describe(*record));
  check::Reporter::Get().Report(std::move(*finding));
}

}  // namespace

std::uint64_t TellPrepared(const void* executor, const Arguments& arguments) noexcept try {
  Prepared prepared{check::SiteHere(), {}, kWorkspaceBytes};
  prepared.objects.reserve(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const void* const handle = arguments.argument(i).pointer;
    if (!IsObject(arguments.parameter(i).kind) || handle == nullptr) continue;
    prepared.objects.push_back(handle);
    if (check::TheSettings().portability && arguments.parameter(i).kind == Kind::kTensor)
      LookAtStorage(arguments, i, handle);
  }
  AllPrepared& all = AllPrepared::Get();
  const std::lock_guard<SpinLock> lock(all.lock);
  Shrink(all);
  all.by_executor.insert_or_assign(executor, std::move(prepared));
  return kWorkspaceBytes;
} catch (...) {  // no memory to remember it: nothing is asked for
  return 0;
}

std::optional<Access> LookAtRun(const void* executor, bool repeatable, void* workspace,
                                std::uint64_t bytes) noexcept try {
  const std::optional<Prepared> prepared = Find(executor, repeatable);
  if (!prepared) return std::nullopt;
  LookAtObjects(*prepared);
  const Workspace given = FindWorkspace(workspace);
  LookAtWorkspace(*prepared, workspace, bytes, given.reach);
  if (given.reach < bytes || bytes == 0) return std::nullopt;
  return Access{workspace, bytes, Use::kWrite, Extent::kExact, given.serial, MemoryRole::kWorkspace};
} catch (...) {  // no memory for a report
  return std::nullopt;
}

void LookAtLostMember(const void* member) noexcept try {
  const auto record = member == nullptr ? std::nullopt : check::FindObject(member);
  if (!record || !record->destroyed) return;
  auto finding = check::FindingHere(
      "NN-EXEC-003",
      fmt::format("a list is destroyed, and its member ({}) was before", HandleKindName(record->kind)));
  if (!finding) return;
  finding->before = check::ActAt(record->destroyed, "destroyed it");
  finding->objects.push_back(check::Describe(*record));
  check::Reporter::Get().Report(std::move(*finding));
} catch (...) {
}

}  // namespace foothold::aclnn
