// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pages in an anonymous file of their own, which another process can be given: it has no name and is gone
// when nobody holds or maps it any more. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace foothold {

class MemoryFile {
 public:
  static constexpr std::size_t kPage = 4096;

  // `bytes` zero bytes, never more and never fewer, whoever holds the file. Throws 207001.
  explicit MemoryFile(std::size_t bytes);
  // One that came from another process and is this object's from now on. Throws 507022 if it has fewer than
  // `bytes` bytes or could lose them: reading behind the end of a file ends the reader.
  MemoryFile(int descriptor, std::size_t bytes);
  MemoryFile(MemoryFile&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), bytes_(other.bytes_) {}
  MemoryFile& operator=(MemoryFile&&) = delete;
  ~MemoryFile();

  // At `address`, in place of what is mapped there, or anywhere for 0. `protection` is as mmap takes it.
  // Forked children do not have the mapping. Throws 207001.
  std::uintptr_t Map(std::uintptr_t address, std::uint64_t offset, std::size_t bytes, int protection) const;
  // Copies from memory of this process, which need not be mapped for writing.
  void Write(std::uint64_t offset, const void* from, std::size_t bytes) const;

  int descriptor() const { return descriptor_; }
  std::size_t bytes() const { return bytes_; }

 private:
  int descriptor_;
  std::size_t bytes_;
};

}  // namespace foothold
