// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "device/memory/huge_pages.h"
#include "device/sharing/share_codes.h"

namespace foothold {
namespace {

constexpr int kFixedSize = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

// A file that can shrink under its readers, or is smaller than said, would end them with SIGBUS.
bool HoldsForGood(int descriptor, std::size_t bytes) {
  struct stat known {};
  const int seals = fcntl(descriptor, F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && fstat(descriptor, &known) == 0 &&
         static_cast<std::uint64_t>(known.st_size) >= bytes;
}

}  // namespace

MemoryFile::MemoryFile(std::size_t bytes)
    : descriptor_(memfd_create("foothold-shared", MFD_CLOEXEC | MFD_ALLOW_SEALING)), bytes_(bytes) {
  const bool made = descriptor_ >= 0 && ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0 &&
                    fcntl(descriptor_, F_ADD_SEALS, kFixedSize) == 0;
  if (made) return;
  const int reason = errno;
  if (descriptor_ >= 0) close(descriptor_);
  Fail(kRtMemoryAllocation, "no memory file of {} bytes can be made: {}", bytes, std::strerror(reason));
}

MemoryFile::MemoryFile(int descriptor, std::size_t bytes) : descriptor_(descriptor), bytes_(bytes) {
  if (HoldsForGood(descriptor, bytes)) return;
  if (descriptor >= 0) close(descriptor);
  Fail(kRtIpcError, "the other process sent no memory file of {} bytes whose size is fixed", bytes);
}

MemoryFile::~MemoryFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::uintptr_t MemoryFile::Map(std::uintptr_t address, std::uint64_t offset, std::size_t bytes,
                               int protection) const {
  const std::uintptr_t reserved = address == 0 ? ReserveAlike(offset, bytes) : 0;
  const std::uintptr_t where = address + reserved;  // one of the two, or none
  const int flags = where == 0 ? MAP_SHARED : MAP_SHARED | MAP_FIXED;
  void* const at =
      mmap(reinterpret_cast<void*>(where), bytes, protection, flags, descriptor_, static_cast<off_t>(offset));
  if (at == MAP_FAILED) {
    const int reason = errno;
    if (reserved != 0) munmap(reinterpret_cast<void*>(reserved), bytes);
    Fail(kRtMemoryAllocation, "{} bytes of a memory file cannot be mapped: {}", bytes, std::strerror(reason));
  }
  madvise(at, bytes, MADV_DONTFORK);  // a forked child must not write into its parent's device memory
  madvise(at, bytes, MADV_HUGEPAGE);  // a hint: few systems have huge pages for files in memory
  return reinterpret_cast<std::uintptr_t>(at);
}

void MemoryFile::Write(std::uint64_t offset, const void* from, std::size_t bytes) const {
  const char* at = static_cast<const char*>(from);
  while (bytes > 0) {
    // Past a sanitizer, which would look at the free parts of pages, too: they move with the rest.
    const ssize_t written = syscall(SYS_pwrite64, descriptor_, at, bytes, offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      Fail(kRtMemoryAllocation, "{} bytes cannot be put into a memory file: {}", bytes, std::strerror(errno));
    }
    at += written;
    offset += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
}

}  // namespace foothold
