// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/pinned_memory.h"

#include "base/broken_rule.h"
#include "base/environment.h"
#include "base/error.h"
#include "check/check.h"
#include "device/memory_map.h"
#include "device/observer.h"

namespace foothold {

BlockHeap& PinnedMemory::Heap() {
  std::call_once(once_, [this] {
    capacity_ = UsableMemory();
    const auto sides = check::On() && check::TheSettings().pages ? BlockHeap::Settings::Sides::kTwice
                                                                 : BlockHeap::Settings::Sides::kOne;
    heap_ = std::make_unique<BlockHeap>(
        BlockHeap::Settings{MemoryKind::kPinned, -1, ReservationFor(capacity_), 0, 0, sides});
    heap_->set_cache_limit(capacity_ / 8);
    map_.Add(*heap_, nullptr);
  });
  return *heap_;
}

void* PinnedMemory::Allocate(std::size_t size, const char* api) {
  if (size == 0) Fail(kRtParamInvalid, "size must not be 0");
  BlockHeap& heap = Heap();
  const std::uint64_t before = used_.fetch_add(size);
  void* const block = size <= capacity_ && before <= capacity_ - size ? heap.Allocate(size, api) : nullptr;
  if (block == nullptr) {
    used_.fetch_sub(size);
    Fail(kRtMemoryAllocation,
         "no {} bytes of host memory are left: {} of the {} bytes this process may use are allocated", size,
         before, capacity_);
  }
  return block;
}

void PinnedMemory::Free(void* address, const char* api) {
  if (address == nullptr) Fail(kRtParamInvalid, "the pointer to free must not be null");
  if (auto* const observer = Observer()) observer->OnMemoryFreed(address);
  if (map_.Find(address).kind == MemoryKind::kPinned) {
    if (const auto freed = Heap().Free(address, api)) {
      used_.fetch_sub(freed->size);
      return;
    }
  }
  BreaksRule("ACL-MEM-011", address);
  Fail(kRtParamInvalid, "{} is not the start of a block from aclrtMallocHost: it {}", address,
       map_.Describe(address));
}

}  // namespace foothold
