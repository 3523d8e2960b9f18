// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pages that exist apart from addresses, so that they can be mapped, unmapped and mapped elsewhere with their
// content: extents of one anonymous file. The owner holds a lock around every call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace foothold {

class MemoryFile;

class PageFile {
 public:
  PageFile() = default;
  ~PageFile();
  PageFile(const PageFile&) = delete;
  PageFile& operator=(const PageFile&) = delete;

  // The offset of `bytes` zero bytes, a multiple of the huge page size. Throws 207001.
  std::uint64_t Allocate(std::size_t bytes);
  void Free(std::uint64_t offset, std::size_t bytes);

  // Copies an extent, but for what was never written, to the start of `file`.
  void CopyTo(const MemoryFile& file, std::uint64_t offset, std::size_t bytes) const;

  // Puts the extent at `address`, replacing what is mapped there, with `protection` as mprotect takes it.
  void Map(std::uintptr_t address, std::uint64_t offset, std::size_t bytes, int protection) const;

 private:
  void Open();
  std::uint64_t Extend(std::size_t bytes);

  int file_ = -1;
  std::uint64_t end_ = 0;
  std::map<std::uint64_t, std::uint64_t> free_;  // offset, bytes; neighbours joined
};

}  // namespace foothold
