// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/abort.h"

#include <fmt/format.h>

#include <vector>

#include "device/current.h"
#include "device/runtime.h"
#include "device/user_code.h"

namespace foothold {

void StopRunningTask(const StreamRef& stream) {
  stream->StopRunningTask(std::make_shared<const Error>(
      kRtInternalError, fmt::format("the task of stream {} was stopped by aclrtStreamStop", stream->id())));
}

void AbortStream(const StreamRef& stream) {
  stream->Abort(std::make_shared<const Error>(
      kRtStreamAbort, fmt::format("the tasks of stream {} were dropped by aclrtStreamAbort", stream->id())));
  if (!InsideUserFunctionOf(*stream.stream)) stream->waiting().UntilQuiet(kForever);
}

void ClearPersistent(const StreamRef& stream) {
  stream->ClearPersistent(std::make_shared<const Error>(
      kRtStreamAbort,
      fmt::format("the tasks of stream {} were dropped by aclrtPersistentTaskClean", stream->id())));
}

void AbortDevice(Device& device, std::uint32_t timeout_ms) {
  const Nanoseconds deadline = DeadlineIn(timeout_ms);
  auto& callbacks = Runtime::Get().state_callbacks.abort;
  callbacks.Call(device.id(), AbortStage::kBefore, timeout_ms);
  const auto why = std::make_shared<const Error>(
      kRtDeviceTaskAbort,
      fmt::format("the tasks of device {} were dropped by aclrtDeviceTaskAbort", device.id()));
  const auto streams = Runtime::Get().StreamsOf(device);
  for (const StreamRef& stream : streams)
    stream->Abort(why);
  for (const StreamRef& stream : streams) {
    if (!InsideUserFunctionOf(*stream.stream) && !stream->waiting().UntilQuiet(deadline)) {
      Fail(kRtStreamSyncTimeout, "a task of stream {} still runs after {} ms", stream->id(), timeout_ms);
    }
  }
  callbacks.Call(device.id(), AbortStage::kAfter, timeout_ms);
}

}  // namespace foothold
