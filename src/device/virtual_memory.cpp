// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/virtual_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <mutex>
#include <vector>

#include "base/error.h"
#include "check/check.h"
#include "check/order.h"
#include "device/device_memory.h"

namespace foothold {
namespace {

using Exclusive = std::lock_guard<std::shared_mutex>;
using Shared = std::shared_lock<std::shared_mutex>;

constexpr int kReserveFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

std::uintptr_t Number(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

void* Pointer(std::uintptr_t address) {
  return reinterpret_cast<void*>(address);
}

std::uintptr_t ReserveAnywhere(std::size_t bytes, std::size_t alignment) {
  void* const at = mmap(nullptr, bytes + alignment, PROT_NONE, kReserveFlags, -1, 0);
  if (at == MAP_FAILED) {
    Fail(kRtMemoryAllocation, "the system grants no range of {} bytes of addresses: {}", bytes,
         std::strerror(errno));
  }
  const std::uintptr_t start = Number(at);
  const std::uintptr_t aligned = (start + alignment - 1) / alignment * alignment;
  if (aligned > start) munmap(at, aligned - start);
  if (start + alignment > aligned) munmap(Pointer(aligned + bytes), start + alignment - aligned);
  return aligned;
}

// The place the program would like, if it is free and aligned; 0 otherwise.
std::uintptr_t ReserveAt(void* expected, std::size_t bytes, std::size_t alignment) {
  if (expected == nullptr || Number(expected) % alignment != 0) return 0;
  void* const at = mmap(expected, bytes, PROT_NONE, kReserveFlags | MAP_FIXED_NOREPLACE, -1, 0);
  if (at == MAP_FAILED) return 0;
  if (at == expected) return Number(at);
  munmap(at, bytes);  // a kernel that takes the place for a hint only
  return 0;
}

}  // namespace

std::uint64_t VirtualMemory::Mapping::AnyAccess() const {
  std::uint64_t any = kNoAccess;
  for (const auto& [device, mine] : access)
    any |= mine;
  return any;
}

int VirtualMemory::Mapping::protection() const {
  const std::uint64_t any = AnyAccess();
  return any == kNoAccess ? PROT_NONE : any == kReadAccess ? PROT_READ : PROT_READ | PROT_WRITE;
}

void* VirtualMemory::Reserve(std::size_t bytes, std::size_t alignment, void* expected, const char* api) {
  if (bytes == 0) Fail(kRtParamInvalid, "size must not be 0");
  if ((alignment & (alignment - 1)) != 0)
    Fail(kRtParamInvalid, "alignment must be 0 or a power of two; it is {}", alignment);
  alignment = std::max(alignment, kGranularity);
  if (bytes > SIZE_MAX - alignment)
    Fail(kRtMemoryAllocation, "no range of {} bytes of addresses exists", bytes);
  // Whole pages: programs ask for as many addresses as there is free memory, which can be any number.
  bytes = (bytes + kSmallGranularity - 1) / kSmallGranularity * kSmallGranularity;
  Exclusive lock(mutex_);
  const bool possible = Number(expected) > offset_;
  std::uintptr_t start = possible ? ReserveAt(PagesAt(Number(expected)), bytes, alignment) : 0;
  if (start == 0) start = ReserveAnywhere(bytes, alignment);
  start += offset_;
  ranges_.emplace(start, Reservation{bytes, NextAllocationSerial(), api, {}});
  count_.store(ranges_.size(), std::memory_order_release);
  return Pointer(start);
}

void VirtualMemory::Release(void* address) {
  Exclusive lock(mutex_);
  const auto range = ranges_.find(Number(address));
  if (range == ranges_.end() || range->second.imported) {
    Fail(kRtParamInvalid, "{} is not the start of a range that aclrtReserveMemAddress made", address);
  }
  if (!range->second.mappings.empty()) {
    Fail(kRtParamInvalid,
         "the range at {} has {} mappings, the first at {}; unmap them with aclrtUnmapMem first", address,
         range->second.mappings.size(), Pointer(range->second.mappings.begin()->first));
  }
  munmap(PagesAt(range->first), range->second.bytes);
  ranges_.erase(range);
  count_.store(ranges_.size(), std::memory_order_release);
}

void* VirtualMemory::AllocatePages(DeviceMemory& owner, std::size_t bytes,
                                   const PhysicalMemory::Properties& properties, const char* api) {
  owner.Charge(bytes, api);
  Exclusive lock(mutex_);
  PhysicalMemory* pages = nullptr;
  try {
    pages = &TakePages(owner, bytes);
    pages->offset = file_.Allocate(bytes);
  } catch (...) {
    if (pages != nullptr) pages_.Recycle(*pages);
    owner.Refund(bytes);
    throw;
  }
  pages->references = 1;
  pages->properties = properties;
  return pages_.Publish(*pages);
}

PhysicalMemory& VirtualMemory::TakePages(DeviceMemory& owner, std::size_t bytes) {
  PhysicalMemory& pages = pages_.Take();
  pages.owner = &owner;
  pages.bytes = bytes;
  pages.file = nullptr;
  pages.exported = false;
  pages.imported = false;
  pages.references = 0;
  pages.mappings = 0;
  return pages;
}

PhysicalMemory& VirtualMemory::PagesOf(const void* handle) const {
  if (PhysicalMemory* pages = pages_.Find(handle)) return *pages;
  if (handle == nullptr) Fail(kRtParamInvalid, "the physical memory handle must not be null");
  Fail(kRtParamInvalid, "{} is not a live physical memory handle", DescribeHandle(handle));
}

void VirtualMemory::FreePages(const void* handle) {
  Exclusive lock(mutex_);
  PhysicalMemory& pages = PagesOf(handle);
  if (--pages.references == 0) pages_.Retire(pages, handle);
  DropIfUnused(pages);
}

void VirtualMemory::DropIfUnused(PhysicalMemory& pages) {
  if (pages.references > 0 || pages.mappings > 0) return;
  if (pages.file == nullptr && !pages.imported) file_.Free(pages.offset, pages.bytes);
  pages.file = nullptr;
  if (!pages.imported) pages.owner->Refund(pages.bytes);
  pages_.Recycle(pages);
}

void* VirtualMemory::RetainPages(const void* address) {
  Exclusive lock(mutex_);
  const auto range = RangeAt(Number(address));
  const Mapping* mapping =
      range == ranges_.end() ? nullptr : MappingAt(range->second, Number(address), nullptr);
  if (mapping == nullptr) Fail(kRtParamInvalid, "nothing is mapped at {}", address);
  PhysicalMemory& pages = *mapping->pages;
  if (pages.references++ == 0) pages_.Publish(pages);  // the program had freed its last handle
  return pages.handle();
}

PhysicalMemory::Properties VirtualMemory::PropertiesOf(const void* handle) const {
  Shared lock(mutex_);
  return PagesOf(handle).properties;
}

VirtualMemory::Reservations::const_iterator VirtualMemory::RangeAt(std::uintptr_t address) const {
  auto range = ranges_.upper_bound(address);
  if (range == ranges_.begin()) return ranges_.end();
  --range;
  return address - range->first < range->second.bytes ? range : ranges_.end();
}

const VirtualMemory::Mapping* VirtualMemory::MappingAt(const Reservation& range, std::uintptr_t address,
                                                       std::uintptr_t* base) const {
  auto mapping = range.mappings.upper_bound(address);
  if (mapping == range.mappings.begin()) return nullptr;
  --mapping;
  if (address - mapping->first >= mapping->second.bytes) return nullptr;
  if (base != nullptr) *base = mapping->first;
  return &mapping->second;
}

VirtualMemory::Reservation& VirtualMemory::RangeFor(std::uintptr_t address, std::size_t bytes) {
  const auto found = RangeAt(address);
  if (found == ranges_.end() || found->second.imported) {
    Fail(kRtParamInvalid, "{} does not lie in a range that aclrtReserveMemAddress made", Pointer(address));
  }
  if (bytes > found->second.bytes - (address - found->first)) {
    Fail(kRtParamInvalid, "{} bytes from {} leave the reserved range of {} bytes at {}", bytes,
         Pointer(address), found->second.bytes, Pointer(found->first));
  }
  return ranges_.find(found->first)->second;
}

void VirtualMemory::CheckFree(const Reservation& range, std::uintptr_t address, std::size_t bytes) const {
  const auto next = range.mappings.lower_bound(address + bytes);
  if (next == range.mappings.begin()) return;
  const auto last = std::prev(next);
  if (last->first + last->second.bytes <= address) return;
  Fail(kRtParamInvalid, "{} bytes from {} meet what is mapped at {} ({} bytes); unmap that first", bytes,
       Pointer(address), Pointer(last->first), last->second.bytes);
}

void VirtualMemory::Map(void* address, std::size_t bytes, const void* handle, bool accessible,
                        const char* api) {
  const std::uintptr_t start = Number(address);
  if (start % kSmallGranularity != 0)
    Fail(kRtParamInvalid, "{} is not a multiple of {}", address, kSmallGranularity);
  Exclusive lock(mutex_);
  PhysicalMemory& pages = PagesOf(handle);
  if (bytes != pages.bytes) {
    Fail(kRtParamInvalid, "size must be that of the physical memory, {} bytes; it is {}", pages.bytes, bytes);
  }
  Reservation& range = RangeFor(start, bytes);
  CheckFree(range, start, bytes);
  if (!range.mappings.empty() && range.mappings.begin()->second.pages->owner != pages.owner) {
    Fail(kRtParamInvalid, "the range holds memory of device {} already; memory of device {} cannot join it",
         range.mappings.begin()->second.pages->owner->device(), pages.owner->device());
  }
  Mapping mapping{bytes, &pages, {}, NextAllocationSerial(), api};
  if (accessible) mapping.access[pages.owner->device()] = kReadWriteAccess;
  const int protection = mapping.protection();
  const auto place = range.mappings.emplace(start, std::move(mapping)).first;
  try {
    MapPages(pages, start - offset_, protection);
  } catch (...) {
    range.mappings.erase(place);
    throw;
  }
  ++pages.mappings;
  if (check::On() && (pages.imported || pages.exported)) check::MemoryShared(place->second.serial);
}

VirtualMemory::Mapping& VirtualMemory::MappingStarting(std::uintptr_t address) {
  Reservation& range = RangeFor(address, 0);
  const auto mapping = range.mappings.find(address);
  if (mapping == range.mappings.end()) {
    Fail(kRtParamInvalid, "{} is not the start of a mapping that aclrtMapMem made", Pointer(address));
  }
  return mapping->second;
}

void VirtualMemory::Unmap(void* address) {
  Exclusive lock(mutex_);
  MappingStarting(Number(address));
  Erase(RangeFor(Number(address), 0), Number(address));
}

// Leaves the addresses reserved: nothing else can appear there.
void VirtualMemory::Erase(Reservation& range, std::uintptr_t address) {
  const auto mapping = range.mappings.find(address);
  PhysicalMemory& pages = *mapping->second.pages;
  mmap(PagesAt(address), mapping->second.bytes, PROT_NONE, kReserveFlags | MAP_FIXED, -1, 0);
  range.mappings.erase(mapping);
  --pages.mappings;
  DropIfUnused(pages);
}

void VirtualMemory::SetAccess(void* address, std::size_t bytes, int device, MemoryAccess access) {
  Exclusive lock(mutex_);
  Mapping& mapping = MappingStarting(Number(address));
  if (mapping.bytes != bytes) {
    Fail(kRtParamInvalid, "size must be that of the mapping, {} bytes; it is {}", mapping.bytes, bytes);
  }
  mapping.access[device] = access;
  if (mprotect(PagesAt(Number(address)), bytes, mapping.protection()) != 0) {
    Fail(kRtInternalError, "the access to {} bytes at {} cannot be changed: {}", bytes, address,
         std::strerror(errno));
  }
}

MemoryAccess VirtualMemory::AccessOf(const void* address, int device) const {
  Shared lock(mutex_);
  const auto range = RangeAt(Number(address));
  const Mapping* mapping =
      range == ranges_.end() ? nullptr : MappingAt(range->second, Number(address), nullptr);
  if (mapping == nullptr) Fail(kRtParamInvalid, "nothing is mapped at {}", address);
  const auto mine = mapping->access.find(device);
  return mine == mapping->access.end() ? kNoAccess : mine->second;
}

void VirtualMemory::ReleasePagesOf(const DeviceMemory& owner) {
  Exclusive lock(mutex_);
  for (auto place = ranges_.begin(); place != ranges_.end();) {
    const auto now = place++;
    Reservation& range = now->second;
    std::vector<std::uintptr_t> mine;
    for (const auto& [base, mapping] : range.mappings) {
      if (mapping.pages->owner == &owner) mine.push_back(base);
    }
    if (range.imported && !mine.empty()) {
      EraseImported(now);
      continue;
    }
    for (const std::uintptr_t base : mine)
      Erase(range, base);
  }
  std::vector<PhysicalMemory*> left;
  pages_.ForEach([&](PhysicalMemory& pages) {
    if (pages.owner == &owner) left.push_back(&pages);
  });
  for (PhysicalMemory* pages : left) {
    pages->references = 0;
    pages_.Retire(*pages, pages->handle());
    DropIfUnused(*pages);
  }
}

std::optional<MemoryInfo> VirtualMemory::Find(std::uintptr_t address) const {
  if (count_.load(std::memory_order_acquire) == 0) return std::nullopt;
  Shared lock(mutex_);
  const auto range = RangeAt(address);
  if (range == ranges_.end()) return std::nullopt;
  std::uintptr_t base = 0;
  if (const Mapping* mapping = MappingAt(range->second, address, &base)) {
    return MemoryInfo{MemoryKind::kMapped,
                      mapping->pages->owner->device(),
                      base,
                      mapping->bytes,
                      mapping->serial,
                      mapping->api,
                      offset_};
  }
  return MemoryInfo{MemoryKind::kReserved, -1,     range->first, range->second.bytes, range->second.serial,
                    range->second.api,     offset_};
}

std::optional<MemoryInfo> VirtualMemory::FindRange(std::uintptr_t address, std::size_t bytes,
                                                   bool write) const {
  Shared lock(mutex_);
  const auto range = RangeAt(address);
  if (range == ranges_.end()) return std::nullopt;
  MemoryInfo found{MemoryKind::kMapped, -1, address, bytes, 0, nullptr, offset_};
  const std::uint64_t needed = write ? kReadWriteAccess : kReadAccess;
  for (std::uintptr_t at = address; at - address < bytes;) {
    std::uintptr_t base = 0;
    const Mapping* const mapping = MappingAt(range->second, at, &base);
    if (mapping == nullptr || (mapping->AnyAccess() & needed) != needed) return std::nullopt;
    found.device = mapping->pages->owner->device();
    found.serial = std::max(found.serial, mapping->serial);
    found.api = mapping->api;
    at = base + mapping->bytes;
  }
  return found;
}

bool VirtualMemory::Meets(std::uintptr_t address, std::size_t bytes) const {
  if (count_.load(std::memory_order_acquire) == 0) return false;
  Shared lock(mutex_);
  const auto next = ranges_.lower_bound(address + bytes);
  if (next == ranges_.begin()) return false;
  const auto last = std::prev(next);
  return last->first + last->second.bytes > address;
}

std::size_t VirtualMemory::ReachOf(std::uintptr_t address) const {
  if (count_.load(std::memory_order_acquire) == 0) return 0;
  Shared lock(mutex_);
  const auto range = RangeAt(address);
  return range == ranges_.end() ? 0 : range->second.bytes - (address - range->first);
}

}  // namespace foothold
