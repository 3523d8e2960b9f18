// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/checked_tasks.h"

#include <array>
#include <atomic>
#include <cstring>
#include <span>
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

// Memory for lists, which each thread uses again; null for one that ends.
struct Lists {
  std::vector<Access> accesses;
  std::vector<check::SourceSums> sources;
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
void AddTouches(std::span<const Access> accesses, check::CallSort sort, check::Touches& touches) {
  const bool tells = sort == check::CallSort::kValue;
  for (const Access& access : accesses)
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
void AddTouches(const Task& task, check::CallSort sort, Lists& lists, check::Touches& touches) {
  lists.accesses.clear();
  task.type->accesses(task, lists.accesses);
  AddTouches(lists.accesses, sort, touches);
}

// What the host must leave alone until the copy is done: the bytes of a source are remembered, and in a
// target that nobody else uses stands what shows that it was read too early.
void TellHostMemory(const Task& task, const check::Touches& touches,
                    std::vector<check::SourceSums>& sources) {
  for (const check::Touch& touch : touches) {
    if (!touch.to_host || touch.serial == 0 || !touch.exact || touch.bytes == 0) continue;
    const MemoryUse use =
        CheckRange(reinterpret_cast<void*>(touch.address), touch.bytes, Use::kRead, "memory");
    if (!touch.write) {
      check::SumSource(task.id, touch, use.kernel, &SumBytes, sources);
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
  Lists own;
  check::Touches touches;
  AddTouches(task, check::SortOf(task.api), ListsOfThread(own), touches);
  return touches;
}

std::vector<check::StreamFacts> FactsOfStreams() {
  std::vector<check::StreamFacts> facts;
  Runtime::Get().streams.ForEach([&](Stream& stream) { facts.push_back(stream.Facts()); });
  return facts;
}

void TellQueuedTask(const Stream& stream, const Task& task) noexcept try {
  Lists own;
  Lists& lists = ListsOfThread(own);
  check::QueuedTask queued;
  queued.number = task.id;
  queued.call = task.api;
  queued.sort = check::SortOf(task.api);
  AddTouches(task, queued.sort, lists, queued.touches);
  if (queued.sort == check::CallSort::kCopy) {
    lists.sources.clear();
    TellHostMemory(task, queued.touches, lists.sources);
    queued.sources = lists.sources;
  }
  LookAtPeers(stream, queued.touches);
  if (task.type->sync != nullptr) queued.sync = task.type->sync(task);
  queued.runs_inner = task.type->runs_inner;
  check::TaskQueued(NameOf(stream), std::move(queued));
} catch (...) {  // no memory: it runs unwatched
}

void TellTaskBegins(const Stream& stream, const Task& task) {
  const check::TaskStart start = check::TaskBegins(NameOf(stream), task.id);
  if (!start.sources.empty()) check::SourcesRun(NameOf(stream), task.id, start.sources);
  // Bytes are looked at in the order tasks run.
  if (!task.type->suspends)
    check::LookAtBytes(
        {task.api, NameOf(stream), task.id, task.type->runs_inner || start.ignored, start.sort},
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
  check::Touches touches;
  AddTouches(accesses, check::SortOf(name), touches);
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
