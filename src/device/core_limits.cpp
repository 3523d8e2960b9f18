// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/core_limits.h"

#include "base/error.h"
#include "device/current.h"
#include "device/runtime.h"

namespace foothold {
namespace {

struct ChosenStream {
  Stream* stream = nullptr;
  const void* handle = nullptr;
};
thread_local ChosenStream chosen;

std::uint32_t AllCores() {
  return static_cast<std::uint32_t>(Runtime::Get().cores());
}

}  // namespace

std::uint32_t DeviceCores(const Device& device, CoreKind kind) {
  const std::uint32_t limit = device.res_limit[static_cast<int>(kind)].load();
  return limit == 0 ? AllCores() : limit;
}

void SetStreamCores(Stream& stream, CoreKind kind, std::uint32_t cores) {
  if (cores == 0 || cores > AllCores()) {
    Fail(kRtParamInvalid, "value must be a number of cores from 1 to {}, not {}", AllCores(), cores);
  }
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

void UseCoresOf(const StreamRef& stream) {
  chosen = {stream.stream, stream.handle};
}

void UnuseCoresOf(const StreamRef& stream) {
  if (chosen.handle == stream.handle) chosen = {};
}

std::uint32_t ThreadCores(const Device& device, CoreKind kind) {
  const bool applies = chosen.stream != nullptr && chosen.stream->IsCurrent(chosen.handle) &&
                       chosen.stream->device() == device.id();
  return applies ? StreamCores(*chosen.stream, kind) : DeviceCores(device, kind);
}

}  // namespace foothold
