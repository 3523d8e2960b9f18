// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/tensor_desc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace foothold {
namespace {

TensorDesc Make(const std::vector<std::int64_t>& dims) {
  return TensorDesc(DataType::kFloat, Format::kNd, Shape(static_cast<int>(dims.size()), dims.data()));
}

TEST(TensorDesc, OwnsACopyOfItsConstant) {
  TensorDesc desc = Make({2});
  char data[] = "abc";
  desc.SetConstant(data, 3);
  data[0] = 'X';
  EXPECT_THAT(desc.constant(), testing::ElementsAre(std::byte{'a'}, std::byte{'b'}, std::byte{'c'}));
  desc.SetConstant(data, 1);
  EXPECT_THAT(desc.constant(), testing::ElementsAre(std::byte{'X'}));
}

TEST(TensorDesc, ForgetsRangesThatNoLongerFitItsShape) {
  TensorDesc desc = Make({-1, -1});
  desc.SetShapeRanges({{1, 5}, {2, 6}});
  const std::int64_t same_rank[] = {-1, 7};
  desc.SetShape(Shape(2, same_rank));
  EXPECT_EQ(desc.ShapeRange(1), Range(2, 6));
  const std::int64_t other_rank[] = {-1, 7, 8};
  desc.SetShape(Shape(3, other_rank));
  EXPECT_TRUE(desc.shape_ranges().empty());
  EXPECT_EQ(desc.ShapeRange(1), Range(7, 7));
}

TEST(TensorDesc, KeepsItsRangesWhenNewOnesAreRefused) {
  TensorDesc desc = Make({-1});
  desc.SetShapeRanges({{1, 5}});
  EXPECT_THROW(desc.SetShapeRanges({{6, 5}}), Error);
  EXPECT_THROW(desc.SetShapeRanges({{1, 2}, {1, 2}}), Error);
  EXPECT_THAT(desc.shape_ranges(), testing::ElementsAre(Range(1, 5)));
}

TEST(Shape, CountsElementsOnlyWhenAllAreKnown) {
  EXPECT_EQ(Make({}).shape().elements(), 1u);
  EXPECT_EQ(Make({3, 4}).shape().elements(), 12u);
  EXPECT_EQ(Make({3, -1}).shape().elements(), std::nullopt);
  EXPECT_EQ(Make({-2}).shape().elements(), std::nullopt);
  EXPECT_THROW(Make({INT64_MAX, 3}).shape().elements(), Error);
}

}  // namespace
}  // namespace foothold
