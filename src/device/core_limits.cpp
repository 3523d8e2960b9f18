// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/core_limits.h"

#include "base/error.h"
#include "device/current.h"
#include "device/runtime.h"

namespace foothold {
namespace {

thread_local const void* chosen = nullptr;  // a stream's handle

std::uint32_t AllCores() {
  return static_cast<std::uint32_t>(Runtime::Get().cores());
}

void CheckCores(std::uint32_t cores) {
  if (cores == 0 || cores > AllCores())
    Fail(kRtParamInvalid, "value must be a number of cores from 1 to {}, not {}", AllCores(), cores);
}

}  // namespace

std::uint32_t DeviceCores(const Device& device, CoreKind kind) {
  const std::uint32_t limit = device.res_limit[static_cast<int>(kind)].load();
  return limit == 0 ? AllCores() : limit;
}

void SetDeviceCores(Device& device, CoreKind kind, std::uint32_t cores) {
  CheckCores(cores);
  device.res_limit[static_cast<int>(kind)].store(cores);
}

void ResetDeviceCores(Device& device) {
  for (auto& limit : device.res_limit)
    limit.store(0);
}

void SetStreamCores(Stream& stream, CoreKind kind, std::uint32_t cores) {
  CheckCores(cores);
  stream.res_limit[static_cast<int>(kind)].store(cores);
}

void ResetStreamCores(Stream& stream) {
  for (auto& limit : stream.res_limit)
    limit.store(0);
}

std::uint32_t StreamCores(const Stream& stream, CoreKind kind) {
  const std::uint32_t limit = stream.res_limit[static_cast<int>(kind)].load();
  return limit == 0 ? DeviceCores(stream.context().device(), kind) : limit;
}

int CoreLimitOf(const Stream& stream) noexcept {
  const auto limit_of = [&](int kind) {
    const std::uint32_t own = stream.res_limit[kind].load(std::memory_order_relaxed);
    return own != 0 ? own : stream.context().device().res_limit[kind].load(std::memory_order_relaxed);
  };
  const std::uint32_t first = limit_of(0), second = limit_of(1);
  if ((first | second) == 0) [[likely]]
    return 0;
  return static_cast<int>(first == 0 || (second != 0 && second < first) ? second : first);
}

void UseCoresOf(const StreamRef& stream) {
  chosen = stream.handle;
}

void UnuseCoresOf(const StreamRef& stream) {
  if (chosen == stream.handle) chosen = nullptr;
}

std::uint32_t ThreadCores(const Device& device, CoreKind kind) {
  // Through the pool: in a forked child the parent's stream is still current, but not one of the child's.
  const Stream* stream = Runtime::Get().streams.Find(chosen);
  const bool applies = stream != nullptr && stream->device() == device.id();
  return applies ? StreamCores(*stream, kind) : DeviceCores(device, kind);
}

}  // namespace foothold
