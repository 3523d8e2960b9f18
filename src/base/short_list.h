// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A list of plain values that takes no memory from the system while it is short. One thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace foothold {

template <typename T, std::size_t kShort>
class ShortList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  ShortList() = default;
  ShortList(const ShortList& other) { *this = other; }
  ShortList& operator=(const ShortList& other) {
    long_ = other.long_;
    std::copy_n(other.short_, other.long_.empty() ? other.size_ : 0, short_);
    size_ = other.size_;
    return *this;
  }

  void push_back(const T& value) {
    if (size_ >= kShort) Lengthen(size_ + 1);
    data()[size_++] = value;
  }
  // New elements are T{}.
  void resize(std::size_t size) {
    if (size > kShort) Lengthen(size);
    if (size > size_) std::fill(data() + size_, data() + size, T{});
    size_ = size;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return long_.empty() ? short_ : long_.data(); }
  const T* data() const { return long_.empty() ? short_ : long_.data(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  operator std::span<const T>() const { return {data(), size_}; }

 private:
  // Once long, it stays so.
  void Lengthen(std::size_t size) {
    const bool was_short = long_.empty();
    if (long_.size() < size) long_.resize(std::max(size, 2 * size_));
    if (was_short) std::copy_n(short_, size_, long_.begin());
  }

  std::size_t size_ = 0;
  alignas(16) T short_[kShort];
  std::vector<T> long_;  // all of them, where there is no room
};

}  // namespace foothold
