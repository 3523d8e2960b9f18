// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A lock on the memory of a communicator that the process of a rank holds as long as it lives: the witness of
// its end where there is no root any more to tell of it. Any thread.
#pragma once

#include <cstdint>

#include "collectives/bootstrap/connection.h"
#include "device/memory/memory_file.h"

namespace foothold::collectives {

class LifeLock {
 public:
  LifeLock(const MemoryFile& file, std::uint32_t rank);

  // False where the system has no such locks.
  bool held() const { return held_; }
  // Whether another rank, which said that it holds one, still does.
  bool IsHeldBy(std::uint32_t rank) const noexcept;

 private:
  OwnSocket file_;  // opened anew, so that the lock is this rank's alone; a forked child does not have it
  bool held_ = false;
};

}  // namespace foothold::collectives
