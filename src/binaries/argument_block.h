// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The bytes a launch gives to its kernel, in memory of the launch: copied when it is queued, with pointers to
// data that comes along set to where that data is now. Never changes after that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace foothold {

class ArgumentBlock {
 public:
  ArgumentBlock() = default;
  // `bytes` with any content, to be filled in.
  explicit ArgumentBlock(std::size_t bytes)
      : size_(bytes),
        large_(bytes > kInside ? new (std::align_val_t{kAlignment}) std::byte[bytes] : nullptr) {}
  ArgumentBlock(const ArgumentBlock&) = delete;
  ArgumentBlock& operator=(const ArgumentBlock&) = delete;
  ~ArgumentBlock() {
    if (large_ != nullptr) operator delete[](large_, std::align_val_t{kAlignment});
  }

  std::byte* data() { return large_ != nullptr ? large_ : inside_; }
  const std::byte* data() const { return large_ != nullptr ? large_ : inside_; }
  std::size_t size() const { return size_; }

  // The eight bytes at `slot` become the address of the byte at `offset`.
  void Point(std::size_t slot, std::size_t offset);

  static constexpr std::size_t kAlignment = 64;
  static constexpr std::size_t kMostBytes = std::size_t{1} << 31;  // that a program may ask for at once

 private:
  static constexpr std::size_t kInside = 256;

  const std::size_t size_ = 0;
  std::byte* const large_ = nullptr;
  alignas(kAlignment) std::byte inside_[kInside];
};

}  // namespace foothold
