// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/byte_set.h"

#include <gtest/gtest.h>

#include <bitset>
#include <random>

namespace foothold::check {
namespace {

TEST(ByteSet, JoinsWhatTouches) {
  ByteSet set;
  set.Add(10, 20);
  set.Add(30, 40);
  EXPECT_EQ(set.FirstGap(10, 40), 20u);
  set.Add(20, 30);
  EXPECT_EQ(set.FirstGap(10, 40), 40u);
  EXPECT_EQ(set.FirstGap(9, 40), 9u);
  set.Remove(15, 35);
  EXPECT_EQ(set.Count(0, 100), 10u);
  EXPECT_FALSE(set.HasAny(15, 35));
  EXPECT_TRUE(set.HasAny(0, 11));
  set.Add(5, 5);
  EXPECT_FALSE(set.HasAny(0, 10)) << "nothing was added";
}

TEST(ByteSet, IsWhatASetOfBitsIs) {
  constexpr std::size_t kSize = 96;
  std::mt19937 random(7);
  ByteSet set;
  std::bitset<kSize> bits;
  for (int step = 0; step < 5000; ++step) {
    const std::size_t a = random() % kSize, b = random() % kSize, begin = std::min(a, b),
                      end = std::max(a, b);
    const bool adds = random() % 2 == 0;
    adds ? set.Add(begin, end) : set.Remove(begin, end);
    for (std::size_t i = begin; i < end; ++i)
      bits[i] = adds;
    std::size_t count = 0, gap = end;
    for (std::size_t i = end; i-- > begin;) {
      count += bits[i];
      if (!bits[i]) gap = i;
    }
    ASSERT_EQ(set.Count(begin, end), count);
    ASSERT_EQ(set.FirstGap(begin, end), gap);
    ASSERT_EQ(set.HasAny(begin, end), count > 0);
    ASSERT_EQ(set.Count(0, kSize), bits.count());
  }
}

}  // namespace
}  // namespace foothold::check
