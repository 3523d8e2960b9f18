// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Host memory from aclrtMallocHost: asynchronous copies need not wait for it. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "device/memory/block_heap.h"

namespace foothold {

class MemoryMap;

class PinnedMemory {
 public:
  explicit PinnedMemory(MemoryMap& map) : map_(map) {}

  // Throws 207001 when the process has no more memory to give.
  void* Allocate(std::size_t size, const char* api);
  // Throws 107000 for everything that is not the start of a live block.
  void Free(void* address, const char* api);

 private:
  BlockHeap& Heap();

  MemoryMap& map_;
  std::once_flag once_;
  std::unique_ptr<BlockHeap> heap_;
  std::uint64_t capacity_ = 0;
  std::atomic<std::uint64_t> used_{0};
};

}  // namespace foothold
