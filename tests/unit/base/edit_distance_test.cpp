// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/edit_distance.h"

#include <gtest/gtest.h>

namespace foothold {
namespace {

TEST(EditDistance, CountsSingleChanges) {
  EXPECT_EQ(EditDistance("", "", 9), 0u);
  EXPECT_EQ(EditDistance("", "abc", 9), 3u);
  EXPECT_EQ(EditDistance("abc", "", 9), 3u);
  EXPECT_EQ(EditDistance("stream", "stream", 9), 0u);
  EXPECT_EQ(EditDistance("stream", "steam", 9), 1u);
  EXPECT_EQ(EditDistance("stream", "streams", 9), 1u);
  EXPECT_EQ(EditDistance("stream", "strean", 9), 1u);
  EXPECT_EQ(EditDistance("kitten", "sitting", 9), 3u);
}

TEST(EditDistance, CountsASwapOfNeighboursOnce) {
  EXPECT_EQ(EditDistance("context", "contxet", 9), 1u);
  EXPECT_EQ(EditDistance("ab", "ba", 9), 1u);
}

TEST(EditDistance, StopsAtTheLimit) {
  EXPECT_EQ(EditDistance("kitten", "sitting", 3), 3u);
  EXPECT_EQ(EditDistance("kitten", "sitting", 2), 3u);
  EXPECT_EQ(EditDistance("kitten", "sitting", 0), 1u);
  EXPECT_EQ(EditDistance("a", "abcdefgh", 3), 4u);
  EXPECT_EQ(EditDistance("same", "same", 0), 0u);
  EXPECT_EQ(EditDistance("abcdefgh", "badcfehg", 4), 4u);
}

TEST(NearestName, IsTheFirstOfTheNearest) {
  constexpr std::string_view kNames[] = {"stream", "event", "events", "context"};
  EXPECT_EQ(NearestName("contxt", kNames, 2), "context");
  EXPECT_EQ(NearestName("vent", kNames, 2), "event");
  EXPECT_EQ(NearestName("events", kNames, 2), "events");
  EXPECT_EQ(NearestName("eventx", kNames, 2), "event");
}

TEST(NearestName, IsNothingBeyondTheLimit) {
  constexpr std::string_view kNames[] = {"stream", "event"};
  EXPECT_EQ(NearestName("device", kNames, 2), "");
  EXPECT_EQ(NearestName("steams", kNames, 1), "");
  EXPECT_EQ(NearestName("stream", kNames, 0), "stream");
}

}  // namespace
}  // namespace foothold
