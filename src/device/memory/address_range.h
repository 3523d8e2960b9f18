// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A range of addresses of its own, reserved once and filled with pages from the bottom up. Everything that
// lives in it can be told from all other memory by its address alone. Used by the heaps, which hold a lock
// around every call.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

class AddressRange {
 public:
  enum class Backing {
    kOwn,    // pages of this process alone
    kFile,   // those of a file, which can be put to other addresses as well
    kTwice,  // and they are at a second range of addresses too
  };

  // Reserves `bytes`, or the largest half, quarter, … of it that the system grants; the start is a multiple
  // of kHugePage, at `preferred` if that is free. Throws 207001 when not even `least` bytes are to be had.
  // Where the system has no file to give, the pages are this process's own, which is told.
  AddressRange(std::size_t bytes, std::size_t least, std::uintptr_t preferred = 0,
               Backing backing = Backing::kOwn);
  ~AddressRange();
  AddressRange(const AddressRange&) = delete;
  AddressRange& operator=(const AddressRange&) = delete;

  std::uintptr_t base() const { return base_; }
  std::size_t size() const { return size_; }
  std::size_t committed() const { return committed_; }
  bool Contains(std::uintptr_t address) const { return address - base_ < size_; }

  // Makes the first `bytes` usable; false when the system refuses.
  bool Commit(std::size_t bytes) noexcept;
  // Gives the pages of a committed piece back. It stays usable, with its content lost.
  void Discard(std::size_t offset, std::size_t bytes) noexcept;
  // Fresh pages of this process alone in a committed piece, whatever is mapped there; false when the system
  // refuses.
  bool Renew(std::size_t offset, std::size_t bytes) noexcept;

  // Where the same pages are as well; 0 for nowhere.
  std::uintptr_t second() const { return second_; }

 private:
  void OpenFile() noexcept;
  void ReserveSecond() noexcept;
  bool MapFile(std::uintptr_t base, std::size_t offset, std::size_t bytes) const noexcept;
  bool CommitFile(std::size_t wanted) noexcept;

  std::uintptr_t base_ = 0;
  std::uintptr_t second_ = 0;
  std::size_t size_ = 0;
  std::size_t committed_ = 0;
  int file_ = -1;
};

// How much to reserve for a heap that may hold `capacity` bytes: plenty, as addresses are free and let large
// blocks find room between small ones.
std::size_t ReservationFor(std::uint64_t capacity);

}  // namespace foothold
