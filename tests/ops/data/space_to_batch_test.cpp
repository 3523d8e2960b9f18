// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/data/reference.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

TensorValue Moved(const char* type, const TensorValue& x, const Ints& block, const Ints& edges) {
  const char* name = type[0] == 'S' ? "paddings" : "crops";
  return OpRun(type).Late("x", x).In("block_shape", List(block)).In(name, List(edges)).Out("y").Run();
}

TEST(SpaceToBatch, TakesAGridApart) {
  const TensorValue y = Moved("SpaceToBatchND", Floats({1, 2, 2, 1}, {1, 2, 3, 4}), {2, 2}, {0, 0, 0, 0});
  EXPECT_EQ(y.dims(), (Dims{4, 1, 1, 1}));
  ExpectNear(y, {1, 2, 3, 4});
  ExpectNear(Moved("SpaceToBatchND", Floats({1, 3}, {1, 2, 3}), {2}, {1, 0}), {0, 2, 1, 3});
}

TEST(SpaceToBatch, AgreesWithPlainLoops) {
  const Dims dims = {2, 3, 5, 2};
  for (const DataType type : kOneTypePerSize) {
    const TensorValue x = Counted(dims, type);
    const TensorValue y = Moved("SpaceToBatchND", x, {2, 3}, {1, 2, 4, 3});
    ASSERT_EQ(y.dims(), (Dims{12, 3, 4, 2}));
    std::vector<double> expected;
    ForIndices(y.dims(), [&](const Index& i) {
      const std::int64_t part = i[0] / 2;
      const Index from = {i[0] % 2, i[1] * 2 + part / 3 - 1, i[2] * 3 + part % 3 - 4, i[3]};
      const bool inside = from[1] >= 0 && from[1] < 3 && from[2] >= 0 && from[2] < 5;
      expected.push_back(inside ? Numbers(x)[Offset(dims, from)] : 0);
    });
    ExpectNear(y, expected);
    const TensorValue back = Moved("BatchToSpaceND", y, {2, 3}, {1, 2, 4, 3});
    EXPECT_EQ(back.dims(), dims);
    ExpectNear(back, Numbers(x));
  }
}

TEST(SpaceToBatch, TakesAttributesToo) {
  const TensorValue x = Counted({1, 4});
  const TensorValue apart = OpRun("SpaceToBatchNDD")
                                .Late("x", x)
                                .Attr("block_shape", Ints{2})
                                .Attr("paddings", Ints{0, 0})
                                .Out("y")
                                .Run();
  ExpectNear(apart, {0, 2, 1, 3});
  ExpectNear(OpRun("BatchToSpaceNDD")
                 .Late("x", apart)
                 .Attr("block_shape", Ints{2})
                 .Attr("crops", Ints{1, 0})
                 .Out("y")
                 .Run(),
             {1, 2, 3});
}

TEST(SpaceToBatch, RefusesWhatDoesNotDivide) {
  EXPECT_THROW(Moved("SpaceToBatchND", Counted({1, 3}), {2}, {0, 0}), Error);
  EXPECT_THROW(Moved("SpaceToBatchND", Counted({1, 4}), {0}, {0, 0}), Error);
  EXPECT_THROW(Moved("SpaceToBatchND", Counted({1, 4}), {2}, {-1, 1}), Error);
  EXPECT_THROW(Moved("SpaceToBatchND", Counted({1, 4}), {2}, {0}), Error);
  EXPECT_THROW(Moved("SpaceToBatchND", Counted({1, 4}), {2, 2}, {0, 0, 0, 0}), Error);
  EXPECT_THROW(Moved("SpaceToBatchND", Counted({1, 4}), {std::int64_t{1} << 40}, {0, 0}), Error);
  EXPECT_THROW(Moved("BatchToSpaceND", Counted({3, 4}), {2}, {0, 0}), Error);
  EXPECT_THROW(Moved("BatchToSpaceND", Counted({2, 4}), {2}, {5, 4}), Error);
  EXPECT_EQ(Moved("BatchToSpaceND", Counted({2, 4}), {2}, {4, 4}).dims(), (Dims{1, 0}));
}

}  // namespace
}  // namespace foothold
