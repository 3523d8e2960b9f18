// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A parallel loop whose pieces need scratch memory of their own: at most `slots` pieces run at a time, and
// each knows the number of its slot. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

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

// For calls that follow each other and read the same: each slot begins with items of its own, the same ones
// every time, so that what its core has in the caches serves again; the last ones first if `backwards`.
template <typename Body>
void ForEachOwnItem(std::size_t items, std::size_t slots, bool backwards, Body&& body) {
  using Taken = std::uint64_t;  // a bit for each item
  if (items > sizeof(Taken) * 8) return ForEachItem(items, slots, body);
  std::atomic<Taken> taken{0};
  ParallelFor(slots, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t slot = begin; slot < end; ++slot)
      for (std::size_t i = 0; i < items; ++i) {
        const std::size_t first = slot * items / slots, last = (slot + 1) * items / slots + items - 1;
        const std::size_t item = (backwards ? last - i : first + i) % items;
        const Taken bit = Taken{1} << item;
        if ((taken.fetch_or(bit, std::memory_order_relaxed) & bit) == 0) body(slot, item);
      }
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
