// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/checked_tasks.h"

#include <cstring>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "check/call_scope.h"
#include "check/copy_rules.h"
#include "check/initialised.h"
#include "check/schedule.h"
#include "check/source_sums.h"
#include "device/device.h"
#include "device/memory_map.h"
#include "device/runtime.h"
#include "device/stream.h"
#include "kernels/byte_sum.h"

namespace foothold {
namespace {

bool IsOfHost(const Access& access) {
  if (access.serial == 0) return true;
  const MemoryKind kind = MemoryMap::Get().Find(access.address).kind;
  return kind == MemoryKind::kPinned || kind == MemoryKind::kRegistered;
}

// Writing and waiting for a value is how streams tell one another: no race.
check::Touches TouchesOf(const std::vector<Access>& accesses, std::string_view call) {
  const bool tells = call.starts_with("aclrtValue");
  check::Touches touches;
  for (const Access& access : accesses)
    touches.push_back({.address = reinterpret_cast<std::uintptr_t>(access.address),
                       .bytes = access.bytes,
                       .serial = access.serial,
                       .write = access.use == Use::kWrite,
                       .exact = access.extent == Extent::kExact,
                       .tells = tells,
                       .to_host = IsOfHost(access),
                       .role = access.role});
  return touches;
}

std::vector<Access> AccessesOf(const Task& task) {
  std::vector<Access> accesses;
  if (task.type->sync == nullptr) accesses.reserve(4);  // others have none, or one
  task.type->accesses(task, accesses);
  return accesses;
}

bool IsCopy(const Task& task) {
  return std::string_view(task.api).starts_with("aclrtMemcpy");
}

// What the host must leave alone until the copy is done: the bytes of a source are remembered, and in a
// target that nobody else uses stands what shows that it was read too early.
void TellHostMemory(const Stream& stream, const Task& task, const check::Touches& touches) {
  for (const check::Touch& touch : touches) {
    if (!touch.to_host || touch.serial == 0 || !touch.exact || touch.bytes == 0) continue;
    const MemoryUse use =
        CheckRange(reinterpret_cast<void*>(touch.address), touch.bytes, Use::kRead, "memory");
    if (!touch.write) {
      check::SourceQueued(NameOf(stream), task.id, touch, use.kernel, &SumOfBytes);
    } else if (check::RunsBy(check::Schedule::kLate) &&
               !check::IsAwaited(touch.serial, check::Awaited::kUse)) {
      std::memset(use.kernel, check::TheSettings().fill, touch.bytes);
    }
  }
}

// Of another device, which must be allowed to.
void LookAtPeers(const Stream& stream, const check::Touches& touches) {
  if (!check::TheSettings().portability) return;
  for (const check::Touch& touch : touches) {
    const int device = touch.serial == 0 || touch.to_host
                           ? -1
                           : MemoryMap::Get().Find(reinterpret_cast<void*>(touch.address)).device;
    if (device < 0 || device == stream.device()) continue;
    Runtime& runtime = Runtime::Get();
    if (!runtime.device(stream.device()).HasPeerAccess(runtime.device(device)))
      check::PeerTouched(reinterpret_cast<void*>(touch.address), stream.device(), device);
  }
}

}  // namespace

check::StreamName NameOf(const Stream& stream) noexcept {
  return {&stream, stream.id(), stream.is_default()};
}

check::Touches TouchesOf(const Task& task) {
  return TouchesOf(AccessesOf(task), task.api);
}

std::vector<check::StreamFacts> FactsOfStreams() {
  std::vector<check::StreamFacts> facts;
  Runtime::Get().streams.ForEach([&](Stream& stream) { facts.push_back(stream.Facts()); });
  return facts;
}

void TellQueuedTask(const Stream& stream, const Task& task) noexcept try {
  check::QueuedTask queued;
  queued.number = task.id;
  queued.call = task.api;
  queued.touches = TouchesOf(task);
  if (IsCopy(task)) TellHostMemory(stream, task, queued.touches);
  LookAtPeers(stream, queued.touches);
  if (task.type->sync != nullptr) queued.sync = task.type->sync(task);
  queued.runs_inner = task.type->runs_inner;
  check::TaskQueued(NameOf(stream), std::move(queued));
} catch (...) {  // no memory: it runs unwatched
}

void TellTaskBegins(const Stream& stream, const Task& task) {
  const check::TaskStart start = check::TaskBegins(NameOf(stream), task.id);
  if (IsCopy(task)) check::SourceRuns(NameOf(stream), task.id);
  // Bytes are looked at in the order tasks run.
  if (!task.type->suspends)
    check::LookAtBytes({task.api, NameOf(stream), task.id, task.type->runs_inner || start.ignored},
                       start.touches);
  if (start.may_run) return;
  Fail(kRtSysDma, "the memory is in use elsewhere, and nothing orders that with this task");
}

void TellTaskFailed(const Stream& stream, const Task& task, const std::string& arguments,
                    const Error& error) noexcept {
  if (check::On()) check::TaskFailed(NameOf(stream), task.id, arguments, error);
}

void TellReplayed(const Task& task) noexcept try {
  if (check::WatchesBytes())
    check::LookAtBytes({.call = task.api, .quiet = true}, TouchesOf(AccessesOf(task), task.api));
} catch (...) {
}

void TellTouched(const std::vector<Access>& accesses) {
  if (!check::On()) return;
  const check::CallScope* const call = check::CallScope::Current();
  const char* const name = call == nullptr ? "a call" : call->name();
  check::Touches touches = TouchesOf(accesses, name);
  check::LookAtBytes({.call = name}, touches);
  check::HostTouches(std::move(touches));
}

void TellPort(const void* address) {
  if (check::On()) check::LookAtPort(address);
}

void TellWritesUnknown() noexcept {
  if (check::On()) check::MarkAllWritten();
}

void TellWritten(const void* address, std::size_t bytes) noexcept {
  if (check::On()) check::MarkWritten(reinterpret_cast<std::uintptr_t>(address), bytes);
}

}  // namespace foothold
