// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory that a task or call touches, and lists of it: most are short, and those need no memory of their own.
// Plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/memory_role.h"

namespace foothold::check {

// Partial: perhaps not all of it.
struct Touch {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  std::uint64_t serial = 0;  // of the allocation; 0 for memory of the program
  std::uint64_t life = 0;    // of the block of a pool (pool_blocks.h); 0 for none
  bool write = false, exact = true;
  bool tells = false;    // a value others wait for: it makes order and needs none
  bool to_host = false;  // memory of the host
  MemoryRole role = MemoryRole::kData;

  std::uintptr_t end() const { return address + bytes; }
  bool Holds(const Touch& other) const { return address <= other.address && other.end() <= end(); }
};

class Touches {
 public:
  Touches() = default;
  Touches(const Touches& other) : size_(other.size_), many_(other.many_) { CopyFew(other); }
  Touches(Touches&& other) noexcept : size_(other.size_), many_(std::move(other.many_)) { CopyFew(other); }
  Touches& operator=(const Touches& other) {
    size_ = other.size_;
    many_ = other.many_;
    CopyFew(other);
    return *this;
  }
  Touches& operator=(Touches&& other) noexcept {
    size_ = other.size_;
    many_ = std::move(other.many_);
    CopyFew(other);
    return *this;
  }

  void push_back(const Touch& touch) {
    if (size_ < kFew) {
      ::new (few_ + size_++ * sizeof(Touch)) Touch(touch);
      return;
    }
    if (size_ == kFew) many_.assign(data(), data() + size_);
    many_.push_back(touch);
    ++size_;
  }
  void clear() { size_ = 0; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Touch* data() const { return size_ <= kFew ? Few() : many_.data(); }
  Touch* data() { return size_ <= kFew ? const_cast<Touch*>(Few()) : many_.data(); }
  const Touch* begin() const { return data(); }
  const Touch* end() const { return data() + size_; }
  Touch* begin() { return data(); }
  Touch* end() { return data() + size_; }

 private:
  static constexpr std::size_t kFew = 4;
  static_assert(std::is_trivially_copyable_v<Touch>);

  const Touch* Few() const { return std::launder(reinterpret_cast<const Touch*>(few_)); }
  void CopyFew(const Touches& other) {
    if (size_ <= kFew) std::memcpy(few_, other.few_, size_ * sizeof(Touch));
  }

  std::size_t size_ = 0;
  alignas(Touch) unsigned char few_[kFew * sizeof(Touch)];  // only so many as there are
  std::vector<Touch> many_;                                 // all of them, where they are more than a few
};

}  // namespace foothold::check
