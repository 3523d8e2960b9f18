// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/even_division.h"

#include <gtest/gtest.h>

#include "base/thread_pool.h"

namespace foothold {
namespace {

class EvenDivisionTest : public testing::Test {
 protected:
  void SetUp() override {
    if (ParallelThreads() != 2) GTEST_SKIP() << "two threads are divided between";
  }
};

TEST_F(EvenDivisionTest, TakesSmallerPartsThatEndSooner) {
  const GridPart part = EvenPart({9, 1}, {3, 1}, 1, 9);
  EXPECT_EQ(part.rows, 2u) << "five and four instead of six and three";
}

TEST_F(EvenDivisionTest, KeepsToItsUnitAndToFewParts) {
  EXPECT_EQ(EvenPart({9, 1}, {3, 1}, 3, 9).rows, 3u);
  EXPECT_EQ(EvenPart({9, 1}, {3, 1}, 1, 3).rows, 3u);
}

TEST_F(EvenDivisionTest, LeavesPartsWhoseSharesAreEven) {
  EXPECT_EQ(EvenPart({8, 1}, {2, 1}, 1, 8).rows, 2u);
}

// Nobody could play through so many parts.
TEST(EvenDivision, LeavesManyParts) {
  const GridPart part = EvenPart({std::size_t{1} << 50, 8}, {192, 8}, 6, std::size_t{1} << 40);
  EXPECT_EQ(part.rows, 192u);
  EXPECT_EQ(part.columns, 8u);
}

}  // namespace
}  // namespace foothold
