// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Blocks that allocators of the program have handed out and not got back (GE-ALLOC-002 to 005, 010). Inside
// calls; any thread. Precondition of all: check::On().
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold::check {

struct PoolBlock {
  const void* block;  // how the allocator knows it
  const void* address;
  std::size_t bytes;
  bool device_memory;  // of the right device
};

// A rule of its own stands for all where it is given; null: those of the Graph Engine.
void LookAtBlock(const PoolBlock& block, const char* rule) noexcept;
// It goes back.
void BlockReturned(const void* block) noexcept;
// Its count says that nobody has it.
void LookAtLostBlock(const void* block) noexcept;
// It has another address than when it was handed out.
void LookAtMovedBlock(const void* before, const void* now) noexcept;

}  // namespace foothold::check
