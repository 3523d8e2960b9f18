// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/fill.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "kernels/cache_size.h"

namespace foothold {
namespace {

TEST(FillBytes, FillsEverySizeAndTouchesNothingElse) {
  const std::size_t stream = SharedCacheBytes() / 2;
  std::vector<std::uint8_t> target(stream + 4096);
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{4} << 20, stream + 77}) {
    for (const std::size_t shift : {1, 33, 64}) {
      std::fill(target.begin(), target.end(), std::uint8_t{0});
      FillBytes(target.data() + shift, 0xA5, count);
      for (std::size_t i = 0; i < target.size(); ++i) {
        ASSERT_EQ(target[i], i >= shift && i < shift + count ? 0xA5 : 0)
            << i << " of " << count << " from " << shift;
      }
    }
  }
}

TEST(FillWords, FillsAtAnyAlignment) {
  const std::uint32_t value = 0x01020304;
  const std::size_t stream = SharedCacheBytes() / 8 + 5;
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, std::size_t{17}, std::size_t{1000}, stream}) {
    for (const std::size_t shift : {0, 1, 2, 3, 62}) {
      std::vector<std::uint8_t> target(count * 4 + 128, 0xEE);
      FillWords(target.data() + shift, value, count);
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(std::memcmp(target.data() + shift + i * 4, &value, 4), 0) << i << " from " << shift;
      }
      ASSERT_EQ(target[shift + count * 4], 0xEE);
      if (shift > 0) {
        ASSERT_EQ(target[shift - 1], 0xEE);
      }
    }
  }
}

}  // namespace
}  // namespace foothold
