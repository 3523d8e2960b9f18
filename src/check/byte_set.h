// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A set of addresses, kept as ranges that do not touch. A plain value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>

namespace foothold::check {

class ByteSet {
 public:
  void Add(std::uintptr_t begin, std::uintptr_t end) {
    if (begin >= end || FirstGap(begin, end) == end) return;
    auto at = ranges_.upper_bound(begin);
    if (at != ranges_.begin() && std::prev(at)->second >= begin) --at;
    while (at != ranges_.end() && at->first <= end) {
      begin = std::min(begin, at->first);
      end = std::max(end, at->second);
      at = ranges_.erase(at);
    }
    ranges_.emplace(begin, end);
  }

  void Remove(std::uintptr_t begin, std::uintptr_t end) {
    auto at = ranges_.upper_bound(begin);
    if (at != ranges_.begin() && std::prev(at)->second > begin) --at;
    while (at != ranges_.end() && at->first < end) {
      const auto [first, last] = *at;
      at = ranges_.erase(at);
      if (first < begin) ranges_.emplace(first, begin);
      if (last > end) ranges_.emplace(end, last);
    }
  }

  // The first address from `begin` on that is not in it; `end` if all are.
  std::uintptr_t FirstGap(std::uintptr_t begin, std::uintptr_t end) const {
    const auto at = ranges_.upper_bound(begin);
    if (at == ranges_.begin() || std::prev(at)->second <= begin) return begin;
    return std::min(std::prev(at)->second, end);
  }

  bool HasAny(std::uintptr_t begin, std::uintptr_t end) const {
    if (begin >= end) return false;
    const auto at = ranges_.upper_bound(begin);
    return (at != ranges_.begin() && std::prev(at)->second > begin) ||
           (at != ranges_.end() && at->first < end);
  }

  std::size_t Count(std::uintptr_t begin, std::uintptr_t end) const {
    std::size_t count = 0;
    ForEach(begin, end, [&](std::uintptr_t first, std::uintptr_t last) { count += last - first; });
    return count;
  }

  // The parts of it between two addresses.
  template <typename Visit>
  void ForEach(std::uintptr_t begin, std::uintptr_t end, Visit&& visit) const {
    auto at = ranges_.upper_bound(begin);
    if (at != ranges_.begin()) --at;
    for (; at != ranges_.end() && at->first < end; ++at)
      if (at->second > begin) visit(std::max(at->first, begin), std::min(at->second, end));
  }

 private:
  std::map<std::uintptr_t, std::uintptr_t> ranges_;  // begin, end
};

}  // namespace foothold::check
