// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How large blocks really are: the room a request takes, and the sizes small blocks come in. Class 0 stands
// for blocks with pages of their own; the others are at most a quarter larger than asked for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace foothold {

constexpr std::size_t kLargestClass = 32768;

// A request of `size` bytes is rounded up to 32, followed by 32 bytes that may be read, and starts at a
// multiple of 64.
constexpr std::size_t FootprintOf(std::size_t size) {
  return ((size + 31) / 32 * 32 + 32 + 63) / 64 * 64;
}

namespace size_class_detail {

// 64, 128, … 512 and then four steps for every doubling.
constexpr auto MakeSizes() {
  std::array<std::uint16_t, 33> sizes{};
  std::size_t bytes = 0;
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    bytes += i <= 8 ? 64 : std::size_t{128} << ((i - 9) / 4);
    sizes[i] = static_cast<std::uint16_t>(bytes);
  }
  return sizes;
}
constexpr auto kSizes = MakeSizes();
static_assert(kSizes.back() == kLargestClass);

constexpr auto MakeClasses() {
  std::array<std::uint8_t, kLargestClass / 64 + 1> classes{};
  std::uint8_t at = 1;
  for (std::size_t i = 1; i < classes.size(); ++i) {
    if (kSizes[at] < i * 64) ++at;
    classes[i] = at;
  }
  return classes;
}
constexpr auto kClassBySize = MakeClasses();

}  // namespace size_class_detail

constexpr std::size_t kSizeClasses = size_class_detail::kSizes.size();

constexpr std::size_t ClassOf(std::size_t footprint) {
  return footprint > kLargestClass ? 0 : size_class_detail::kClassBySize[footprint / 64];
}

constexpr std::size_t BytesOfClass(std::size_t size_class) {
  return size_class_detail::kSizes[size_class];
}

// Small blocks share one page of the page heap, larger ones four.
constexpr std::size_t SlabBytesOfClass(std::size_t size_class) {
  return std::size_t{64 << 10} * (BytesOfClass(size_class) <= 4096 ? 1 : 4);
}

constexpr std::uint32_t BlocksOfClass(std::size_t size_class) {
  return size_class == 0
             ? 1
             : static_cast<std::uint32_t>(SlabBytesOfClass(size_class) / BytesOfClass(size_class));
}

}  // namespace foothold
