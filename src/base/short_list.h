// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A list of plain values that takes no memory from the system while it is short. One thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace foothold {

template <typename T, std::size_t kShort>
class ShortList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  ShortList() = default;
  ShortList(const ShortList& other) { *this = other; }
  ShortList& operator=(const ShortList& other) {
    if (!other.long_.empty() || !long_.empty()) long_ = other.long_;
    if (long_.empty()) std::copy_n(other.data(), other.size_, data());
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
  T* data() { return long_.empty() ? reinterpret_cast<T*>(short_) : long_.data(); }
  const T* data() const { return long_.empty() ? reinterpret_cast<const T*>(short_) : long_.data(); }
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
    if (long_.size() >= size) return;
    std::vector<T> longer(std::max(size, 2 * size_));
    std::copy_n(data(), size_, longer.begin());
    long_ = std::move(longer);
  }

  std::size_t size_ = 0;
  alignas(16) std::byte short_[kShort * sizeof(T)];  // nothing is written there before it is needed
  std::vector<T> long_;                              // all of them, where there is no room
};

}  // namespace foothold
