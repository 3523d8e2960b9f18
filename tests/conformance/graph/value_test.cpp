// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <map>
#include <unordered_set>

#include "graph/ascend_string.h"
#include "graph/tensor.h"

namespace {

using ge::AscendString;
using ge::Shape;
using ge::TensorDesc;

TEST(GeAscendString, IsNeverNull) {
  EXPECT_STREQ(AscendString().GetString(), "");
  EXPECT_STREQ(AscendString(nullptr).GetString(), "");
  EXPECT_EQ(AscendString(nullptr).GetLength(), 0U);
}

TEST(GeAscendString, KeepsTheLengthItWasGiven) {
  const AscendString text("a\0b", 3);
  EXPECT_EQ(text.GetLength(), 3U);
  EXPECT_NE(text, AscendString("a"));
  EXPECT_EQ(AscendString("abcdef", 3), AscendString("abc"));
}

TEST(GeAscendString, ComparesLikeText) {
  const AscendString a("abc");
  const AscendString b("abd");
  EXPECT_TRUE(a < b && a <= b && b > a && b >= a && a != b);
  EXPECT_TRUE(a == "abc" && a != "abd");
  EXPECT_EQ(a.Find("bc"), 1U);
  EXPECT_EQ(a.Find("x"), static_cast<size_t>(-1));
}

TEST(GeAscendString, IsAKeyOfMapsAndSets) {
  std::map<AscendString, int> map = {{"two", 2}, {"one", 1}};
  EXPECT_EQ(map["two"], 2);
  const std::unordered_set<AscendString> set = {"one", "one", "two"};
  EXPECT_EQ(set.size(), 2U);
  EXPECT_EQ(AscendString("x").Hash(), AscendString("x").Hash());
}

TEST(GeShape, CountsItsElements) {
  EXPECT_EQ(Shape({2, 3}).GetShapeSize(), 6);
  EXPECT_EQ(Shape().GetShapeSize(), 0);
  EXPECT_EQ(Shape(std::vector<int64_t>{2, -1}).GetShapeSize(), -1);
  EXPECT_EQ(Shape({2, 0}).GetShapeSize(), 0);
  EXPECT_EQ(Shape({INT64_MAX, 2}).GetShapeSize(), 0);
}

TEST(GeShape, HasNoDimensionsWhenTheirNumberIsUnknown) {
  const Shape shape(std::vector<int64_t>{ge::UNKNOWN_DIM_NUM});
  EXPECT_EQ(shape.GetDimNum(), 0U);
  EXPECT_EQ(shape.GetDims(), ge::UNKNOWN_RANK);
  EXPECT_EQ(shape.GetShapeSize(), -1);
}

TEST(GeShape, RefusesDimensionsItDoesNotHave) {
  Shape shape({2, 3});
  EXPECT_EQ(shape.SetDim(1, 5), ge::GRAPH_SUCCESS);
  EXPECT_EQ(shape.GetDim(1), 5);
  EXPECT_EQ(shape.SetDim(2, 5), ge::GRAPH_FAILED);
  EXPECT_EQ(shape.GetDim(2), 0);
  EXPECT_EQ(Shape().SetDim(0, 1), ge::GRAPH_FAILED);
}

TEST(GeShape, CopiesAreValues) {
  Shape first({2, 3});
  const Shape second = first;
  EXPECT_EQ(first.SetDim(0, 7), ge::GRAPH_SUCCESS);
  EXPECT_EQ(second.GetDim(0), 2);
}

TEST(GeTensorDesc, StartsAsFloatWithoutALayout) {
  const TensorDesc desc;
  EXPECT_EQ(desc.GetDataType(), ge::DT_FLOAT);
  EXPECT_EQ(desc.GetFormat(), ge::FORMAT_ND);
  EXPECT_EQ(desc.GetShape().GetDimNum(), 0U);
  EXPECT_EQ(desc.GetSize(), 0);
}

TEST(GeTensorDesc, CopiesAreValues) {
  TensorDesc first(Shape({1, 2}), ge::FORMAT_NCHW, ge::DT_INT32);
  TensorDesc second = first;
  first.SetDataType(ge::DT_BOOL);
  first.SetName("first");
  EXPECT_EQ(second.GetDataType(), ge::DT_INT32);
  EXPECT_EQ(second.GetName(), "");
  second = first;
  EXPECT_EQ(second.GetName(), "first");
}

TEST(GeTensorDesc, CanBeUsedAfterItWasMovedFrom) {
  TensorDesc first(Shape({1, 2}), ge::FORMAT_NCHW, ge::DT_INT32);
  const TensorDesc second(std::move(first));
  EXPECT_EQ(second.GetDataType(), ge::DT_INT32);
  EXPECT_EQ(first.GetDataType(), ge::DT_FLOAT);
  first.SetDataType(ge::DT_BOOL);
  EXPECT_EQ(first.GetDataType(), ge::DT_BOOL);
}

TEST(GeTensorDesc, TakesTheOriginFromTheShapeUntilItIsSet) {
  TensorDesc desc(Shape({1, 2}), ge::FORMAT_NHWC);
  EXPECT_EQ(desc.GetOriginShape().GetDims(), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(desc.GetOriginFormat(), ge::FORMAT_NHWC);
  desc.SetOriginShape(Shape({2, 1}));
  desc.SetOriginFormat(ge::FORMAT_NCHW);
  desc.SetShape(Shape({5}));
  EXPECT_EQ(desc.GetOriginShape().GetDims(), (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(desc.GetOriginFormat(), ge::FORMAT_NCHW);
}

TEST(GeTensorDesc, KeepsRangesRulesAndNumbers) {
  TensorDesc desc;
  EXPECT_EQ(desc.SetUnknownDimNumShape(), ge::GRAPH_SUCCESS);
  EXPECT_EQ(desc.GetShape().GetDims(), ge::UNKNOWN_RANK);
  EXPECT_EQ(desc.SetShapeRange({{1, 8}, {2, -1}}), ge::GRAPH_SUCCESS);
  std::vector<std::pair<int64_t, int64_t>> range;
  EXPECT_EQ(desc.GetShapeRange(range), ge::GRAPH_SUCCESS);
  EXPECT_EQ(range, (std::vector<std::pair<int64_t, int64_t>>{{1, 8}, {2, -1}}));
  desc.SetExpandDimsRule("1100");
  AscendString rule;
  EXPECT_EQ(desc.GetExpandDimsRule(rule), ge::GRAPH_SUCCESS);
  EXPECT_EQ(rule, "1100");
  desc.SetSize(12);
  desc.SetRealDimCnt(3);
  desc.SetPlacement(ge::kPlacementDevice);
  EXPECT_EQ(desc.GetSize(), 12);
  EXPECT_EQ(desc.GetRealDimCnt(), 3);
  EXPECT_EQ(desc.GetPlacement(), ge::kPlacementDevice);
}

TEST(GeTensorDesc, OwnsItsConstant) {
  TensorDesc desc;
  uint8_t* bytes = nullptr;
  size_t size = 0;
  EXPECT_FALSE(desc.GetConstData(&bytes, size));
  desc.SetConstData(std::unique_ptr<uint8_t[]>(new uint8_t[2]{4, 5}), 2);
  const TensorDesc copy = desc;
  ASSERT_TRUE(desc.GetConstData(&bytes, size));
  EXPECT_EQ(size, 2U);
  bytes[0] = 9;
  ASSERT_TRUE(copy.GetConstData(&bytes, size));
  EXPECT_EQ(bytes[0], 4);
}

}  // namespace
