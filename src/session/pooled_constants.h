// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The constants of one graph in blocks of the program's pool, where the graph is compiled for several shapes:
// a weight that several of these programs use stands there once. Any thread.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "launch/prepared_program.h"
#include "session/memory_pool.h"

namespace foothold {

class PooledConstants {
 public:
  using Places = PreparedProgram::PlacedConstants;
  // Asks the pool for one block for all that is not there yet. Throws what the pool throws.
  Places Place(const Program& program, MemoryPool& pool);

 private:
  struct Copy {
    std::weak_ptr<std::byte[]> original;  // an address alone may be another constant's by now
    std::weak_ptr<std::byte[]> block;
    const std::byte* address;
  };
  using Key = std::pair<const std::byte*, std::size_t>;

  // Fills in what is there; the others are null. With the lock.
  std::size_t FindKnown(const Program& program, Places& places);
  void CopyMissing(const Program& program, const SharedBytes& block, Places& places);

  std::mutex mutex_;  // guards copies_
  std::map<Key, Copy> copies_;
};

}  // namespace foothold
