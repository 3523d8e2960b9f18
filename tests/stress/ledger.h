// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What one stream, from its creation to its end, was given to call and what was called. Functions check on
// the spot that they are called once and in order.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>

// Calls that were made in the wrong order or twice, over all ledgers.
inline std::atomic<std::uint64_t> disorder{0};

struct Ledger {
  // Every function gets two numbers: its place among those that hold up the stream, and its place among the
  // callbacks. 0 where it is not one of them.
  struct Item {
    Ledger* ledger;
    std::uint64_t holding;
    std::uint64_t callback;
  };

  // Launching side, one thread.
  std::uint64_t holding_launched = 0;
  std::uint64_t callbacks_launched = 0;
  std::uint64_t launched = 0;
  std::deque<Item> items;

  // Called side.
  std::atomic<std::uint64_t> holding_seen{0};
  std::atomic<std::uint64_t> callbacks_seen{0};
  std::atomic<std::uint64_t> called{0};

  Item* Make(bool holding, bool callback) {
    ++launched;
    items.push_back({this, holding ? ++holding_launched : 0, callback ? ++callbacks_launched : 0});
    return &items.back();
  }

  static void Call(void* data) {
    auto* item = static_cast<Item*>(data);
    Ledger& ledger = *item->ledger;
    Advance(ledger.holding_seen, item->holding);
    Advance(ledger.callbacks_seen, item->callback);
    ledger.called.fetch_add(1);
  }

 private:
  // Later ones only: dropped functions leave gaps, but nothing comes late or twice.
  static void Advance(std::atomic<std::uint64_t>& seen, std::uint64_t number) {
    if (number == 0) return;
    if (seen.exchange(number) >= number) disorder.fetch_add(1);
  }
};
