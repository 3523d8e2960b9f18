// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory for the intermediate values of runs that go on now, one pool per device for graphs, models and
// operators alike: thousands of programs may be prepared, so none keeps any of its own. A run takes a block
// and gives it back. Counts as memory of the device; what is idle gives way to whoever needs it. Any thread;
// a forked child begins with empty pools, and blocks that it finds in use go nowhere.
#pragma once

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "base/process_number.h"
#include "device/device_charge.h"
#include "ir/tensor_value.h"

namespace foothold {

class WorkMemory {
 public:
  static WorkMemory& Of(int device);

  class Block {
   public:
    Block() = default;
    // At least `bytes`, not initialised; null for 0. Throws 207001 when the device has no room and kBadAlloc
    // when the machine has none.
    Block(WorkMemory& pool, std::size_t bytes);
    ~Block();
    Block(Block&& other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)), memory_(std::move(other.memory_)) {}
    Block& operator=(Block&&) = delete;
    std::byte* address() const { return memory_.bytes.get(); }

   private:
    friend class WorkMemory;
    struct Memory {
      SharedBytes bytes;
      std::size_t size = 0;
      DeviceCharge charge;
    };
    WorkMemory* pool_ = nullptr;
    Memory memory_;
  };
  // A block that goes back when the last one lets go of it.
  SharedBytes Share(std::size_t bytes);
  // Lets go of what nobody uses.
  void DropIdle() noexcept;
  static void DropIdleOf(int device) noexcept;

 private:
  friend struct AllWorkMemory;
  using Memory = Block::Memory;

  explicit WorkMemory(int device) : device_(device), process_(ProcessNumber::Now()) {}
  Memory Take(std::size_t bytes);
  Memory Make(std::size_t size);
  void Give(Memory memory) noexcept;

  const int device_;
  const std::uint64_t process_;
  std::mutex mutex_;          // guards all below
  std::vector<Memory> idle_;  // the latest last; there is room for all blocks
  std::size_t blocks_ = 0;    // in use or idle
  // As much is kept as was in use at once: enough for what a program does over and over.
  std::size_t idle_bytes_ = 0, used_bytes_ = 0, most_used_ = 0;
};

}  // namespace foothold
