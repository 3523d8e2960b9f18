// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The last blocks that were freed, so that a message about a stale pointer can say what it was. The owner
// holds a lock around every call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "device/memory/memory_info.h"

namespace foothold {

struct FreedBlock {
  MemoryInfo block;
  const char* freed_by = nullptr;
};

class FreedBlocks {
 public:
  void Add(const MemoryInfo& block, const char* freed_by) {
    if (ring_.size() < kKept) {
      ring_.push_back({block, freed_by});
    } else {
      ring_[next_] = {block, freed_by};
    }
    next_ = (next_ + 1) % kKept;
  }

  // The last freed block that held `address`.
  std::optional<FreedBlock> Find(std::uintptr_t address) const {
    for (std::size_t back = 1; back <= ring_.size(); ++back) {
      const FreedBlock& entry = ring_[(next_ + kKept - back) % kKept];
      if (address - entry.block.base < entry.block.size) return entry;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kKept = 1024;
  std::vector<FreedBlock> ring_;
  std::size_t next_ = 0;
};

}  // namespace foothold
