// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/state_callbacks.h"

#include <gtest/gtest.h>

namespace foothold {
namespace {

TEST(NamedCallbacks, TakeEachNameOnce) {
  NamedCallbacks<int> callbacks;
  int sum = 0;
  EXPECT_TRUE(callbacks.Set("a", [&](int value) { sum += value; }));
  EXPECT_FALSE(callbacks.Set("a", [&](int) { sum = -1; }));
  EXPECT_TRUE(callbacks.Set("b", [&](int value) { sum += 10 * value; }));
  callbacks.Call(1);
  EXPECT_EQ(sum, 11);
  EXPECT_TRUE(callbacks.Set("a", nullptr));
  callbacks.Call(1);
  EXPECT_EQ(sum, 21);
  callbacks.Clear();
  callbacks.Call(1);
  EXPECT_EQ(sum, 21);
}

}  // namespace
}  // namespace foothold
