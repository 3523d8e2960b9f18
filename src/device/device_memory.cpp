// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/device_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/broken_rule.h"
#include "base/environment.h"
#include "base/error.h"
#include "check/check.h"
#include "check/planned_failures.h"
#include "device/memory/address_offset.h"
#include "device/memory_map.h"
#include "device/observer.h"
#include "trace/trace.h"

namespace foothold {
namespace {

// Capacity is counted in steps of the alignment. The readable tail behind a block is not counted, so that
// what is reported free can be allocated in one piece.
std::uint64_t Charged(std::size_t size) {
  return (size + BlockHeap::kAlignment - 1) / BlockHeap::kAlignment * BlockHeap::kAlignment;
}

// File descriptors are few, and the program's too.
constexpr int kMostDescriptors = 512;

}  // namespace

DeviceMemory::DeviceMemory(int device, std::uint64_t capacity)
    : device_(device),
      capacity_(capacity / BlockHeap::kAlignment * BlockHeap::kAlignment),
      heap_({MemoryKind::kDevice, device, ReservationFor(capacity), 0, kDeviceAddressOffset,
             BlockHeap::Settings::Sides::kHidden}) {
  heap_.set_cache_limit(capacity_ / 4);
  MemoryMap::Get().Add(heap_, this);
}

DeviceMemory::~DeviceMemory() {
  MemoryMap::Get().Remove(heap_);
}

void* DeviceMemory::Allocate(std::size_t size, const char* api, std::uint16_t module) {
  if (size == 0) Fail(kRtParamInvalid, "size must not be 0");
  if (watch::Is(watch::kFaults)) check::FailOwnAllocation(api);
  if (size > capacity_ || !Take(Charged(size))) FailFull(size);
  void* const block = heap_.Allocate(size, api, module);
  if (block == nullptr) {
    Return(Charged(size));
    FailFull(size);
  }
  modules_.Add(module, Charged(size));
  return block;
}

void* DeviceMemory::AllocateToShare(std::size_t size, const char* api, std::uint16_t module) {
  void* const block = Allocate(size, api, module);
  if (size < kHugePage || !has_descriptors_.load(std::memory_order_relaxed)) return block;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  try {
    const SharedPages pages = heap_.Share(address, heap_.Find(address).serial, true);
    if (pages.file->descriptor() >= kMostDescriptors) has_descriptors_.store(false);
  } catch (const std::exception&) {  // it moves when it is shared
    has_descriptors_.store(false);
  }
  return block;
}

SharedPages DeviceMemory::Share(const void* address, std::uint64_t serial) {
  return heap_.Share(reinterpret_cast<std::uintptr_t>(address), serial);
}

std::optional<SharedPages> DeviceMemory::FindShared(const void* address, std::uint64_t serial) const {
  return heap_.FindShared(reinterpret_cast<std::uintptr_t>(address), serial);
}

void DeviceMemory::Free(void* address, const char* api) {
  const auto freed = heap_.Free(address, api);
  if (!freed) {
    BreaksRule("ACL-MEM-011", address);
    Fail(kRtParamInvalid, "{} is not the start of a block of device {}: it {}", address, device_,
         MemoryMap::Get().Describe(address));
  }
  Return(Charged(freed->size));
  modules_.Subtract(static_cast<std::uint16_t>(freed->tag), Charged(freed->size));
}

void DeviceMemory::ReleaseAll(const char* api) {
  heap_.FreeAll(api, [this](const BlockHeap::Freed& block) {
    Return(Charged(block.size));
    modules_.Subtract(static_cast<std::uint16_t>(block.tag), Charged(block.size));
  });
  MemoryMap::Get().managed.Release(*this, api);
  MemoryMap::Get().virtual_memory.ReleasePagesOf(*this);
}

bool DeviceMemory::TryCharge(std::uint64_t bytes) noexcept {
  std::uint64_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > capacity_ - used) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  TraceUse(used + bytes);
  // Memory kept for reuse must not add to a device that is nearly full.
  heap_.set_cache_limit(std::min(capacity_ / 4, capacity_ - used - bytes));
  return true;
}

bool DeviceMemory::Take(std::uint64_t bytes) noexcept {
  if (TryCharge(bytes)) return true;
  if (const MakeRoom make_room = make_room_.load()) make_room(device_);
  return TryCharge(bytes);
}

void DeviceMemory::TraceUse(std::uint64_t used) const noexcept {
  if (trace::Active()) trace::Moment({trace::Kind::kMemory, device_, nullptr, nullptr, used, 0, 0});
}

void DeviceMemory::Charge(std::uint64_t bytes, const char*) {
  if (!Take(bytes)) FailFull(bytes);
  modules_.Add(0, bytes);
}

void DeviceMemory::Refund(std::uint64_t bytes) noexcept {
  modules_.Subtract(0, bytes);
  Return(bytes);
}

void DeviceMemory::Return(std::uint64_t bytes) noexcept {
  const std::uint64_t used = used_.fetch_sub(bytes, std::memory_order_relaxed) - bytes;
  TraceUse(used);
  heap_.set_cache_limit(std::min(capacity_ / 4, capacity_ - used));
}

void DeviceMemory::FailFull(std::uint64_t bytes) const {
  const std::uint64_t used = this->used();
  Fail(kRtMemoryAllocation,
       "device {} has no room for {} bytes: {} of its {} bytes are free. {}. Free some memory, or give "
       "devices more "
       "with FOOTHOLD_DEVICE_MEMORY",
       device_, bytes, capacity_ - used, capacity_, LargestBlocks());
}

std::string DeviceMemory::LargestBlocks() const {
  const auto blocks = heap_.Largest(5);
  if (blocks.empty()) return "No block is allocated";
  std::string text = "The largest blocks:";
  for (const MemoryInfo& block : blocks) {
    text += fmt::format(" {} bytes at {:#x} by {} (allocation {});", block.size, block.base, block.api,
                        block.serial);
  }
  text.pop_back();
  return text;
}

std::uint64_t DefaultDeviceMemory(int devices) {
  return UsableMemory() / 4 * 3 / static_cast<std::uint64_t>(std::max(devices, 1));
}

std::unique_ptr<DeviceMemory> MakeDeviceMemory(int device, std::uint64_t capacity) {
  return std::make_unique<DeviceMemory>(device, capacity);
}

void FreeDevicePointer(void* address, const char* api) {
  if (address == nullptr) Fail(kRtParamInvalid, "the pointer to free must not be null");
  MemoryMap& map = MemoryMap::Get();
  if (auto* const observer = Observer()) observer->OnMemoryFreed(address);
  if (DeviceMemory* owner = map.OwnerOf(address)) {
    owner->Free(address, api);
  } else if (!map.managed.Free(address, api)) {
    BreaksRule("ACL-MEM-011", address);
    Fail(kRtParamInvalid, "{} is not device memory: it {}", address, map.Describe(address));
  }
}

}  // namespace foothold
