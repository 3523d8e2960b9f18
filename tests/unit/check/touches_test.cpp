// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/touches.h"

#include <gtest/gtest.h>

#include <utility>

namespace foothold::check {
namespace {

void ExpectTouchesFromOneTo(std::size_t count, const Touches& touches) {
  ASSERT_EQ(touches.size(), count);
  std::uintptr_t expected = 0;
  for (const Touch& touch : touches)
    ASSERT_EQ(touch.address, ++expected);
}

TEST(Touches, AreKeptInOrderFewOrMany) {
  Touches touches;
  for (int turn = 0; turn < 2; ++turn) {
    for (std::size_t count = 1; count <= 9; ++count) {
      touches.push_back({.address = count});
      ExpectTouchesFromOneTo(count, touches);
      Touches copy = touches;
      ExpectTouchesFromOneTo(count, copy);
      ExpectTouchesFromOneTo(count, Touches(std::move(copy)));
    }
    touches.clear();
    EXPECT_TRUE(touches.empty());
  }
}

}  // namespace
}  // namespace foothold::check
