// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A parallel loop whose pieces need scratch memory of their own: at most `slots` pieces run at a time, and
// each knows the number of its slot. Any thread.
#pragma once

#include <atomic>
#include <cstddef>

#include "base/thread_pool.h"

namespace foothold {

// Calls body(slot, item) for every item in [0, items), items in order of need; two calls with the same slot
// never overlap. One slot runs on the caller alone.
template <typename Body>
void ForEachItem(std::size_t items, std::size_t slots, Body&& body) {
  std::atomic<std::size_t> next{0};
  ParallelFor(slots, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t slot = begin; slot < end; ++slot)
      for (std::size_t item = next.fetch_add(1, std::memory_order_relaxed); item < items;
           item = next.fetch_add(1, std::memory_order_relaxed))
        body(slot, item);
  });
}

// How many slots are worth having for `items` pieces and `work` multiplications in all.
inline std::size_t SlotsFor(std::size_t items, double work) {
  constexpr double kWorthAThread = 4e5;  // some 20 us
  const auto threads = static_cast<std::size_t>(ParallelThreads());
  const auto worth = static_cast<std::size_t>(1 + work / kWorthAThread);
  const std::size_t slots = threads < items ? threads : items;
  const std::size_t chosen = slots < worth ? slots : worth;
  return chosen > 0 ? chosen : 1;
}

}  // namespace foothold
