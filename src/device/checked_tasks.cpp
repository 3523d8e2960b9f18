// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/checked_tasks.h"

#include <array>
#include <atomic>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/per_process.h"
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

// Which allocations are memory of the host, which they are for as long as they live, and no two have one
// serial: those that were asked for last, each with its answer in the lowest bit.
struct HostSerials {
  static HostSerials& Get() { return PerProcess<HostSerials>::Get(); }

  std::array<std::atomic<std::uint64_t>, 256> known{};
};

bool IsOfHost(const Access& access) {
  if (access.serial == 0) return true;
  auto& known = HostSerials::Get().known[access.serial % 256];
  const std::uint64_t last = known.load(std::memory_order_relaxed);
  if (last >> 1 == access.serial) return (last & 1) != 0;
  const MemoryInfo found = MemoryMap::Get().Find(access.address);
  const bool of_host = found.kind == MemoryKind::kPinned || found.kind == MemoryKind::kRegistered;
  if (found.serial == access.serial)
    known.store(access.serial << 1 | (of_host ? 1 : 0), std::memory_order_relaxed);
  return of_host;
}

// Memory for a list, which each thread uses again; null for one that ends.
struct Lists {
  std::vector<Access>* list = nullptr;
  bool ended = false;
};
constinit thread_local Lists lists;

struct EndOfList {
  ~EndOfList() {
    delete lists.list;
    lists = {nullptr, true};
  }
};

std::vector<Access>* MakeList() {
  thread_local EndOfList end;
  (void)end;
  return lists.list = new std::vector<Access>;
}

std::vector<Access>* ListOfThread() {
  const Lists& mine = lists;
  return mine.list != nullptr || mine.ended ? mine.list : MakeList();
}

bool StartsWith(const char* text, std::string_view prefix) {
  return std::strncmp(text, prefix.data(), prefix.size()) == 0;
}

// Writing and waiting for a value is how streams tell one another: no race.
check::Touches TouchesOf(std::span<const Access> accesses, const char* call) {
  check::Touches touches;
  if (accesses.empty()) return touches;
  const bool tells = StartsWith(call, "aclrtValue");
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

bool IsCopy(const Task& task) {
  return StartsWith(task.api, "aclrtMemcpy");
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
  std::vector<Access> own;
  std::vector<Access>* const of_thread = ListOfThread();
  std::vector<Access>& list = of_thread == nullptr ? own : *of_thread;
  list.clear();
  task.type->accesses(task, list);
  return TouchesOf(list, task.api);
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
  if (!queued.touches.empty() && IsCopy(task)) TellHostMemory(stream, task, queued.touches);
  LookAtPeers(stream, queued.touches);
  if (task.type->sync != nullptr) queued.sync = task.type->sync(task);
  queued.runs_inner = task.type->runs_inner;
  check::TaskQueued(NameOf(stream), std::move(queued));
} catch (...) {  // no memory: it runs unwatched
}

void TellTaskBegins(const Stream& stream, const Task& task) {
  const check::TaskStart start = check::TaskBegins(NameOf(stream), task.id);
  if (!start.touches.empty() && IsCopy(task)) check::SourceRuns(NameOf(stream), task.id);
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
  if (check::WatchesBytes()) check::LookAtBytes({.call = task.api, .quiet = true}, TouchesOf(task));
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
