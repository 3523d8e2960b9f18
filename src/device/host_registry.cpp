// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/host_registry.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <mutex>
#include <vector>

#include "base/broken_rule.h"
#include "base/error.h"
#include "check/check.h"
#include "check/history.h"
#include "device/memory_map.h"
#include "device/observer.h"

namespace foothold {
namespace {

constexpr std::size_t kPage = 4096;

// Asks the system page by page, a piece at a time, whether the range is mapped at all.
bool IsThere(std::uintptr_t address, std::size_t bytes) {
  constexpr std::size_t kPiece = std::size_t{64} << 20;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> answer(kPiece / page + 1);
  const std::uintptr_t start = address / page * page;
  for (std::uintptr_t at = start; at < address + bytes; at += kPiece) {
    const std::size_t piece = std::min(kPiece, address + bytes - at);
    if (mincore(reinterpret_cast<void*>(at), piece, answer.data()) != 0 && errno == ENOMEM) return false;
  }
  return true;
}

}  // namespace

void HostRegistry::Register(void* address, std::size_t bytes, bool mapped, const char* api) {
  const auto start = reinterpret_cast<std::uintptr_t>(address);
  if (address == nullptr) Fail(kRtParamInvalid, "the memory to register must not be null");
  if (start % kPage != 0) {
    BreaksRule("ACL-MEM-012", address);
    Fail(kRtParamInvalid, "{} is not a multiple of {}", address, kPage);
  }
  if (bytes == 0 || start + bytes < start) Fail(kRtParamInvalid, "{} bytes cannot be registered", bytes);
  if (map_.Find(address).kind == MemoryKind::kPinned) {
    Fail(kHostMemoryAlreadyRegistered, "{} needs no registration: it {}", address, map_.Describe(address));
  }
  if (map_.Meets(address, bytes)) {
    Fail(kRtParamInvalid, "{} bytes from {} are not all memory of the program: the start {}", bytes, address,
         map_.Describe(address));
  }
  if (!IsThere(start, bytes)) Fail(kRtParamInvalid, "{} bytes from {} are not all mapped", bytes, address);
  std::lock_guard<std::shared_mutex> lock(mutex_);
  const auto next = entries_.lower_bound(start + bytes);
  if (next != entries_.begin()) {
    const auto& [other, entry] = *std::prev(next);
    if (other + entry.bytes > start) {
      Fail(kHostMemoryAlreadyRegistered,
           "{} bytes from {} meet the {} bytes at {:#x} that are registered already", bytes, address,
           entry.bytes, other);
    }
  }
  const std::uint64_t serial = NextAllocationSerial();
  entries_.emplace(start, Entry{bytes, mapped, serial, api});
  if (check::On()) check::BlockMade(serial, start, bytes, check::BlockKind::kRegistered, -1);
  count_.store(entries_.size(), std::memory_order_release);
}

void HostRegistry::Unregister(void* address) {
  if (address == nullptr) Fail(kRtParamInvalid, "the memory to unregister must not be null");
  if (auto* const observer = Observer()) observer->OnMemoryFreed(address);
  std::lock_guard<std::shared_mutex> lock(mutex_);
  const auto found = entries_.find(reinterpret_cast<std::uintptr_t>(address));
  if (found == entries_.end()) Fail(kHostMemoryNotRegistered, "no registered range starts at {}", address);
  if (check::On()) check::BlockGone(found->second.serial);
  entries_.erase(found);
  count_.store(entries_.size(), std::memory_order_release);
}

void* HostRegistry::DevicePointer(void* address) const {
  if (address == nullptr) Fail(kRtParamInvalid, "the host pointer must not be null");
  if (map_.Find(address).kind == MemoryKind::kPinned) return address;
  std::shared_lock<std::shared_mutex> lock(mutex_);
  const auto entry = EntryAt(reinterpret_cast<std::uintptr_t>(address));
  if (entry == entries_.end())
    Fail(kHostMemoryNotRegistered, "{} does not lie in registered memory", address);
  if (!entry->second.mapped) {
    Fail(kHostMemoryNotRegistered, "{} was registered without ACL_HOST_REG_MAPPED, so no device can use it",
         address);
  }
  return address;
}

HostRegistry::Entries::const_iterator HostRegistry::EntryAt(std::uintptr_t address) const {
  auto entry = entries_.upper_bound(address);
  if (entry == entries_.begin()) return entries_.end();
  --entry;
  return address - entry->first < entry->second.bytes ? entry : entries_.end();
}

std::optional<MemoryInfo> HostRegistry::Find(std::uintptr_t address) const {
  if (count_.load(std::memory_order_acquire) == 0) return std::nullopt;
  std::shared_lock<std::shared_mutex> lock(mutex_);
  const auto entry = EntryAt(address);
  if (entry == entries_.end()) return std::nullopt;
  return MemoryInfo{MemoryKind::kRegistered, -1, entry->first, entry->second.bytes, entry->second.serial,
                    entry->second.api};
}

}  // namespace foothold
