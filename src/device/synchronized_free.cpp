// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/synchronized_free.h"

#include "base/error.h"
#include "device/current.h"
#include "device/device_memory.h"
#include "device/memory_map.h"
#include "device/runtime.h"

namespace foothold {
namespace {

template <typename Free>
void SynchronizeThen(Device& device, Free free) {
  try {
    Runtime::Get().SynchronizeDevice(device, kForever);
  } catch (...) {
    free();
    throw;
  }
  free();
}

}  // namespace

void SynchronizeAndFree(void* address, const char* api) {
  const MemoryInfo info = MemoryMap::Get().Find(address);
  if (!info.alive() || info.device < 0) return FreeDevicePointer(address, api);  // fails with what it is
  SynchronizeThen(Runtime::Get().device(info.device), [&] { FreeDevicePointer(address, api); });
}

void SynchronizeAndFreeHost(void* address, const char* api) {
  PinnedMemory& pinned = MemoryMap::Get().pinned;
  if (!MemoryMap::Get().Find(address).alive()) return pinned.Free(address, api);
  SynchronizeThen(CurrentDevice(), [&] { pinned.Free(address, api); });
}

}  // namespace foothold
