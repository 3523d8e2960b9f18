// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/fill.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "kernels/cache_size.h"

namespace foothold {
namespace {

// Whether `count` bytes repeat what the first `period` of them are.
bool Repeats(const std::uint8_t* bytes, std::size_t count, std::size_t period) {
  return count <= period || std::memcmp(bytes, bytes + period, count - period) == 0;
}

bool AllAre(const std::uint8_t* bytes, std::size_t count, std::uint8_t value) {
  return count == 0 || (bytes[0] == value && Repeats(bytes, count, 1));
}

TEST(FillBytes, FillsEverySizeAndTouchesNothingElse) {
  const std::size_t stream = SharedCacheBytes() / 2;
  std::vector<std::uint8_t> target(stream + 4096);
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{4} << 20, stream + 77}) {
    for (const std::size_t shift : {1, 33, 64}) {
      std::memset(target.data(), 0, target.size());
      FillBytes(target.data() + shift, 0xA5, count);
      const std::size_t end = shift + count;
      ASSERT_TRUE(AllAre(target.data(), shift, 0)) << count << " from " << shift;
      ASSERT_TRUE(AllAre(target.data() + shift, count, 0xA5)) << count << " from " << shift;
      ASSERT_TRUE(AllAre(target.data() + end, target.size() - end, 0)) << count << " from " << shift;
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
      ASSERT_TRUE(count == 0 || std::memcmp(target.data() + shift, &value, sizeof value) == 0);
      ASSERT_TRUE(Repeats(target.data() + shift, count * sizeof value, sizeof value))
          << count << " from " << shift;
      ASSERT_EQ(target[shift + count * 4], 0xEE);
      if (shift > 0) {
        ASSERT_EQ(target[shift - 1], 0xEE);
      }
    }
  }
}

}  // namespace
}  // namespace foothold
