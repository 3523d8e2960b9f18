// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The runs of pages of a heap that other processes can be given: each lives in a memory file of its own, at
// the address it always had. The owner holds a lock around every call but Move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "device/memory/address_range.h"
#include "device/memory/memory_file.h"

namespace foothold {

struct SharedPages {
  std::shared_ptr<const MemoryFile> file;
  std::uint64_t offset;  // of the address in the file
};

class SharedSpans {
 public:
  struct Piece {
    std::shared_ptr<const MemoryFile> file;
    std::set<std::uintptr_t> blocks;  // that were shared and live
  };

  explicit SharedSpans(AddressRange& range) : range_(range) {}

  // Puts pages into a file without their users noticing; `fresh` ones have none, and no content. Throws
  // 207001 and leaves them where they are. Without the owner's lock, as long as nobody frees the pages.
  Piece Move(std::size_t offset, std::size_t bytes, bool fresh) const;

  void Add(std::size_t offset, Piece piece) { pieces_.emplace(offset, std::move(piece)); }
  // One more block in the run at `offset`, which was added, is shared; and one of them, or another, is not
  // any more. True if the run is the process's own again; `others` in it live, so its content is kept.
  void Use(std::size_t offset, std::uintptr_t block) { pieces_.at(offset).blocks.insert(block); }
  bool Unuse(std::size_t offset, std::uintptr_t block, bool others) noexcept;
  std::shared_ptr<const MemoryFile> FileOf(std::size_t offset) const { return pieces_.at(offset).file; }

 private:
  static bool MoveBack(std::uintptr_t address, const MemoryFile& file) noexcept;

  AddressRange& range_;
  std::map<std::size_t, Piece> pieces_;  // by place in the range
};

}  // namespace foothold
