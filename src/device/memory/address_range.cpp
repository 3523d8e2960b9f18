// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory/address_range.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace foothold {
namespace {

constexpr std::size_t kCommitStep = std::size_t{64} << 20;

#ifdef __SANITIZE_THREAD__
constexpr bool kMayChoose = false;  // the sanitizer ends programs that map where it keeps its own
#else
constexpr bool kMayChoose = true;
#endif

void* Reserve(void* where, std::size_t bytes, int flags) {
  void* const at = mmap(where, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  return at == MAP_FAILED ? nullptr : at;
}

// Reserves a little more than asked for and gives back what lies outside the aligned part.
std::uintptr_t ReserveAligned(std::size_t bytes) {
  void* const at = Reserve(nullptr, bytes + kHugePage, 0);
  if (at == nullptr) return 0;
  const auto start = reinterpret_cast<std::uintptr_t>(at);
  const std::uintptr_t aligned = (start + kHugePage - 1) / kHugePage * kHugePage;
  if (aligned > start) munmap(at, aligned - start);
  const std::size_t behind = start + kHugePage - aligned;
  if (behind > 0) munmap(reinterpret_cast<void*>(aligned + bytes), behind);
  return aligned;
}

}  // namespace

AddressRange::AddressRange(std::size_t bytes, std::size_t least, std::uintptr_t preferred) {
  size_ = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  if (preferred != 0 && kMayChoose &&
      Reserve(reinterpret_cast<void*>(preferred), size_, MAP_FIXED_NOREPLACE) != nullptr) {
    base_ = preferred;
    return;
  }
  while ((base_ = ReserveAligned(size_)) == 0) {
    const int reason = errno;
    if (size_ / 2 < std::max(least, kHugePage)) {
      Fail(kRtMemoryAllocation, "the system grants no range of {} bytes of addresses: {}", size_,
           std::strerror(reason));
    }
    size_ = size_ / 2 / kHugePage * kHugePage;
  }
}

AddressRange::~AddressRange() {
  munmap(reinterpret_cast<void*>(base_), size_);
}

bool AddressRange::Commit(std::size_t bytes) noexcept {
  if (bytes <= committed_) return true;
  const std::size_t wanted = std::min((bytes + kCommitStep - 1) / kCommitStep * kCommitStep, size_);
  void* const from = reinterpret_cast<void*>(base_ + committed_);
  if (bytes > size_ || mprotect(from, wanted - committed_, PROT_READ | PROT_WRITE) != 0) return false;
  madvise(from, wanted - committed_, MADV_HUGEPAGE);  // a hint: not all kernels have it
  committed_ = wanted;
  return true;
}

void AddressRange::Discard(std::size_t offset, std::size_t bytes) noexcept {
  madvise(reinterpret_cast<void*>(base_ + offset), bytes, MADV_DONTNEED);
}

bool AddressRange::Renew(std::size_t offset, std::size_t bytes) noexcept {
  void* const at = reinterpret_cast<void*>(base_ + offset);
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (mmap(at, bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0) == MAP_FAILED) return false;
  madvise(at, bytes, MADV_HUGEPAGE);
  return true;
}

std::size_t ReservationFor(std::uint64_t capacity) {
  constexpr std::uint64_t kUsual = std::uint64_t{64} << 30;
#ifdef __SANITIZE_THREAD__
  return std::max(kUsual, capacity);  // the sanitizer needs a multiple of this for itself
#else
  return std::max(kUsual, 4 * capacity);
#endif
}

}  // namespace foothold
