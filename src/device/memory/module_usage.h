// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How much memory each module of a program uses, now and at most so far. Modules are numbers the program
// chooses; 0 is the program itself. Any thread, no locks.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace foothold {

struct ModuleUsage {
  std::uint16_t module;
  std::uint64_t current;
  std::uint64_t peak;
};

class ModuleUsages {
 public:
  void Add(std::uint16_t module, std::uint64_t bytes) noexcept;
  void Subtract(std::uint16_t module, std::uint64_t bytes) noexcept;
  // Those that ever used memory.
  std::vector<ModuleUsage> Read() const;

 private:
  struct Slot {
    std::atomic<int> module{-1};
    std::atomic<std::uint64_t> current{0};
    std::atomic<std::uint64_t> peak{0};
  };
  Slot& SlotOf(std::uint16_t module) noexcept;

  static constexpr std::size_t kSlots = 64;  // modules beyond share the last
  Slot slots_[kSlots];
};

}  // namespace foothold
