// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/call.h"

#include <gtest/gtest.h>

#include "calls/view.h"

namespace foothold::aclnn {
namespace {

Extents Of(std::vector<std::int64_t> values) {
  return Extents(values);
}

TEST(View, IsContiguousWhateverDimensionsOfOneSay) {
  EXPECT_TRUE(IsContiguous(Of({2, 1, 3}), Of({3, 77, 1})));
  EXPECT_FALSE(IsContiguous(Of({2, 3}), Of({4, 1})));
  EXPECT_FALSE(IsContiguous(Of({2, 3}), Of({1, 2})));
  EXPECT_TRUE(IsContiguous(Of({0, 3}), Of({5, 9})));
}

TEST(View, SpansFromItsFirstElementToItsLast) {
  EXPECT_EQ(SpanOf(Of({2, 3}), Of({4, 1})), 7);
  EXPECT_EQ(SpanOf(Of({2, 3}), Of({0, 1})), 3);
  EXPECT_EQ(SpanOf(Of({0, 3}), Of({4, 1})), 0);
  EXPECT_EQ(SpanOf(Of({}), Of({})), 1);
}

TEST(View, HasADenseOrderIfItIsATransposedWhole) {
  EXPECT_EQ(DenseOrder(Of({2, 3}), Of({1, 2})), (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(DenseOrder(Of({2, 3}), Of({4, 1})), std::nullopt);
  EXPECT_EQ(DenseOrder(Of({2, 3}), Of({0, 1})), std::nullopt);
}

}  // namespace
}  // namespace foothold::aclnn
