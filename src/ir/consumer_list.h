// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where a value goes to. A list that has its first element within itself: most values have one consumer. One
// thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace foothold {

class Node;

// Where a value goes to.
struct InputRef {
  Node* node = nullptr;
  int port = 0;
  bool operator==(const InputRef&) const = default;
};

class ConsumerList {
 public:
  ConsumerList() = default;
  ConsumerList(ConsumerList&& other) noexcept
      : one_(other.one_),
        many_(std::move(other.many_)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 1)) {}
  ConsumerList& operator=(ConsumerList&& other) noexcept {
    one_ = other.one_;
    many_ = std::move(other.many_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 1);
    return *this;
  }

  InputRef* begin() { return many_ ? many_.get() : &one_; }
  InputRef* end() { return begin() + size_; }
  const InputRef* begin() const { return many_ ? many_.get() : &one_; }
  const InputRef* end() const { return begin() + size_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  InputRef& operator[](std::size_t index) { return begin()[index]; }
  const InputRef& operator[](std::size_t index) const { return begin()[index]; }
  const InputRef& front() const { return *begin(); }
  const InputRef& back() const { return end()[-1]; }

  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    auto more = std::make_unique<InputRef[]>(capacity);
    std::copy(begin(), end(), more.get());
    many_ = std::move(more);
    capacity_ = static_cast<std::uint32_t>(capacity);
  }
  void push_back(const InputRef& consumer) {
    const InputRef added = consumer;  // which may be one of these
    if (size_ == capacity_) reserve(2 * std::size_t{capacity_});
    begin()[size_++] = added;
  }
  void pop_back() { --size_; }
  void erase(std::size_t index) {
    std::copy(begin() + index + 1, end(), begin() + index);
    --size_;
  }
  void clear() { size_ = 0; }

 private:
  InputRef one_;
  std::unique_ptr<InputRef[]> many_;  // all of them, if there was ever more than one
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 1;
};

}  // namespace foothold
