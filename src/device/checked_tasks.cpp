// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/checked_tasks.h"

#include <string_view>

#include "base/error.h"
#include "device/stream.h"

namespace foothold {

check::StreamName NameOf(const Stream& stream) noexcept {
  return {&stream, stream.id(), stream.is_default()};
}

void TellQueuedTask(const Stream& stream, const Task& task) noexcept try {
  std::vector<Access> accesses;
  // What captured tasks do has an order of its own, which is not looked at.
  if (!std::string_view(task.api).starts_with("aclmdlRI")) task.type->accesses(task, accesses);
  // Writing and waiting for a value is how streams tell one another: no race.
  const bool tells = std::string_view(task.api).starts_with("aclrtValue");
  std::vector<check::Touch> touches;
  for (const Access& access : accesses)
    touches.push_back({reinterpret_cast<std::uintptr_t>(access.address), access.bytes,
                       access.use == Use::kWrite, access.extent == Extent::kExact, tells, access.serial,
                       access.role});
  check::TaskQueued(NameOf(stream), task.id, task.api, std::move(touches));
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
