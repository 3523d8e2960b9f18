// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Something for each name, in two pieces of memory: what is done with all names of a large graph waits for
// memory, and a table with a piece for each waits several times. The bytes of names belong to somebody else
// and outlive this. One thread at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace foothold {

template <typename T>
class NameMap {
 public:
  // So many names are expected.
  void Reserve(std::size_t count) {
    entries_.reserve(count);
    if (2 * count > slots_.size()) Resize(std::bit_ceil(2 * count));
  }

  // Null: no such name. Until the next insertion.
  T* Find(std::string_view name) {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[PlaceOf(name, HashOf(name))];
    return slot.entry == 0 ? nullptr : &entries_[slot.entry - 1].value;
  }
  const T* Find(std::string_view name) const { return const_cast<NameMap*>(this)->Find(name); }

  // What the name has, and whether it is new: another value than this stays. Until the next insertion.
  std::pair<T*, bool> Insert(std::string_view name, T value) {
    if (2 * (entries_.size() + 1) > slots_.size()) Resize(slots_.empty() ? 16 : 2 * slots_.size());
    const std::uint32_t hash = HashOf(name);
    Slot& slot = slots_[PlaceOf(name, hash)];
    if (slot.entry != 0) return {&entries_[slot.entry - 1].value, false};
    entries_.push_back({name, std::move(value)});
    slot = {hash, static_cast<std::uint32_t>(entries_.size())};
    return {&entries_.back().value, true};
  }
  // Gives the name that was inserted last to other bytes that say the same.
  void KeepLast(std::string_view name) { entries_.back().name = name; }

  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string_view name;
    T value;
  };
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t entry = 0;  // counted from 1; 0: free
  };

  static std::uint32_t HashOf(std::string_view name) {
    return static_cast<std::uint32_t>(std::hash<std::string_view>()(name));
  }

  // Of the name, or of the free slot it would go to.
  std::size_t PlaceOf(std::string_view name, std::uint32_t hash) const {
    std::size_t place = hash & (slots_.size() - 1);
    while (slots_[place].entry != 0 &&
           (slots_[place].hash != hash || entries_[slots_[place].entry - 1].name != name))
      place = (place + 1) & (slots_.size() - 1);
    return place;
  }

  void Resize(std::size_t count) {
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(count));
    for (const Slot& slot : before) {
      if (slot.entry == 0) continue;
      std::size_t place = slot.hash & (count - 1);
      while (slots_[place].entry != 0)
        place = (place + 1) & (count - 1);
      slots_[place] = slot;
    }
  }

  std::vector<Entry> entries_;  // in the order of insertion
  std::vector<Slot> slots_;
};

}  // namespace foothold
