// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/task_faults.h"

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "base/error.h"
#include "check/faults.h"
#include "device/abort.h"
#include "device/current.h"
#include "device/device.h"
#include "device/memory_map.h"
#include "device/runtime.h"
#include "device/stream.h"
#include "device/user_code.h"

namespace foothold {
namespace {

constexpr std::uint32_t kAbortPatience = 1000;  // ms

// The calls of a thread meet the faults of the device it uses.
[[maybe_unused]] const bool tells_device = [] {
  check::SetDeviceOfThread([] {
    const Context* const context = CurrentContextOrNull();
    return context == nullptr ? -1 : context->device().id();
  });
  return true;
}();

}  // namespace

std::uint32_t MeetFaults(const Stream& stream, Task& task) {
  const int device = stream.device();
  const check::TaskFault fault = check::FaultOfTask(task.api, stream.id(), device);
  if (check::TakeAbort(device))
    CallBesides([device] { AbortDevice(Runtime::Get().device(device), kAbortPatience); });
  if (fault.delay > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(fault.delay));
  if (!fault.code) return fault.flips;
  const auto failure =
      std::make_shared<const Error>(*fault.code, "this failure is injected (FOOTHOLD_FAULTS)");
  task.type->cancel(task, failure);  // those who wait for it learn of it
  throw Error(*failure);
}

// The lowest bit of each byte it wrote, from the front.
void FlipBits(const Task& task, std::uint32_t count) {
  std::vector<Access> accesses;
  task.type->accesses(task, accesses);
  for (const Access& access : accesses) {
    if (access.use != Use::kWrite) continue;
    auto* const bytes = static_cast<unsigned char*>(
        RecheckRange(access.address, access.bytes, Use::kWrite, access.serial, "dst"));
    for (std::size_t i = 0; i < access.bytes && count > 0; ++i, --count)
      bytes[i] ^= 1;
  }
}

}  // namespace foothold
