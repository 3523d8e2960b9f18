// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/edit_distance.h"

#include <gtest/gtest.h>

namespace foothold {
namespace {

TEST(EditDistance, CountsSingleChanges) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("abc", ""), 3u);
  EXPECT_EQ(EditDistance("stream", "stream"), 0u);
  EXPECT_EQ(EditDistance("stream", "steam"), 1u);
  EXPECT_EQ(EditDistance("stream", "streams"), 1u);
  EXPECT_EQ(EditDistance("stream", "strean"), 1u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
}

TEST(EditDistance, CountsASwapOfNeighboursOnce) {
  EXPECT_EQ(EditDistance("context", "contxet"), 1u);
  EXPECT_EQ(EditDistance("ab", "ba"), 1u);
}

}  // namespace
}  // namespace foothold
