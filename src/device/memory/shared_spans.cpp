// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory/shared_spans.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "device/memory/held_writers.h"
#include "device/memory/huge_pages.h"
#include "kernels/copy.h"

namespace foothold {
namespace {

constexpr int kReadWrite = PROT_READ | PROT_WRITE;
// Fresh pages up to here are there at once, as on a device, and huge; of more than that a program may mean to
// use a part.
constexpr std::size_t kMostAtOnce = std::size_t{256} << 20;
#ifdef __SANITIZE_ADDRESS__
constexpr bool kMayRead = false;  // the sanitizer would find that free parts of pages are read
#else
constexpr bool kMayRead = true;
#endif

// Which pages of this process were ever touched; others are zero and need not be copied, which would make
// them cost memory.
class TouchedPages {
 public:
  TouchedPages() : map_(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}
  ~TouchedPages() {
    if (map_ >= 0) close(map_);
  }
  TouchedPages(const TouchedPages&) = delete;
  TouchedPages& operator=(const TouchedPages&) = delete;

  // For each page from `address`, whether it was; where the system does not tell, all were.
  std::vector<bool> Read(std::uintptr_t address, std::size_t pages) const {
    std::vector<std::uint64_t> entries(pages);
    const auto wanted = static_cast<ssize_t>(pages * sizeof(std::uint64_t));
    const auto from = static_cast<off_t>(address / MemoryFile::kPage * sizeof(std::uint64_t));
    if (map_ < 0 || pread(map_, entries.data(), static_cast<std::size_t>(wanted), from) != wanted)
      return std::vector<bool>(pages, true);
    constexpr std::uint64_t kPresentOrSwapped = std::uint64_t{3} << 62;
    std::vector<bool> touched(pages);
    for (std::size_t i = 0; i < pages; ++i)
      touched[i] = (entries[i] & kPresentOrSwapped) != 0;
    return touched;
  }

 private:
  const int map_;
};

// Whole huge pages go through a mapping, where the system gives the file such pages: making so many small
// ones is most of what a move costs.
std::size_t CopyHuge(std::uintptr_t from, std::size_t first, std::size_t last, const MemoryFile& to) {
  const std::uintptr_t at = to.Map(0, first, last - first, kReadWrite);
  const bool huge = MakeHuge(at, last - first);
  if (huge) CopyBytes(reinterpret_cast<void*>(at), reinterpret_cast<const void*>(from + first), last - first);
  munmap(reinterpret_cast<void*>(at), last - first);
  return huge ? last : first;
}

// Bytes from `first` to `last` behind `from` and in the file.
void CopyRun(std::uintptr_t from, std::size_t first, std::size_t last, const MemoryFile& to) {
  const std::size_t begin = (first + kHugePage - 1) / kHugePage * kHugePage;
  const std::size_t end = last / kHugePage * kHugePage;
  const auto write = [&](std::size_t at, std::size_t behind) {
    to.Write(at, reinterpret_cast<const void*>(from + at), behind - at);
  };
  if (begin >= end || !kMayRead) return write(first, last);
  write(first, begin);
  write(CopyHuge(from, begin, end, to), last);
}

void CopyTouched(std::uintptr_t from, std::size_t bytes, const MemoryFile& to) {
  const TouchedPages known;
  constexpr std::size_t kAtOnce = 16384;
  for (std::size_t at = 0; at < bytes;) {
    const std::size_t pages = std::min(kAtOnce, (bytes - at) / MemoryFile::kPage);
    const std::vector<bool> touched = known.Read(from + at, pages);
    for (std::size_t page = 0; page < pages;) {
      const std::size_t first = page;
      while (page < pages && touched[page] == touched[first])
        ++page;
      const std::size_t start = at + first * MemoryFile::kPage;
      if (touched[first]) CopyRun(from, start, start + (page - first) * MemoryFile::kPage, to);
    }
    at += pages * MemoryFile::kPage;
  }
}

}  // namespace

SharedSpans::Piece SharedSpans::Move(std::size_t offset, std::size_t bytes, bool fresh) const {
  const std::uintptr_t address = range_.base() + offset;
  auto file = std::make_shared<const MemoryFile>(bytes);
  if (fresh) {
    file->Map(address, 0, bytes, kReadWrite);
    if (bytes <= kMostAtOnce) MakeHuge(address, bytes);
    return {std::move(file), {}};
  }
  HeldWriters held({{address, bytes, kReadWrite}});
  CopyTouched(address, bytes, *file);
  file->Map(address, 0, bytes, kReadWrite);
  held.Moved();
  return {std::move(file), {}};
}

bool SharedSpans::Unuse(std::size_t offset, std::uintptr_t block, bool others) noexcept {
  const auto piece = pieces_.find(offset);
  piece->second.blocks.erase(block);
  if (!piece->second.blocks.empty()) return false;
  const std::uintptr_t address = range_.base() + offset;
  const std::size_t bytes = piece->second.file->bytes();
  if (others && !MoveBack(address, *piece->second.file)) return false;
  if (!others && !range_.Renew(offset, bytes)) {
    Log(LogLevel::kWarning, "{} freed bytes stay in a memory file that other processes may hold", bytes);
  }
  pieces_.erase(piece);
  return true;
}

// False if they stay where they are, which only costs.
bool SharedSpans::MoveBack(std::uintptr_t address, const MemoryFile& file) noexcept try {
  const std::size_t bytes = file.bytes();
  HeldWriters held({{address, bytes, kReadWrite}});
  void* const own = mmap(nullptr, bytes, kReadWrite, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (own == MAP_FAILED) return false;
  std::memcpy(own, reinterpret_cast<const void*>(address), bytes);
  void* const at = mremap(own, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, reinterpret_cast<void*>(address));
  if (at == MAP_FAILED) {
    munmap(own, bytes);
    file.Map(address, 0, bytes, kReadWrite);  // the system may have taken the old ones away by then
    return false;
  }
  held.Moved();
  return true;
} catch (const Error&) {
  return false;
}

}  // namespace foothold
