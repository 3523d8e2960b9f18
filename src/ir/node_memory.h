// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where the nodes of a pool and their ports are: one after the other in blocks, in the order of making, which
// is the order they are mostly walked through, and given back all at once. Used by NodePool. One thread at a
// time.
#pragma once

#include <cstddef>
#include <memory_resource>

namespace foothold {

class NodeMemory final : public std::pmr::memory_resource {
 public:
  NodeMemory() = default;
  ~NodeMemory() override;
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

 private:
  struct Block {
    Block* before;
  };

  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* piece, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
  void AddBlock(std::size_t bytes);

  // An operator that is alone needs no block.
  static constexpr std::size_t kFirst = 960;

  Block* last_ = nullptr;
  std::size_t block_bytes_ = kFirst;
  void* next_ = first_;
  std::size_t room_ = kFirst;
  alignas(std::max_align_t) std::byte first_[kFirst];
};

}  // namespace foothold
