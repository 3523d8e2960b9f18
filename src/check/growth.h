// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Objects of one place in the program that only become more (ACL-LEAK-007).
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "base/handle_pool.h"
#include "check/stacks.h"

namespace foothold::check {

// Of one place: how many live, and how many are to be told next.
struct PlaceCount {
  std::uint64_t live = 0;
  std::uint64_t next_report = 1000;
};

// The owner holds a lock around every call.
class PlaceCounts {
 public:
  // Stays where it is.
  PlaceCount& Of(HandleKind kind, const Site& site);

 private:
  struct Recent {
    std::uint64_t key = 0;
    PlaceCount* count = nullptr;
  };
  std::unordered_map<std::uint64_t, PlaceCount> counts_;  // by kind and stack
  std::array<Recent, 64> recent_;
};

// One more lives. Answers how many, if that is to be told.
inline std::uint64_t CountMade(PlaceCount& here) {
  if (++here.live < here.next_report) return 0;
  here.next_report *= 2;
  return here.live;
}
inline void CountGone(PlaceCount& here) {
  if (here.live > 0) --here.live;
}

// Any thread.
void ReportGrowth(HandleKind kind, const Site& site, std::uint64_t live);

}  // namespace foothold::check
