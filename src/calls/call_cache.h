// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Values by the calls they serve, at most so many: the one not used for longest goes first (LRU). Finding
// makes no key and takes the lock of a part only, so calls on many threads do not wait for each other. What a
// call is, the user says: `HashOf(call)`, and `AppendKey(sink, call)` for the bytes that equal calls share.
// Any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/key_bytes.h"

namespace foothold {

// When a value was used last. One clock for all; it stands still while the same one is used again and again.
class LastUse {
 public:
  void Touch() const {
    if (time_.load(std::memory_order_relaxed) != now_.load(std::memory_order_relaxed))
      time_.store(now_.fetch_add(1, std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  std::uint64_t time() const { return time_.load(std::memory_order_relaxed); }

 private:
  static inline std::atomic<std::uint64_t> now_{1};  // no value was used at 0
  mutable std::atomic<std::uint64_t> time_{0};
};

// `Value` has a member `LastUse used`, or another that can do the same.
template <typename Value, typename Call>
class CallCache {
 public:
  using Pointer = std::shared_ptr<Value>;

  // Used now; null if there is none.
  Pointer Find(const Call& call) {
    const std::uint64_t hash = HashOf(call);
    Part& part = PartOf(hash);
    std::lock_guard<std::mutex> lock(part.mutex);
    const auto [first, last] = part.entries.equal_range(hash);
    for (auto entry = first; entry != last; ++entry) {
      if (!IsFor(entry->second, call)) continue;
      entry->second.value->used.Touch();
      return entry->second.value;
    }
    return nullptr;
  }

  // Replaces what is there. Answers what had to go.
  std::vector<Pointer> Put(const Call& call, Pointer value, std::size_t limit) {
    value->used.Touch();
    const std::uint64_t hash = HashOf(call);
    Entry fresh{{}, std::move(value)};
    AppendKey(fresh.key, call);
    Part& part = PartOf(hash);
    std::unique_lock<std::mutex> lock(part.mutex);
    const auto [first, last] = part.entries.equal_range(hash);
    for (auto entry = first; entry != last; ++entry) {
      if (entry->second.key != fresh.key) continue;
      std::swap(entry->second.value, fresh.value);
      return {};
    }
    part.entries.emplace(hash, std::move(fresh));
    lock.unlock();
    count_.fetch_add(1);
    return Shrink(limit);
  }

  // Where there are many, some more than the limit asks for go at once: to find the oldest means to look at
  // all.
  std::vector<Pointer> Shrink(std::size_t limit) {
    std::vector<Pointer> gone;
    std::lock_guard<std::mutex> lock(shrinking_);
    while (count_.load() > limit)
      if (!DropOldest(limit - limit / kShare, gone)) break;
    return gone;
  }

  template <typename See>
  void ForEach(const See& see) {
    for (Part& part : parts_) {
      std::lock_guard<std::mutex> lock(part.mutex);
      for (const auto& [hash, entry] : part.entries)
        see(entry.value);
    }
  }
  // Those that are `wanted(value)`, the latest first.
  template <typename Wanted>
  std::vector<Pointer> LatestFirst(const Wanted& wanted) {
    std::vector<std::pair<std::uint64_t, Pointer>> timed;  // times of now: calls on other threads change them
    ForEach([&](const Pointer& value) {
      if (wanted(*value)) timed.emplace_back(value->used.time(), value);
    });
    std::sort(timed.begin(), timed.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<Pointer> values;
    for (auto& [time, value] : timed)
      values.push_back(std::move(value));
    return values;
  }
  template <typename Goes>
  void RemoveIf(const Goes& goes) {
    for (Part& part : parts_) {
      std::lock_guard<std::mutex> lock(part.mutex);
      count_.fetch_sub(std::erase_if(part.entries, [&](const auto& one) { return goes(*one.second.value); }));
    }
  }
  void Clear() {
    RemoveIf([](const Value&) { return true; });
  }

  // Forgets all without ending any: in a forked child, a thread of the parent may have left one half changed.
  void Abandon() {
    for (Part& part : parts_) {
      new std::unordered_multimap<std::uint64_t, Entry>(std::move(part.entries));
      part.entries.clear();
    }
    count_.store(0);
  }

  // So that a child gets it whole.
  void LockForFork() {
    shrinking_.lock();
    for (Part& part : parts_)
      part.mutex.lock();
  }
  void UnlockAfterFork() {
    for (Part& part : parts_)
      part.mutex.unlock();
    shrinking_.unlock();
  }

 private:
  static constexpr std::size_t kParts = 4;
  static constexpr std::size_t kShare = 16;
  struct Entry {
    std::string key;
    Pointer value;
  };
  struct alignas(64) Part {
    std::mutex mutex;
    std::unordered_multimap<std::uint64_t, Entry> entries;  // by hash
  };

  // Those not used for longest, until so many are left. What is used meanwhile stays. False if none went.
  bool DropOldest(std::size_t left, std::vector<Pointer>& gone) {
    std::vector<std::uint64_t> times;
    ForEach([&](const Pointer& value) { times.push_back(value->used.time()); });
    if (times.size() <= left) return false;
    const std::size_t count = times.size() - left, before = gone.size();
    gone.reserve(before + count);
    const auto last = times.begin() + static_cast<std::ptrdiff_t>(count - 1);
    std::nth_element(times.begin(), last, times.end());
    for (Part& part : parts_) {
      std::lock_guard<std::mutex> lock(part.mutex);
      count_.fetch_sub(std::erase_if(part.entries, [&](auto& one) {
        if (gone.size() == before + count || one.second.value->used.time() > *last) return false;
        gone.push_back(std::move(one.second.value));
        return true;
      }));
    }
    return gone.size() > before;
  }

  static bool IsFor(const Entry& entry, const Call& call) {
    KeyComparison comparison(entry.key);
    AppendKey(comparison, call);
    return comparison.same();
  }
  Part& PartOf(std::uint64_t hash) { return parts_[hash % kParts]; }

  std::mutex shrinking_;  // one at a time, or two would drop two where one is too many; before those of parts
  Part parts_[kParts];
  std::atomic<std::size_t> count_{0};
};

}  // namespace foothold
