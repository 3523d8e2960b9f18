// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Reverse, running totals, triangles, one-hot, ranges.
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/data/reference.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using Int = std::int64_t;

TEST(Reverse, TurnsAxesRound) {
  for (const DataType type : kOneTypePerSize) {
    const TensorValue x = Counted({2, 3, 4}, type);
    const TensorValue y = OpRun("ReverseV2").Late("x", x).In("axis", List({0, -1})).Out("y").Run();
    ExpectNear(y, Picked(x, x.dims(), [](const Index& i) { return Index{1 - i[0], i[1], 3 - i[2]}; }));
    ExpectNear(OpRun("ReverseV2D").Late("x", x).Attr("axis", Ints{0, 2}).Out("y").Run(), Numbers(y));
  }
  EXPECT_EQ(OpRun("ReverseV2D").In("x", Counted({0})).Attr("axis", Ints{0}).Out("y").Run().dims(), Dims{0});
  EXPECT_THROW(OpRun("ReverseV2D").In("x", Counted({2})).Attr("axis", Ints{1}).Out("y").Run(), Error);
}

TensorValue Cumsum(DataType type, Int axis, bool exclusive, bool reverse) {
  return OpRun("Cumsum")
      .Late("x", Tensor(type, {2, 3}, {1, 2, 3, 4, 5, 6}))
      .In("axis", List({axis}))
      .Attr("exclusive", exclusive)
      .Attr("reverse", reverse)
      .Out("y")
      .Run();
}

TEST(Cumsum, AddsUpAlongAnAxis) {
  for (const DataType type : {DataType::kFloat, DataType::kDouble, DataType::kFloat16, DataType::kBfloat16,
                              DataType::kInt8, DataType::kInt64, DataType::kUint32}) {
    ExpectNear(Cumsum(type, 1, false, false), {1, 3, 6, 4, 9, 15});
    ExpectNear(Cumsum(type, -1, true, false), {0, 1, 3, 0, 4, 9});
    ExpectNear(Cumsum(type, 1, false, true), {6, 5, 3, 15, 11, 6});
    ExpectNear(Cumsum(type, 1, true, true), {5, 3, 0, 11, 6, 0});
    ExpectNear(Cumsum(type, 0, false, false), {1, 2, 3, 5, 7, 9});
  }
  EXPECT_THROW(Cumsum(DataType::kFloat, 2, false, false), Error);
  EXPECT_THROW(Cumsum(DataType::kBool, 0, false, false), Error);
  ExpectNear(OpRun("CumsumD").Late("x", Floats({3}, {1, 2, 3})).Attr("axis", Int{0}).Out("y").Run(),
             {1, 3, 6});
  ExpectNear(OpRun("CumprodD").Late("x", Floats({4}, {1, 2, 3, 4})).Attr("axis", Int{0}).Out("y").Run(),
             {1, 2, 6, 24});
  ExpectNear(OpRun("Cumprod")
                 .Late("x", Int32s({3}, {2, 3, 4}))
                 .In("axis", List({0}))
                 .Attr("exclusive", true)
                 .Out("y")
                 .Run(),
             {1, 2, 6});
}

TEST(Cumsum, StaysExactOverManyElements) {
  constexpr Int kMany = 100000;
  const auto y = OpRun("CumsumD")
                     .Late("x", Floats({kMany}, std::vector<double>(kMany, 0.1)))
                     .Attr("axis", Int{0})
                     .Out("y")
                     .Run();
  EXPECT_NEAR(Numbers(y).back(), static_cast<double>(0.1f) * kMany, 1e-3);
}

TEST(Triangle, KeepsOneSideOfADiagonal) {
  for (const DataType type : kOneTypePerSize) {
    for (const Int diagonal : {Int{0}, Int{1}, Int{-1}, Int{-2}, Int{9}, Int{-9}, INT64_MAX, INT64_MIN}) {
      const TensorValue x = Counted({2, 3, 4}, type);
      std::vector<double> lower = Numbers(x), upper = lower;
      ForIndices(x.dims(), [&](const Index& index) {
        const Int column = index[2] - index[1];
        if (column > diagonal) lower[Offset(x.dims(), index)] = 0;
        if (column < diagonal) upper[Offset(x.dims(), index)] = 0;
      });
      ExpectNear(OpRun("Tril").Late("x", x).Attr("diagonal", diagonal).Out("y").Run(), lower);
      ExpectNear(OpRun("Triu").Late("x", x).Attr("diagonal", diagonal).Out("y").Run(), upper);
    }
  }
  EXPECT_THROW(OpRun("Tril").In("x", Counted({3})).Out("y").Run(), Error);
}

TensorValue OneHot(const TensorValue& x, Int depth, Int axis) {
  return OpRun("OneHot")
      .Late("x", x)
      .In("depth", List({depth}))
      .Late("on_value", Floats({}, {5}))
      .Late("off_value", Floats({1}, {1}))
      .Attr("axis", axis)
      .Out("y")
      .Run();
}

TEST(OneHot, SwitchesOneElementOn) {
  const TensorValue last = OneHot(Int32s({3}, {0, 2, 1}), 3, -1);
  EXPECT_EQ(last.dims(), (Dims{3, 3}));
  ExpectNear(last, {5, 1, 1, 1, 1, 5, 1, 5, 1});
  ExpectNear(OneHot(Int32s({3}, {0, 2, 2}), 3, 0), {5, 1, 1, 1, 1, 1, 1, 5, 5});
  ExpectNear(OneHot(Int32s({1, 2}, {1, 0}), 2, 1), {1, 5, 5, 1});
  ExpectNear(OneHot(List({-1, 3}), 3, -1), std::vector<double>(6, 1));
  ExpectNear(OneHot(Int32s({}, {1}), 2, -1), {1, 5});
  EXPECT_EQ(OneHot(Int32s({2}, {0, 0}), 0, -1).dims(), (Dims{2, 0}));
  EXPECT_THROW(OneHot(Int32s({2}, {0, 0}), -1, -1), Error);
  EXPECT_THROW(OneHot(Floats({2}, {0, 0}), 2, -1), Error);
  EXPECT_THROW(OneHot(Int32s({2}, {0, 0}), 2, 2), Error);
  ExpectNear(OpRun("OneHotD")
                 .Late("x", Int32s({2}, {1, 0}))
                 .Late("on_value", Int32s({}, {1}))
                 .Late("off_value", Int32s({}, {0}))
                 .Attr("depth", Int{2})
                 .Out("y")
                 .Run(),
             {0, 1, 1, 0});
}

TensorValue Range(DataType type, double start, double limit, double delta) {
  return OpRun("Range")
      .In("start", Tensor(type, {}, {start}))
      .In("limit", Tensor(type, {1}, {limit}))
      .In("delta", Tensor(type, {}, {delta}))
      .Out("y")
      .Run();
}

TEST(Range, CountsUpAndDown) {
  for (const DataType type :
       {DataType::kFloat, DataType::kDouble, DataType::kInt32, DataType::kInt64, DataType::kFloat16}) {
    ExpectNear(Range(type, 1, 7, 2), {1, 3, 5});
    ExpectNear(Range(type, 5, 0, -2), {5, 3, 1});
    EXPECT_EQ(Range(type, 5, 0, 1).dims(), Dims{0});
    EXPECT_THROW(Range(type, 0, 5, 0), Error);
  }
  ExpectNear(Range(DataType::kFloat, 0, 1, 0.25), {0, 0.25, 0.5, 0.75});
  EXPECT_THROW(Range(DataType::kDouble, 0, 1e30, 1), Error);
  ExpectNear(OpRun("RangeD")
                 .In("x", Floats({3}, {0, 1, 2}))
                 .Attr("start", 1.0f)
                 .Attr("limit", 2.5f)
                 .Attr("delta", 0.5f)
                 .Out("y")
                 .Run(),
             {1, 1.5, 2});
  OpRun late("Range");
  late.In("start", Floats({}, {0})).Late("limit", Floats({}, {3})).In("delta", Floats({}, {1})).Out("y");
  EXPECT_THROW(late.Run(), std::exception);
}

}  // namespace
}  // namespace foothold
