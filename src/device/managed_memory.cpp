// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/managed_memory.h"

#include <algorithm>

#include "base/environment.h"
#include "base/error.h"
#include "device/device_memory.h"
#include "device/memory_map.h"

namespace foothold {
namespace {

// Where programs may expect managed memory to be, as far as the system lets it.
constexpr std::uintptr_t kWindow = 0x90000000000;
constexpr std::size_t kWindowBytes = std::size_t{3} << 40;

}  // namespace

BlockHeap& ManagedMemory::Heap() {
  std::call_once(once_, [this] {
    const std::size_t reservation = std::min(ReservationFor(UsableMemory()), kWindowBytes);
    heap_ = std::make_unique<BlockHeap>(
        BlockHeap::Settings{MemoryKind::kManaged, BlockHeap::kOwnerIsTag, reservation, kWindow});
    heap_->set_cache_limit(0);
    map_.Add(*heap_, nullptr);
  });
  return *heap_;
}

void* ManagedMemory::Allocate(DeviceMemory& owner, std::size_t size, const char* api) {
  if (size == 0) Fail(kRtParamInvalid, "size must not be 0");
  const std::size_t rounded =
      size > SIZE_MAX - kHugePage ? size : (size + kHugePage - 1) / kHugePage * kHugePage;
  owner.Charge(rounded, api);
  void* const block = Heap().Allocate(rounded, api, static_cast<std::uint32_t>(owner.device()));
  if (block == nullptr) {
    owner.Refund(rounded);
    Fail(kRtMemoryAllocation, "no room for {} bytes in the address range of managed memory", rounded);
  }
  std::lock_guard<std::mutex> lock(mutex_);
  owners_[block] = &owner;
  return block;
}

bool ManagedMemory::Free(void* address, const char* api) {
  DeviceMemory* owner;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = owners_.find(address);
    if (found == owners_.end()) return false;
    owner = found->second;
    owners_.erase(found);
  }
  if (const auto freed = Heap().Free(address, api)) owner->Refund(freed->size);
  return true;
}

void ManagedMemory::Release(DeviceMemory& owner, const char* api) {
  std::vector<void*> mine;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [block, whose] : owners_) {
      if (whose == &owner) mine.push_back(block);
    }
  }
  for (void* block : mine)
    Free(block, api);
}

}  // namespace foothold
