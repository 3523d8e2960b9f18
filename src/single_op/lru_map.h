// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Values by key, at most so many: the one not used for longest goes first (LRU). The owner locks.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace foothold {

template <typename Value>
class LruMap {
 public:
  // Null if there is none; else the value was used now.
  Value* Find(std::string_view key) {
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &found->second->second;
  }

  // Replaces what is there. True if others had to go.
  bool Put(std::string key, Value value, std::size_t limit) {
    if (Value* there = Find(key)) {
      *there = std::move(value);
      return false;
    }
    entries_.emplace_front(std::move(key), std::move(value));
    places_.emplace(entries_.front().first, entries_.begin());
    return Shrink(limit);
  }

  bool Shrink(std::size_t limit) {
    const bool shrinks = entries_.size() > limit;
    while (entries_.size() > limit) {
      places_.erase(entries_.back().first);
      entries_.pop_back();
    }
    return shrinks;
  }

  void Clear() {
    places_.clear();
    entries_.clear();
  }

  // The latest first.
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  using Entries = std::list<std::pair<const std::string, Value>>;
  Entries entries_;
  std::unordered_map<std::string_view, typename Entries::iterator> places_;  // keys stand in the entries
};

}  // namespace foothold
