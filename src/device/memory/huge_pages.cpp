// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory/huge_pages.h"

#include <sys/mman.h>

#include "device/memory/address_range.h"
#include "device/memory/memory_file.h"

namespace foothold {
namespace {

// Not all headers have them.
constexpr int kPopulateWrite = 23;
constexpr int kCollapse = 25;

std::uintptr_t RoundDown(std::uintptr_t value) {
  return value / kHugePage * kHugePage;
}

}  // namespace

// What is wholly untouched is not put together, so each gets one small page first. All in one call: each one
// waits for every core.
bool MakeHuge(std::uintptr_t address, std::size_t bytes) noexcept {
  const std::uintptr_t first = RoundDown(address + kHugePage - 1), last = RoundDown(address + bytes);
  if (first >= last) return false;
  for (std::uintptr_t at = first; at < last; at += kHugePage)
    if (madvise(reinterpret_cast<void*>(at), MemoryFile::kPage, kPopulateWrite) != 0) return false;
  return madvise(reinterpret_cast<void*>(first), last - first, kCollapse) == 0;
}

std::uintptr_t ReserveAlike(std::uint64_t offset, std::size_t bytes) noexcept {
  const std::size_t whole = (bytes + MemoryFile::kPage - 1) / MemoryFile::kPage * MemoryFile::kPage;
  const std::size_t room = whole + 2 * kHugePage;
  void* const all = mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return 0;
  const auto start = reinterpret_cast<std::uintptr_t>(all);
  const std::uintptr_t at = RoundDown(start + kHugePage - 1) + offset % kHugePage;
  if (at > start) munmap(all, at - start);
  if (start + room > at + whole) munmap(reinterpret_cast<void*>(at + whole), start + room - at - whole);
  return at;
}

}  // namespace foothold
