// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/lru_map.h"

#include <gtest/gtest.h>

namespace foothold {
namespace {

TEST(LruMap, DropsWhatWasNotUsedForLongest) {
  LruMap<int> map;
  EXPECT_FALSE(map.Put("a", 1, 2));
  EXPECT_FALSE(map.Put("b", 2, 2));
  EXPECT_NE(map.Find("a"), nullptr);
  EXPECT_TRUE(map.Put("c", 3, 2));
  EXPECT_EQ(map.Find("b"), nullptr);
  ASSERT_NE(map.Find("a"), nullptr);
  EXPECT_EQ(*map.Find("a"), 1);
}

TEST(LruMap, ReplacesAValueWithoutDroppingOthers) {
  LruMap<int> map;
  map.Put("a", 1, 2);
  map.Put("b", 2, 2);
  EXPECT_FALSE(map.Put("a", 7, 2));
  EXPECT_EQ(*map.Find("a"), 7);
  EXPECT_EQ(*map.Find("b"), 2);
}

TEST(LruMap, ShrinksToALimit) {
  LruMap<int> map;
  for (const char* key : {"a", "b", "c"})
    map.Put(key, 0, 3);
  EXPECT_FALSE(map.Shrink(3));
  EXPECT_TRUE(map.Shrink(1));
  EXPECT_EQ(map.Find("a"), nullptr);
  EXPECT_NE(map.Find("c"), nullptr);
  map.Clear();
  EXPECT_EQ(map.begin(), map.end());
}

}  // namespace
}  // namespace foothold
