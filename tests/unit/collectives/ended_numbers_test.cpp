// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/shared/ended_numbers.h"

#include <gtest/gtest.h>

namespace foothold::collectives {
namespace {

TEST(EndedNumbers, CountThoseThatEndInOrder) {
  EndedNumbers ended;
  EXPECT_EQ(ended.through(), 0u);
  EXPECT_TRUE(ended.Add(0));
  EXPECT_TRUE(ended.Add(1));
  EXPECT_EQ(ended.through(), 2u);
}

TEST(EndedNumbers, WaitForTheOneThatGoesOn) {
  EndedNumbers ended;
  EXPECT_FALSE(ended.Add(2));
  EXPECT_FALSE(ended.Add(1));
  EXPECT_EQ(ended.through(), 0u);
  EXPECT_TRUE(ended.Add(0));
  EXPECT_EQ(ended.through(), 3u);
}

TEST(EndedNumbers, NumbersThatEndAgainChangeNothing) {
  EndedNumbers ended;
  EXPECT_TRUE(ended.Add(0));
  EXPECT_FALSE(ended.Add(0));
  EXPECT_EQ(ended.through(), 1u);
}

TEST(EndedNumbers, StopAtOneThatNeverEnds) {
  EndedNumbers ended;
  for (std::uint64_t number = 1; number < 10000; ++number)
    EXPECT_FALSE(ended.Add(number));
  EXPECT_TRUE(ended.Add(0));
  EXPECT_LT(ended.through(), 100u) << "it remembers no more";
}

}  // namespace
}  // namespace foothold::collectives
