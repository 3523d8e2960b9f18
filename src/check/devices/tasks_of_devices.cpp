// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/devices/observer.h"

#include <array>
#include <atomic>
#include <cstring>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/per_process.h"
#include "base/schedule.h"
#include "check/call_scope.h"
#include "check/captured.h"
#include "check/check.h"
#include "check/copy_rules.h"
#include "check/devices/names.h"
#include "check/failed_tasks.h"
#include "check/initialised.h"
#include "check/source_sums.h"
#include "device/device.h"
#include "device/memory_map.h"
#include "device/runtime.h"
#include "device/stream.h"
#include "kernels/byte_sum.h"

namespace foothold::check {
namespace {

// Which allocations are memory of the host, which they are for as long as they live, and no two have one
// serial: those that were asked for last, each with its answer in the lowest bit.
struct HostSerials {
  static HostSerials& Get() { return PerProcess<HostSerials>::Get(); }

  std::array<std::atomic<std::uint64_t>, 256> known{};
};

bool IsOfHost(const foothold::Access& access) {
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

// Memory for lists, which each thread uses again; null for one that ends.
struct Lists {
  std::vector<foothold::Access> accesses;
  std::vector<SourceSums> sources;
};
struct MyLists {
  Lists* lists = nullptr;
  bool ended = false;
};
constinit thread_local MyLists my_lists;

struct EndOfLists {
  ~EndOfLists() {
    delete my_lists.lists;
    my_lists = {nullptr, true};
  }
};

Lists* MakeLists() {
  thread_local EndOfLists end;
  (void)end;
  return my_lists.lists = new Lists;
}

// Those of the thread, or else these.
Lists& ListsOfThread(Lists& own) {
  const MyLists& mine = my_lists;
  Lists* const lists = mine.lists != nullptr || mine.ended ? mine.lists : MakeLists();
  return lists == nullptr ? own : *lists;
}

// Writing and waiting for a value is how streams tell one another: no race.
void AddTouches(std::span<const foothold::Access> accesses, CallSort sort, Touches& touches) {
  const bool tells = sort == CallSort::kValue;
  for (const foothold::Access& access : accesses)
    touches.push_back({.address = reinterpret_cast<std::uintptr_t>(access.address),
                       .bytes = access.bytes,
                       .serial = access.serial,
                       .write = access.use == Use::kWrite,
                       .exact = access.extent == Extent::kExact,
                       .tells = tells,
                       .to_host = IsOfHost(access),
                       .role = access.role});
}

// In the memory of these lists.
void AddTouches(const Task& task, CallSort sort, Lists& lists, Touches& touches) {
  lists.accesses.clear();
  task.type->accesses(task, lists.accesses);
  AddTouches(lists.accesses, sort, touches);
}

// What the host must leave alone until the copy is done: the bytes of a source are remembered, and in a
// target that nobody else uses stands what shows that it was read too early.
void TellHostMemory(const Task& task, const Touches& touches, std::vector<SourceSums>& sources) {
  for (const Touch& touch : touches) {
    if (!touch.to_host || touch.serial == 0 || !touch.exact || touch.bytes == 0) continue;
    const MemoryUse use =
        CheckRange(reinterpret_cast<void*>(touch.address), touch.bytes, Use::kRead, "memory");
    if (!touch.write) {
      SumSource(task.id, touch, use.kernel, &SumBytes, sources);
    } else if (schedule::RunsBy(schedule::How::kLate) && !IsAwaited(touch.serial, Awaited::kUse)) {
      std::memset(use.kernel, TheSettings().fill, touch.bytes);
    }
  }
}

// Of another device, which must be allowed to.
void LookAtPeers(const Stream& stream, const Touches& touches) {
  if (!TheSettings().portability) return;
  for (const Touch& touch : touches) {
    const int device = touch.serial == 0 || touch.to_host
                           ? -1
                           : MemoryMap::Get().Find(reinterpret_cast<void*>(touch.address)).device;
    if (device < 0 || device == stream.device()) continue;
    Runtime& runtime = Runtime::Get();
    if (!runtime.device(stream.device()).HasPeerAccess(runtime.device(device)))
      PeerTouched(reinterpret_cast<void*>(touch.address), stream.device(), device);
  }
}

Touches TouchesOf(const Task& task) {
  Lists own;
  Touches touches;
  AddTouches(task, SortOf(task.api), ListsOfThread(own), touches);
  return touches;
}

}  // namespace

void TasksOfDevices::OnTaskQueued(const Stream& stream, const Task& task) noexcept try {
  Lists own;
  Lists& lists = ListsOfThread(own);
  QueuedTask queued;
  queued.number = task.id;
  queued.call = task.api;
  queued.sort = SortOf(task.api);
  AddTouches(task, queued.sort, lists, queued.touches);
  if (queued.sort == CallSort::kCopy) {
    lists.sources.clear();
    TellHostMemory(task, queued.touches, lists.sources);
    queued.sources = lists.sources;
  }
  LookAtPeers(stream, queued.touches);
  if (task.type->sync != nullptr) queued.sync = task.type->sync(task);
  queued.runs_inner = task.type->runs_inner;
  TaskQueued(NameOf(stream), std::move(queued));
} catch (...) {  // no memory: it runs unwatched
}

void TasksOfDevices::OnTaskBegins(const Stream& stream, const Task& task) {
  const TaskStart start = TaskBegins(NameOf(stream), task.id);
  if (!start.sources.empty()) SourcesRun(NameOf(stream), task.id, start.sources);
  // Bytes are looked at in the order tasks run.
  if (!task.type->suspends)
    LookAtBytes({task.api, NameOf(stream), task.id, task.type->runs_inner || start.ignored, start.sort},
                start.touches);
  if (start.may_run) return;
  Fail(kRtSysDma, "the memory is in use elsewhere, and nothing orders that with this task");
}

void TasksOfDevices::OnTaskEnds(const Stream& stream, std::uint32_t task) noexcept {
  TaskEnds(NameOf(stream), task);
}

void TasksOfDevices::OnTaskDropped(const Stream& stream, std::uint32_t task) noexcept {
  TaskDropped(NameOf(stream), task);
}

void TasksOfDevices::OnTaskFailed(const Stream& stream, const Task& task, const std::string& arguments,
                                  const Error& error) noexcept {
  TaskFailed(NameOf(stream), task.id, arguments, error);
}

void TasksOfDevices::OnStreamEnds(const Stream& stream, bool failed, std::uint64_t dropped) noexcept {
  StreamEnds(NameOf(stream), failed, dropped);
}

void TasksOfDevices::OnCaptured(const Task& task) noexcept {
  TaskCaptured(&task);
}

void TasksOfDevices::OnForgotten(const Task& task) noexcept {
  TaskForgotten(&task);
}

// What is freed is gone for all runs to come.
void TasksOfDevices::OnInstanceRuns(std::uint32_t instance, const std::vector<const Task*>& tasks) {
  std::vector<Touch> touches;
  for (const Task* const task : tasks)
    for (const Touch& touch : TouchesOf(*task))
      touches.push_back(touch);
  InstanceRuns(instance, touches);
}

bool TasksOfDevices::OnInnerBegins(const Stream& stream, const Task& task, std::uint32_t instance,
                                   std::uint64_t run) {
  InnerTask inner;
  inner.call = task.api;
  inner.number = task.id;
  inner.instance = instance;
  inner.run = run;
  inner.site = SiteOfCaptured(&task);
  inner.touches = TouchesOf(task);
  if (task.type->sync != nullptr) inner.sync = task.type->sync(task);
  return InnerBegins(NameOf(stream), std::move(inner));
}

void TasksOfDevices::OnReplayed(const Task& task) noexcept try {
  if (WatchesBytes()) LookAtBytes({.call = task.api, .quiet = true}, TouchesOf(task));
} catch (...) {
}

void TasksOfDevices::OnTouched(const std::vector<foothold::Access>& accesses) {
  const CallScope* const call = CallScope::Current();
  const char* const name = call == nullptr ? "a call" : call->name();
  Touches touches;
  AddTouches(accesses, SortOf(name), touches);
  LookAtBytes({.call = name}, touches);
  HostTouches(std::move(touches));
}

void TasksOfDevices::OnPortGiven(const void* address) {
  LookAtPort(address);
}

void TasksOfDevices::OnWritten(const void* address, std::size_t bytes) noexcept {
  MarkWritten(reinterpret_cast<std::uintptr_t>(address), bytes);
}

void TasksOfDevices::OnWritesUnknown() noexcept {
  MarkAllWritten();
}

void TasksOfDevices::OnMemoryFreed(const void* address) {
  MemoryFreed(address);
}

void TasksOfDevices::OnMemoryTaken(std::uint64_t serial) noexcept {
  MemoryTaken(serial);
}

void TasksOfDevices::OnMemoryShared(std::uint64_t serial) noexcept {
  MemoryShared(serial);
}

}  // namespace foothold::check
