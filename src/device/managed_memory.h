// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory of a device that host code may use as well (aclrtMemAllocManaged). Counts against its device. Any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "device/memory/block_heap.h"

namespace foothold {

class DeviceMemory;
class MemoryMap;

class ManagedMemory {
 public:
  explicit ManagedMemory(MemoryMap& map) : map_(map) {}

  // Rounds up to 2 MiB. Throws 207001 when `owner` has no room.
  void* Allocate(DeviceMemory& owner, std::size_t size, const char* api);
  // False if no managed block starts there.
  bool Free(void* address, const char* api);
  // Frees everything `owner` has.
  void Release(DeviceMemory& owner, const char* api);

 private:
  BlockHeap& Heap();

  MemoryMap& map_;
  std::once_flag once_;
  std::unique_ptr<BlockHeap> heap_;
  std::mutex mutex_;  // guards owners_
  std::unordered_map<void*, DeviceMemory*> owners_;
};

}  // namespace foothold
