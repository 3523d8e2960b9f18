// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory a program gives to the Graph Engine. The program derives from Allocator; blocks belong to the
// allocator they came from and go back to it when their last user frees them. Counts are plain numbers:
// whoever shares a block between threads takes care of them.
#ifndef FOOTHOLD_GE_GE_ALLOCATOR_H_
#define FOOTHOLD_GE_GE_ALLOCATOR_H_

#include <stddef.h>

#include <memory>

namespace ge {

class MemBlock;

class Allocator {
 public:
  Allocator()                            = default;
  virtual ~Allocator()                   = default;
  Allocator(const Allocator&)            = delete;
  Allocator& operator=(const Allocator&) = delete;

  // Null when there is no memory.
  virtual MemBlock* Malloc(size_t size) = 0;
  virtual void Free(MemBlock* block)    = 0;
  // `addr` is where the caller would like the block to be; an allocator may ignore it.
  virtual MemBlock* MallocAdvise(size_t size, void* addr) {
    (void)addr;
    return Malloc(size);
  }
};

// Has one user when it is made.
class MemBlock {
 public:
  MemBlock(Allocator& allocator, void* addr, size_t block_size)
      : allocator_(allocator), addr_(addr), count_(1U), size_(block_size) {}
  virtual ~MemBlock() = default;

  const void* GetAddr() const { return addr_; }
  void* GetAddr() { return addr_; }
  size_t GetSize() const { return size_; }
  void SetSize(const size_t mem_size) { size_ = mem_size; }

  // One user less; the last one gives the block back, and it may be gone then.
  void Free() {
    if (count_ > 0U && SubCount() == 0U) {
      allocator_.Free(this);
    }
  }
  size_t AddCount() { return ++count_; }
  size_t SubCount() { return --count_; }
  size_t GetCount() const { return count_; }

 private:
  Allocator& allocator_;
  void* addr_;
  size_t count_;
  size_t size_;
};

using AllocatorPtr = std::shared_ptr<Allocator>;

}  // namespace ge

#endif  // FOOTHOLD_GE_GE_ALLOCATOR_H_
