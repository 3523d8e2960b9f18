// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Memory for pictures and videos: device memory, zeroed, so that programs that fill a part of it see the same
// every time.
#include <algorithm>
#include <cstring>

#include "acl/ops/acl_dvpp.h"
#include "api/guard.h"
#include "device/current.h"
#include "device/device_memory.h"
#include "device/memory_map.h"

using namespace foothold;

namespace {

constexpr size_t kPictureAlignment = 128;

// Blocks of this many bytes and the tail behind them start at multiples of 128; all larger ones do so anyway.
size_t RoomFor(size_t size) {
  constexpr size_t kTail = BlockHeap::kReadableTail, kSmall = 512;
  if (size == 0 || size > kSmall) return size;
  return (size + kTail + kPictureAlignment - 1) / kPictureAlignment * kPictureAlignment - kTail;
}

}  // namespace

aclError acldvppMalloc(void** devPtr, size_t size) {
  const auto call = FOOTHOLD_CALL(devPtr, size);
  return Guard(call, [&] {
    CheckNotNull(devPtr, "devPtr", kInvalidParam);
    void* const memory = CurrentDevice().memory().Allocate(RoomFor(size), call.name);
    std::memset(CheckDeviceRange(memory, size).kernel, 0, size);
    *devPtr = memory;
  });
}

aclError acldvppFree(void* devPtr) {
  const auto call = FOOTHOLD_CALL(devPtr);
  return Guard(call, [&] { FreeDevicePointer(devPtr, call.name); });
}
