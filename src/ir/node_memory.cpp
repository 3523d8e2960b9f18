// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/node_memory.h"

#include <algorithm>
#include <memory>
#include <new>

namespace foothold {
namespace {

// Larger ones would be asked of the system each time, and come with fresh pages.
constexpr std::size_t kLargestBlock = std::size_t{64} << 10;

// One block for all would hide uses of nodes that are gone.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

}  // namespace

NodeMemory::~NodeMemory() {
  while (last_ != nullptr) {
    Block* const before = last_->before;
    operator delete(last_);
    last_ = before;
  }
}

void* NodeMemory::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (kSanitized) return operator new(bytes, std::align_val_t(alignment));
  if (std::align(alignment, bytes, next_, room_) == nullptr) {
    AddBlock(bytes + alignment);
    std::align(alignment, bytes, next_, room_);
  }
  void* const piece = next_;
  next_ = static_cast<std::byte*>(next_) + bytes;
  room_ -= bytes;
  return piece;
}

void NodeMemory::do_deallocate(void* piece, std::size_t, std::size_t alignment) {
  if (kSanitized) operator delete(piece, std::align_val_t(alignment));
}

void NodeMemory::AddBlock(std::size_t bytes) {
  block_bytes_ = std::min(2 * block_bytes_, kLargestBlock);
  const std::size_t size = std::max(bytes + sizeof(Block), block_bytes_);
  last_ = new (operator new(size)) Block{last_};
  next_ = last_ + 1;
  room_ = size - sizeof(Block);
}

}  // namespace foothold
