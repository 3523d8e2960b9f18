// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A number of values that is known once, without memory from elsewhere while they are few. One thread at a
// time.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace foothold::collectives {

template <typename T, std::size_t kFew>
class Few {
 public:
  explicit Few(std::size_t size) : size_(size), many_(size > kFew ? size : 0) {}

  std::size_t size() const { return size_; }
  T* begin() { return many_.empty() ? few_.data() : many_.data(); }
  T* end() { return begin() + size_; }
  const T* begin() const { return many_.empty() ? few_.data() : many_.data(); }
  const T* end() const { return begin() + size_; }
  T& operator[](std::size_t at) { return begin()[at]; }
  const T& operator[](std::size_t at) const { return begin()[at]; }

 private:
  const std::size_t size_;
  std::array<T, kFew> few_{};
  std::vector<T> many_;
};

}  // namespace foothold::collectives
