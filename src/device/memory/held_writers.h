// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Keeps everybody from writing to some pages while they are copied and put elsewhere, so that no store is
// lost: the pages are protected, and a thread that writes to one waits in a handler of SIGSEGV until the move
// is over, then writes where the page is then. Readers go on. Kernels need not know, and nobody has to stop.
// The handler is set at the first move and passes all other faults on to the one before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace foothold {

struct HeldPages {
  std::uintptr_t address;  // of whole pages
  std::size_t bytes;
  int protection;  // they have now
};

class HeldWriters {
 public:
  // One move at a time: waits for another one. Throws 207001 when the system refuses.
  explicit HeldWriters(std::vector<HeldPages> pages);
  // What was mapped meanwhile is left alone, and what was not can be written again.
  ~HeldWriters();
  HeldWriters(const HeldWriters&) = delete;
  HeldWriters& operator=(const HeldWriters&) = delete;

  // The pages at all addresses are others by now: nothing is to be undone.
  void Moved() { moved_ = true; }

 private:
  void Release() noexcept;

  const std::vector<HeldPages> pages_;
  std::unique_lock<std::mutex> turn_;
  bool moved_ = false;
};

}  // namespace foothold
