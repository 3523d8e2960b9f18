// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/cache_size.h"

namespace foothold {
namespace {

// Repeats itself after a prime number of bytes, so that no copy of whole pages or lines from elsewhere passes
// for it.
std::vector<std::uint8_t> Noise(std::size_t count) {
  constexpr std::size_t kPeriod = 65521;
  std::vector<std::uint8_t> bytes(count);
  std::uint32_t state = 12345;
  for (std::size_t i = 0; i < std::min(count, kPeriod); ++i)
    bytes[i] = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  for (std::size_t done = kPeriod; done < count; done *= 2)
    std::memcpy(bytes.data() + done, bytes.data(), std::min(done, count - done));
  return bytes;
}

// Sizes on both sides of every change of method.
std::vector<std::size_t> Sizes() {
  const std::size_t stream = SharedCacheBytes() / 2;
  return {
      0, 1, 63, 64, 4095, (4u << 20) - 1, (4u << 20), (4u << 20) + 257, stream - 1, stream, stream + 12345};
}

TEST(CopyBytes, CopiesEverySizeAndTouchesNothingElse) {
  const std::size_t largest = Sizes().back();
  const auto source = Noise(largest + 64);
  std::vector<std::uint8_t> target(largest + 128);
  for (const std::size_t count : Sizes()) {
    for (const std::size_t shift : {0, 1, 31}) {
      std::memset(target.data(), 0xEE, target.size());
      std::uint8_t* const to = target.data() + 32 + shift;
      CopyBytes(to, source.data() + 3, count);
      ASSERT_EQ(std::memcmp(to, source.data() + 3, count), 0) << count << " bytes, shift " << shift;
      ASSERT_EQ(to[-1], 0xEE);
      ASSERT_EQ(to[count], 0xEE) << count << " bytes, shift " << shift;
    }
  }
}

TEST(CopyBytes, MovesOverlappingRangesEitherWay) {
  const std::size_t count = std::size_t{6} << 20;
  const auto original = Noise(count + 4096);
  auto forward = original;
  CopyBytes(forward.data() + 1000, forward.data(), count);
  EXPECT_EQ(std::memcmp(forward.data() + 1000, original.data(), count), 0);
  auto backward = original;
  CopyBytes(backward.data(), backward.data() + 1000, count);
  EXPECT_EQ(std::memcmp(backward.data(), original.data() + 1000, count), 0);
}

void CheckRows(std::size_t width, std::size_t height, std::size_t dst_pitch, std::size_t src_pitch) {
  const auto source = Noise(src_pitch * height);
  std::vector<std::uint8_t> target(dst_pitch * height, 0xEE);
  CopyRows(target.data(), dst_pitch, source.data(), src_pitch, {width, height});
  for (std::size_t row = 0; row < height; ++row) {
    const std::uint8_t* const to = target.data() + row * dst_pitch;
    ASSERT_EQ(std::memcmp(to, source.data() + row * src_pitch, width), 0) << row;
    for (std::size_t i = width; i < dst_pitch; ++i)
      ASSERT_EQ(to[i], 0xEE) << row << ", " << i;
  }
}

TEST(CopyRows, KeepsWhatLiesBetweenTheRows) {
  CheckRows(10, 7, 16, 24);
  CheckRows(16, 7, 16, 16);
  CheckRows(1000, 5000, 1001, 1024);
  CheckRows((4u << 20) + 5, 2, (4u << 20) + 64, (4u << 20) + 128);
}

}  // namespace
}  // namespace foothold
