// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/broken_rule.h"
#include "base/error.h"
#include "base/handle_pool.h"
#include "base/process_events.h"
#include "check/check.h"
#include "check/guards.h"
#include "check/history.h"
#include "device/mapped_range.h"

namespace foothold {
namespace {

std::atomic<MemoryMap*> the_map{nullptr};
std::atomic<MemoryMap*> map_of_parent{nullptr};

// The child's ranges are its own. The parent's map is only read from then on, and only what needs no lock.
void StartAnewInChild() {
  if (MemoryMap* map = the_map.exchange(nullptr)) map_of_parent.store(map);
}
const AtFork at_fork(ForkStage::kObjects, {.in_child = StartAnewInChild});

std::uintptr_t Number(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

// Nothing a program can own lies below; small numbers are lengths or ids passed in the wrong place.
constexpr std::uintptr_t kLowestAddress = 4096;
constexpr int kAddressBits = 56;

bool CannotBeMemory(std::uintptr_t address) {
  return address < kLowestAddress || address >> kAddressBits != 0;
}

const char* NameOf(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kDevice:
      return "device memory";
    case MemoryKind::kPinned:
      return "pinned host memory";
    case MemoryKind::kRegistered:
      return "registered host memory";
    case MemoryKind::kManaged:
      return "managed memory";
    case MemoryKind::kMapped:
      return "mapped virtual memory";
    case MemoryKind::kReserved:
      return "reserved addresses";
    default:
      return "memory";
  }
}

std::string Place(const MemoryInfo& info) {
  return info.device < 0 ? std::string() : fmt::format(" of device {}", info.device);
}

std::string DescribeBlock(std::uintptr_t address, const MemoryInfo& info) {
  return fmt::format("byte {} of {} bytes of {}{} at {:#x} that {} made (allocation {})", address - info.base,
                     info.size, NameOf(info.kind), Place(info), info.base, info.api, info.serial);
}

}  // namespace

MemoryMap& MemoryMap::Get() {
  if (MemoryMap* map = the_map.load(std::memory_order_acquire)) return *map;
  // Never freed: entry points may be called from static destructors.
  MemoryMap* const fresh = new MemoryMap(map_of_parent.load());
  MemoryMap* existing = nullptr;
  if (the_map.compare_exchange_strong(existing, fresh, std::memory_order_acq_rel)) return *fresh;
  delete fresh;
  return *existing;
}

MemoryMap::MemoryMap(const MemoryMap* parent) : pinned(*this), managed(*this), registered(*this) {
  if (parent == nullptr) return;
  inherited_ = parent->inherited_;
  for (std::size_t i = 0; i < parent->used_.load(); ++i) {
    if (const BlockHeap* heap = parent->entries_[i].heap.load()) {
      inherited_.emplace_back(heap->base(), heap->base() + heap->size());
    }
  }
}

void MemoryMap::Add(BlockHeap& heap, DeviceMemory* owner) {
  if (check::On()) check::SetGuardLook([] { MemoryMap::Get().LookAtGuards(); });
  std::lock_guard<std::mutex> lock(mutex_);
  for (std::size_t i = 0; i < kMaxHeaps; ++i) {
    if (entries_[i].heap.load() != nullptr) continue;
    entries_[i].owner.store(owner, std::memory_order_release);
    entries_[i].heap.store(&heap, std::memory_order_release);
    used_.store(std::max(used_.load(), i + 1), std::memory_order_release);
    return;
  }
  Fail(kRtResourceAllocFail, "{} address ranges are in use already", kMaxHeaps);
}

void MemoryMap::Remove(const BlockHeap& heap) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (Entry& entry : entries_) {
    if (entry.heap.load() == &heap) entry.heap.store(nullptr, std::memory_order_release);
  }
}

void MemoryMap::LookAtGuards() const {
  const std::size_t used = used_.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < used; ++i)
    if (BlockHeap* const heap = entries_[i].heap.load(std::memory_order_acquire)) heap->LookAtGuards();
}

const BlockHeap* MemoryMap::HeapAt(std::uintptr_t address) const noexcept {
  const std::size_t used = used_.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < used; ++i) {
    const BlockHeap* const heap = entries_[i].heap.load(std::memory_order_acquire);
    if (heap != nullptr && heap->Contains(address)) return heap;
  }
  return nullptr;
}

DeviceMemory* MemoryMap::OwnerOf(const void* address) const noexcept {
  const std::size_t used = used_.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < used; ++i) {
    const BlockHeap* const heap = entries_[i].heap.load(std::memory_order_acquire);
    if (heap != nullptr && heap->Contains(Number(address))) {
      return entries_[i].owner.load(std::memory_order_acquire);
    }
  }
  return nullptr;
}

bool MemoryMap::IsInherited(std::uintptr_t address) const noexcept {
  return std::any_of(inherited_.begin(), inherited_.end(),
                     [&](const Range& range) { return address >= range.first && address < range.second; });
}

MemoryInfo MemoryMap::Find(const void* pointer) const {
  const std::uintptr_t address = Number(pointer);
  if (const BlockHeap* heap = HeapAt(address)) return heap->Find(address);
  if (const auto info = virtual_memory.Find(address)) return *info;
  if (const auto info = registered.Find(address)) return *info;
  return {IsInherited(address) ? MemoryKind::kInherited : MemoryKind::kPageable};
}

bool MemoryMap::Meets(const void* pointer, std::size_t bytes) const {
  const std::uintptr_t address = Number(pointer);
  const auto meets = [&](std::uintptr_t first, std::uintptr_t end) {
    return address < end && first < address + bytes;
  };
  const std::size_t used = used_.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < used; ++i) {
    const BlockHeap* const heap = entries_[i].heap.load(std::memory_order_acquire);
    if (heap != nullptr && meets(heap->base(), heap->base() + heap->size())) return true;
  }
  return virtual_memory.Meets(address, bytes);
}

std::string MemoryMap::Describe(const void* pointer) const {
  const std::uintptr_t address = Number(pointer);
  if (pointer == nullptr) return "is null";
  if (address >> kAddressBits != 0) return fmt::format("is {}", DescribeHandle(pointer));
  if (address < kLowestAddress) return "is no address";
  const MemoryInfo info = Find(pointer);
  if (info.alive()) return fmt::format("is {}", DescribeBlock(address, info));
  if (info.kind == MemoryKind::kInherited) {
    return "belongs to the parent process; device and pinned memory do not survive a fork";
  }
  if (info.kind == MemoryKind::kPageable) return "is memory the library knows nothing of";
  const auto freed = HeapAt(address)->FindFreed(address);
  if (freed)
    return fmt::format("was {}, and {} freed it", DescribeBlock(address, freed->block), freed->freed_by);
  return fmt::format("lies in the address range of {}, where nothing is allocated",
                     info.device < 0 ? std::string("the host") : fmt::format("device {}", info.device));
}

namespace {

// Memory that was there when a task was queued is gone when it runs (kRtSysDma), or was never there.
const char* RuleOfRange(const void* address, Code code) {
  if (check::On() && check::IsClosedImport(address)) return "ACL-MEM-070";
  if (MemoryMap::Get().Find(address).kind == MemoryKind::kInherited) return "ACL-CTX-005";
  return code == kRtSysDma ? "ACL-MEM-002" : "ACL-MEM-004";
}

[[noreturn]] void FailUse(const void* address, std::size_t bytes, const char* name, Code code) {
  if (address == nullptr) Fail(code, "{} must not be null", name);
  BreaksRule(RuleOfRange(address, code), address);
  Fail(code, "{} bytes from {} ({}) cannot be used: the start {}", bytes, address, name,
       MemoryMap::Get().Describe(address));
}

[[noreturn]] void FailLeaves(const void* address, std::size_t bytes, const char* name, const MemoryInfo& info,
                             Code code) {
  BreaksRule(RuleOfRange(address, code), address);
  Fail(code, "{} bytes from {} ({}) leave their allocation: the start is {}", bytes, address, name,
       DescribeBlock(Number(address), info));
}

[[noreturn]] void FailUnmapped(const void* address, std::size_t bytes, const char* name, Code code) {
  const std::size_t there = MappedBytes(Number(address), bytes);
  if (check::On() && check::IsClosedImport(address)) BreaksRule("ACL-MEM-070", address);
  if (there == 0)
    Fail(code, "{} bytes from {} ({}) cannot be used: no memory is there", bytes, address, name);
  Fail(code, "{} bytes from {} ({}) cannot be used: only the first {} are there, no memory is behind them",
       bytes, address, name, there);
}

[[gnu::noinline, gnu::cold]] void* Lower(const void* given, std::uintptr_t offset) {
  return reinterpret_cast<void*>(Number(given) - offset);
}

// From an address as programs hold it to the one that code on this machine follows. A branch where a
// subtraction would do: processors go on with the address before the lookup is over.
void* KernelAddress(const void* given, const MemoryInfo& info) {
  if (info.offset == 0) [[likely]]
    return const_cast<void*>(given);
  return Lower(given, info.offset);
}

MemoryUse UseOf(const MemoryInfo& info, const void* given) {
  return {info.kind, info.device, info.serial, KernelAddress(given, info)};
}

MemoryUse CheckPageable(const MemoryMap& map, const void* address, std::size_t bytes, const char* name,
                        Code code) {
  if (CannotBeMemory(Number(address)) || Number(address) + bytes < Number(address)) {
    FailUse(address, bytes, name, code);
  }
  if (map.Meets(address, bytes)) {
    BreaksRule("ACL-MEM-004", address);
    Fail(code, "{} bytes from {} ({}) start in host memory and run into memory of the library", bytes,
         address, name);
  }
  if (!IsMapped(Number(address), bytes)) FailUnmapped(address, bytes, name, code);
  return UseOf({}, address);
}

MemoryUse CheckMapped(const MemoryMap& map, const void* address, std::size_t bytes, Use use, const char* name,
                      Code code) {
  const auto found = map.virtual_memory.FindRange(Number(address), bytes, use == Use::kWrite);
  if (!found) {
    BreaksRule(code == kRtSysDma ? "ACL-MEM-002" : "ACL-MEM-015", address);
    Fail(code, "{} bytes from {} ({}) are not all mapped for {}: the start {}", bytes, address, name,
         use == Use::kWrite ? "writing" : "reading", map.Describe(address));
  }
  return UseOf(*found, address);
}

}  // namespace

MemoryUse CheckRange(const void* address, std::size_t bytes, Use use, const char* name, Code code) {
  if (address == nullptr) FailUse(address, bytes, name, code);
  const MemoryMap& map = MemoryMap::Get();
  const MemoryInfo info = map.Find(address);
  if (bytes == 0) return UseOf(info, address);
  switch (info.kind) {
    case MemoryKind::kPageable:
      return CheckPageable(map, address, bytes, name, code);
    case MemoryKind::kMapped:
    case MemoryKind::kReserved:
      return CheckMapped(map, address, bytes, use, name, code);
    case MemoryKind::kRegistered:
      // A copy may well begin in registered memory and go on behind it: then it is an ordinary pageable one.
      if (!info.Holds(Number(address), bytes)) return CheckPageable(map, address, bytes, name, code);
      break;
    case MemoryKind::kDead:
    case MemoryKind::kInherited:
      FailUse(address, bytes, name, code);
    default:
      if (!info.Holds(Number(address), bytes)) FailLeaves(address, bytes, name, info, code);
  }
  return UseOf(info, address);
}

MemoryUse CheckDeviceRange(const void* address, std::size_t bytes, Code code, const char* name, Use use) {
  const MemoryUse found = CheckRange(address, bytes, use, name, code);
  if (!found.on_device()) {
    BreaksRule("ACL-MEM-016", address);
    Fail(code, "{} must be device memory; {} {}", name, address, MemoryMap::Get().Describe(address));
  }
  return found;
}

void* RecheckRange(const void* address, std::size_t bytes, Use use, std::uint64_t serial, const char* name) {
  if (serial == 0) return const_cast<void*>(address);
  const MemoryUse found = CheckRange(address, bytes, use, name, kRtSysDma);
  if (found.serial == serial) return found.kernel;
  BreaksRule("ACL-MEM-002", address);
  Fail(kRtSysDma,
       "{} bytes from {} ({}) were allocation {} when this task was queued; that was freed, and now the "
       "address {}",
       bytes, address, name, serial, MemoryMap::Get().Describe(address));
}

std::size_t ReachOf(const void* address) {
  const MemoryMap& map = MemoryMap::Get();
  if (const std::size_t reach = map.virtual_memory.ReachOf(Number(address))) return reach;
  const MemoryInfo info = map.Find(address);
  return info.alive() ? info.base + info.size - Number(address) : 0;
}

}  // namespace foothold
