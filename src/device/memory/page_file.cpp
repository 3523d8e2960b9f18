// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory/page_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <memory>

#include "base/error.h"
#include "device/memory/address_range.h"
#include "device/memory/memory_file.h"

namespace foothold {
namespace {

std::uint64_t RoundUp(std::uint64_t bytes) {
  return (bytes + kHugePage - 1) / kHugePage * kHugePage;
}

struct Unmap {
  std::size_t bytes;
  void operator()(void* at) const { munmap(at, bytes); }
};

}  // namespace

PageFile::~PageFile() {
  if (file_ >= 0) close(file_);
}

void PageFile::Open() {
  file_ = memfd_create("foothold-pages", MFD_CLOEXEC);
  if (file_ < 0)
    Fail(kRtMemoryAllocation, "no file for physical memory can be made: {}", std::strerror(errno));
}

std::uint64_t PageFile::Allocate(std::size_t bytes) {
  const std::uint64_t wanted = RoundUp(bytes);
  for (auto extent = free_.begin(); extent != free_.end(); ++extent) {
    const auto [offset, length] = *extent;
    if (length < wanted) continue;
    if (length > wanted) free_.emplace(offset + wanted, length - wanted);
    free_.erase(offset);
    return offset;
  }
  return Extend(wanted);
}

std::uint64_t PageFile::Extend(std::size_t bytes) {
  if (file_ < 0) Open();
  if (ftruncate(file_, static_cast<off_t>(end_ + bytes)) != 0) {
    Fail(kRtMemoryAllocation, "physical memory cannot grow by {} bytes: {}", bytes, std::strerror(errno));
  }
  const std::uint64_t offset = end_;
  end_ += bytes;
  return offset;
}

void PageFile::Free(std::uint64_t offset, std::size_t bytes) {
  const std::uint64_t length = RoundUp(bytes);
  fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
            static_cast<off_t>(length));
  auto place = free_.emplace(offset, length).first;
  if (const auto next = std::next(place); next != free_.end() && offset + length == next->first) {
    place->second += next->second;
    free_.erase(next);
  }
  if (place != free_.begin()) {
    const auto before = std::prev(place);
    if (before->first + before->second == offset) {
      before->second += place->second;
      free_.erase(place);
    }
  }
}

void PageFile::CopyTo(const MemoryFile& file, std::uint64_t offset, std::size_t bytes) const {
  const auto end = static_cast<off_t>(offset + bytes);
  void* const all = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file_, static_cast<off_t>(offset));
  if (all == MAP_FAILED)
    Fail(kRtMemoryAllocation, "{} bytes of physical memory cannot be read: {}", bytes, std::strerror(errno));
  const std::unique_ptr<void, Unmap> mapped(all, {bytes});
  off_t written = static_cast<off_t>(offset);
  while ((written = lseek(file_, written, SEEK_DATA)) >= 0 && written < end) {
    const off_t hole = std::min(lseek(file_, written, SEEK_HOLE), end);
    const std::uint64_t at = static_cast<std::uint64_t>(written) - offset;
    file.Write(at, static_cast<const char*>(all) + at, static_cast<std::size_t>(hole - written));
    written = hole;
  }
}

void PageFile::Map(std::uintptr_t address, std::uint64_t offset, std::size_t bytes, int protection) const {
  void* const at = reinterpret_cast<void*>(address);
  if (mmap(at, bytes, protection, MAP_SHARED | MAP_FIXED, file_, static_cast<off_t>(offset)) == MAP_FAILED) {
    Fail(kRtMemoryAllocation, "{} bytes of physical memory cannot be mapped at {}: {}", bytes, at,
         std::strerror(errno));
  }
  madvise(at, bytes, MADV_DONTFORK);  // a forked child must not write into its parent's device memory
}

}  // namespace foothold
