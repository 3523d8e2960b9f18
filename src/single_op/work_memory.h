// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory for the intermediate values of operators that run now. Thousands of operators may be prepared, so
// none keeps any of its own: a run takes a block and gives it back. Any thread.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "ir/tensor_value.h"

namespace foothold {

class WorkMemory {
 public:
  static WorkMemory& Get();

  class Block {
   public:
    // At least `bytes`, not initialised; null for 0. Throws kBadAlloc when memory is short.
    explicit Block(std::size_t bytes);
    ~Block();
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    std::byte* address() const { return memory_.bytes.get(); }

   private:
    friend class WorkMemory;
    struct Memory {
      SharedBytes bytes;
      std::size_t size = 0;
    };
    Memory memory_;
  };

 private:
  static constexpr std::size_t kKeptBlocks = 16;

  WorkMemory();
  Block::Memory Take(std::size_t bytes);
  void Give(Block::Memory memory);
  static void LockForFork() { Get().mutex_.lock(); }
  static void UnlockAfterFork() { Get().mutex_.unlock(); }

  std::mutex mutex_;  // guards the blocks that are not in use
  std::vector<Block::Memory> free_;
};

}  // namespace foothold
