// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/checked_tasks.h"

#include <string_view>

#include "base/error.h"
#include "device/runtime.h"
#include "device/stream.h"

namespace foothold {

check::StreamName NameOf(const Stream& stream) noexcept {
  return {&stream, stream.id(), stream.is_default()};
}

std::vector<check::Touch> TouchesOf(const Task& task) {
  std::vector<Access> accesses;
  task.type->accesses(task, accesses);
  // Writing and waiting for a value is how streams tell one another: no race.
  const bool tells = std::string_view(task.api).starts_with("aclrtValue");
  std::vector<check::Touch> touches;
  for (const Access& access : accesses)
    touches.push_back({reinterpret_cast<std::uintptr_t>(access.address), access.bytes,
                       access.use == Use::kWrite, access.extent == Extent::kExact, tells, access.serial,
                       access.role});
  return touches;
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
  if (task.type->sync != nullptr) queued.sync = task.type->sync(task);
  queued.runs_inner = task.type->runs_inner;
  check::TaskQueued(NameOf(stream), std::move(queued));
} catch (...) {  // no memory: it runs unwatched
}

void TellTaskBegins(const Stream& stream, const Task& task) {
  if (check::TaskBegins(NameOf(stream), task.id)) return;
  Fail(kRtSysDma, "the memory is in use elsewhere, and nothing orders that with this task");
}

void TellTaskFailed(const Stream& stream, const Task& task, const std::string& arguments,
                    const Error& error) noexcept {
  if (check::On()) check::TaskFailed(NameOf(stream), task.id, arguments, error);
}

}  // namespace foothold
