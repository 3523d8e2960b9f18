// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/work_memory.h"

#include <pthread.h>

#include <algorithm>

namespace foothold {
namespace {

constexpr std::size_t kSmallestBlock = 64 * 1024;

}  // namespace

WorkMemory& WorkMemory::Get() {
  static auto* const memory = new WorkMemory;
  return *memory;
}

WorkMemory::WorkMemory() {
  free_.reserve(kKeptBlocks);  // giving back never fails
  pthread_atfork(&LockForFork, &UnlockAfterFork, &UnlockAfterFork);
}

WorkMemory::Block::Memory WorkMemory::Take(std::size_t bytes) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find_if(free_.rbegin(), free_.rend(),
                                    [&](const Block::Memory& memory) { return memory.size >= bytes; });
    if (found != free_.rend()) {
      std::swap(*found, free_.back());
      Block::Memory memory = std::move(free_.back());
      free_.pop_back();
      return memory;
    }
    if (!free_.empty()) free_.pop_back();  // too small, and so it would stay
  }
  const std::size_t size = std::max(kSmallestBlock, bytes + bytes / 4);
  return {AllocateBytes(size), size};
}

void WorkMemory::Give(Block::Memory memory) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (free_.size() < kKeptBlocks) free_.push_back(std::move(memory));
}

WorkMemory::Block::Block(std::size_t bytes) {
  if (bytes > 0) memory_ = WorkMemory::Get().Take(bytes);
}

WorkMemory::Block::~Block() {
  if (memory_.size > 0) WorkMemory::Get().Give(std::move(memory_));
}

}  // namespace foothold
