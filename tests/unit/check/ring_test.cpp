// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/ring.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "check/touches.h"

namespace foothold::check {
namespace {

TEST(Ring, IsAQueue) {
  Ring<int> ring;
  std::deque<int> queue;
  int next = 0;
  for (int round = 0; round < 3000; ++round) {
    for (int i = 0; i < round % 7; ++i, ++next) {
      ring.push_back(next);
      queue.push_back(next);
    }
    for (int i = 0; i < round % 5 && !queue.empty(); ++i) {
      ring.pop_front();
      queue.pop_front();
    }
    ASSERT_EQ(ring.size(), queue.size());
    auto expected = queue.begin();
    for (const int one : ring)
      ASSERT_EQ(one, *expected++);
  }
  while (!ring.empty())
    ring.pop_front();
  ring.push_back(1);
  EXPECT_EQ(ring.front(), 1);
  EXPECT_EQ(ring.back(), 1);
}

TEST(Ring, LetsGoOfWhatItGivesAway) {
  Ring<std::shared_ptr<int>> ring;
  const auto value = std::make_shared<int>(1);
  ring.push_back(value);
  ring.pop_front();
  EXPECT_EQ(value.use_count(), 1);
}

TEST(Touches, AreKeptInOrderFewOrMany) {
  Touches touches;
  for (int turn = 0; turn < 2; ++turn) {
    for (std::size_t count = 1; count <= 9; ++count) {
      touches.push_back({.address = count});
      ASSERT_EQ(touches.size(), count);
      std::uintptr_t expected = 0;
      for (const Touch& touch : touches)
        ASSERT_EQ(touch.address, ++expected);
    }
    touches.clear();
    EXPECT_TRUE(touches.empty());
  }
}

}  // namespace
}  // namespace foothold::check
