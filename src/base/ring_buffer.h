// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A first-in first-out queue in one growing array: no allocation in the steady state. Not thread-safe.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace foothold {

template <typename T>
class RingBuffer {
 public:
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }

  const T& front() const { return slots_[first_]; }

  // Makes room, so that so many more can be pushed without allocation.
  void Reserve(std::size_t more) {
    while (slots_.size() - count_ < more)
      Grow();
  }

  // The same; false if there is no memory.
  bool TryReserve(std::size_t more) noexcept {
    if (slots_.size() - count_ >= more) return true;
    try {
      Reserve(more);
      return true;
    } catch (...) {
      return false;
    }
  }

  void Push(T value) {
    Reserve(1);
    slots_[(first_ + count_) & (slots_.size() - 1)] = std::move(value);
    ++count_;
  }

  T Pop() {
    T value = std::move(slots_[first_]);
    first_ = (first_ + 1) & (slots_.size() - 1);
    --count_;
    return value;
  }

  template <typename Matches>
  bool AnyOf(Matches&& matches) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (matches(slots_[(first_ + i) & (slots_.size() - 1)])) return true;
    }
    return false;
  }

  // Removes every element for which `matches` is true, keeping the order of the others; hands each to
  // `removed`.
  template <typename Matches, typename Removed>
  void RemoveIf(Matches&& matches, Removed&& removed) {
    for (std::size_t left = count_; left > 0; --left) {
      T value = Pop();
      if (matches(value)) {
        removed(value);
      } else {
        Push(std::move(value));
      }
    }
  }

 private:
  void Grow() {
    std::vector<T> larger(slots_.empty() ? 16 : slots_.size() * 2);
    for (std::size_t i = 0; i < count_; ++i)
      larger[i] = std::move(slots_[(first_ + i) & (slots_.size() - 1)]);
    slots_.swap(larger);
    first_ = 0;
  }

  std::vector<T> slots_;  // a power of two, or empty
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

}  // namespace foothold
