// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory/address_range.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/tell.h"

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

AddressRange::AddressRange(std::size_t bytes, std::size_t least, std::uintptr_t preferred, Backing backing) {
  size_ = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  if (preferred != 0 && kMayChoose &&
      Reserve(reinterpret_cast<void*>(preferred), size_, MAP_FIXED_NOREPLACE) != nullptr) {
    base_ = preferred;
  }
  while (base_ == 0 && (base_ = ReserveAligned(size_)) == 0) {
    const int reason = errno;
    if (size_ / 2 < std::max(least, kHugePage)) {
      Fail(kRtMemoryAllocation, "the system grants no range of {} bytes of addresses: {}", size_,
           std::strerror(reason));
    }
    size_ = size_ / 2 / kHugePage * kHugePage;
  }
  if (backing != Backing::kOwn) OpenFile();
  if (backing == Backing::kTwice && file_ >= 0) ReserveSecond();
}

AddressRange::~AddressRange() {
  munmap(reinterpret_cast<void*>(base_), size_);
  if (second_ != 0) munmap(reinterpret_cast<void*>(second_), size_);
  if (file_ >= 0) close(file_);
}

void AddressRange::OpenFile() noexcept {
  file_ = memfd_create("foothold-checked", MFD_CLOEXEC);
  if (file_ >= 0) return;
  constexpr const char* kText =
      "the system has no memory file to give: device memory that host code follows is not opened, pinned "
      "memory is not closed";
  Tell(LogLevel::kWarning, kText);
}

void AddressRange::ReserveSecond() noexcept {
  second_ = ReserveAligned(size_);
  if (second_ == 0)
    Tell(LogLevel::kWarning, "the system grants no second range of addresses: pinned memory is not closed");
}

// So much must be in the file before: reading behind its end would end the process.
bool AddressRange::MapFile(std::uintptr_t base, std::size_t offset, std::size_t bytes) const noexcept {
  void* const at = reinterpret_cast<void*>(base + offset);
  constexpr int kFlags = MAP_SHARED | MAP_NORESERVE | MAP_FIXED;
  if (mmap(at, bytes, PROT_READ | PROT_WRITE, kFlags, file_, static_cast<off_t>(offset)) == MAP_FAILED)
    return false;
  madvise(at, bytes, MADV_DONTFORK);  // a forked child must not write into its parent's memory
  return true;
}

bool AddressRange::CommitFile(std::size_t wanted) noexcept {
  const std::size_t bytes = wanted - committed_;
  if (ftruncate(file_, static_cast<off_t>(wanted)) != 0 || !MapFile(base_, committed_, bytes) ||
      (second_ != 0 && !MapFile(second_, committed_, bytes)))
    return false;
  committed_ = wanted;
  return true;
}

bool AddressRange::Commit(std::size_t bytes) noexcept {
  if (bytes <= committed_) return true;
  const std::size_t wanted = std::min((bytes + kCommitStep - 1) / kCommitStep * kCommitStep, size_);
  void* const from = reinterpret_cast<void*>(base_ + committed_);
  if (file_ >= 0) return bytes <= size_ && CommitFile(wanted);
  if (bytes > size_ || mprotect(from, wanted - committed_, PROT_READ | PROT_WRITE) != 0) return false;
  madvise(from, wanted - committed_, MADV_HUGEPAGE);  // a hint: not all kernels have it
  committed_ = wanted;
  return true;
}

void AddressRange::Discard(std::size_t offset, std::size_t bytes) noexcept {
  const int advice = file_ >= 0 ? MADV_REMOVE : MADV_DONTNEED;
  madvise(reinterpret_cast<void*>(base_ + offset), bytes, advice);
}

bool AddressRange::Renew(std::size_t offset, std::size_t bytes) noexcept {
  void* const at = reinterpret_cast<void*>(base_ + offset);
  if (file_ >= 0) {
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
              static_cast<off_t>(bytes));
    return MapFile(base_, offset, bytes);
  }
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
