// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Numbers that end in about the order they have: up to which all have. One thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace foothold::collectives {

class EndedNumbers {
 public:
  // True if `through` tells of it from now on; false where one before it goes on.
  bool Add(std::uint64_t number) noexcept {
    if (number != through_) {
      Remember(number);
      return false;
    }
    ++through_;
    while (TakeEarly(through_))
      ++through_;
    return true;
  }
  // All below it have ended.
  std::uint64_t through() const noexcept { return through_; }

 private:
  static constexpr std::size_t kMostEarly = 64;

  // What there is no room for stops the count, for good: nothing worse comes of that than no count.
  void Remember(std::uint64_t number) noexcept {
    if (number > through_ && early_count_ < kMostEarly) early_[early_count_++] = number;
  }
  bool TakeEarly(std::uint64_t number) noexcept {
    for (std::size_t i = 0; i < early_count_; ++i) {
      if (early_[i] != number) continue;
      early_[i] = early_[--early_count_];
      return true;
    }
    return false;
  }

  std::uint64_t through_ = 0;
  std::array<std::uint64_t, kMostEarly> early_{};
  std::size_t early_count_ = 0;
};

}  // namespace foothold::collectives
