// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A program's own allocator for the work of a stream (aclrtAllocatorRegister): what was in its description
// when it was registered. Whoever runs dynamic-shape work on the stream allocates through it. Its functions
// are the program's and may be called from any thread, with no lock held.
#pragma once

#include <cstddef>
#include <memory>

#include "base/handle_pool.h"
#include "base/held_locks.h"
#include "base/spin.h"
#include "check/allocator_blocks.h"
#include "check/check.h"

namespace foothold {

struct StreamAllocator {
  using AllocateFunction = void* (*)(void* object, std::size_t size);
  using FreeFunction = void (*)(void* object, void* block);
  using AllocateAtFunction = void* (*)(void* object, std::size_t size, void* address);
  using AddressFunction = void* (*)(void* block);

  void* description = nullptr;  // the handle it was registered by
  void* object = nullptr;
  AllocateFunction allocate = nullptr;
  FreeFunction free = nullptr;
  AllocateAtFunction allocate_at = nullptr;  // may be missing
  AddressFunction address_of = nullptr;

  struct Block {
    void* block;    // what `free` takes
    void* address;  // what kernels use
  };
  // Throws 207001 when the program's allocator gives nothing, or a block without an address.
  Block Allocate(std::size_t size) const;
  void Free(const Block& block) const {
    EnterProgram("the free function of a stream's allocator");
    if (check::On()) check::BlockReturned(block.block);
    free(object, block.block);
  }

 private:
  void LookAtBlock(const Block& block, std::size_t bytes) const;
};

// A description being filled in; registering it copies what it holds then.
class AllocatorDescription : public Handled {
 public:
  template <typename Change>
  void Update(Change&& change) {
    lock_.lock();
    change(allocator_);
    lock_.unlock();
  }
  StreamAllocator Read() const {
    lock_.lock();
    const StreamAllocator copy = allocator_;
    lock_.unlock();
    return copy;
  }

 private:
  mutable SpinLock lock_;
  StreamAllocator allocator_;
};

void* CreateAllocatorDescription();
// Streams it was registered with keep what they got. Throws 100000 if `handle` is none.
void DestroyAllocatorDescription(const void* handle);
AllocatorDescription& FindAllocatorDescription(const void* handle);

// Null streams are refused with 100000.
void RegisterAllocator(const void* stream, const void* description);
// A stream that does not exist or has no allocator is left as it is.
void UnregisterAllocator(const void* stream);
// Throws 100000 if the stream has none.
std::shared_ptr<const StreamAllocator> AllocatorOf(const void* stream);

}  // namespace foothold
