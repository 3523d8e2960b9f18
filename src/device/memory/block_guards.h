// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What lies around the blocks of a heap while a program is checked: bytes that are looked at now and then,
// and, where guards of a page or more are asked for, pages that nobody can write. Blocks with pages of their
// own begin at a page, as they do without guards. Addresses are those that code follows. A plain value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "device/memory/size_class.h"

namespace foothold {

class BlockGuards {
 public:
  // `own_pages`: no two blocks share a page.
  BlockGuards(std::size_t guard, bool own_pages) noexcept : guard_(guard), own_pages_(own_pages) {}

  bool any() const { return guard_ != 0; }
  bool has_pages() const { return guard_ >= kPage; }
  // Bytes in front of a block, and those it takes with all that is around it.
  std::size_t FrontOf(std::size_t size) const noexcept { return any() ? Front(size) : 0; }
  std::size_t RoomFor(std::size_t size) const noexcept {
    return any() || own_pages_ ? Room(size) : FootprintOf(size);
  }

  void Close(std::uintptr_t block, std::size_t size) const noexcept {
    if (any()) Paint(block, size);
  }
  // All of it can be written again.
  void Open(std::uintptr_t block, std::size_t size) const noexcept;

  struct Damage {
    std::ptrdiff_t first;  // from the start of the block
    std::size_t count;
  };
  std::optional<Damage> Look(std::uintptr_t block, std::size_t size) const noexcept;

 private:
  static constexpr std::size_t kPage = 4096;

  std::size_t Front(std::size_t size) const noexcept;
  std::size_t Room(std::size_t size) const noexcept;
  std::size_t BehindOf(std::size_t size) const noexcept;
  void Paint(std::uintptr_t block, std::size_t size) const noexcept;
  void Protect(std::uintptr_t block, std::size_t size, int protection) const noexcept;

  std::size_t guard_;
  bool own_pages_;
};

}  // namespace foothold
