// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators on slices and masked places: RepeatInterleave, AclnnIndexFill, MaskedScatter.
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/data/reference.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

TensorValue Repeated(const TensorValue& x, const Ints& repeats, std::int64_t axis) {
  return OpRun("RepeatInterleave")
      .Late("x", x)
      .In("repeats", List(repeats))
      .Attr("axis", axis)
      .Out("y")
      .Run();
}

TEST(RepeatInterleave, RepeatsEverySliceAsOften) {
  for (const DataType type : kOneTypePerSize)
    for (const std::int64_t axis : {0, 1, -1}) {
      const TensorValue x = Counted({2, 3, 4}, type);
      const TensorValue y = Repeated(x, {3}, axis);
      const auto at = static_cast<std::size_t>(axis < 0 ? 2 : axis);
      Dims dims{2, 3, 4};
      dims[at] *= 3;
      ASSERT_EQ(y.dims(), dims);
      ExpectNear(y, Picked(x, dims, [&](const Index& index) {
                   Index from = index;
                   from[at] /= 3;
                   return from;
                 }));
    }
}

TEST(RepeatInterleave, RepeatsEachAsToldAndFlattens) {
  const TensorValue x = Floats({2, 2}, {1, 2, 3, 4});
  ExpectNear(Repeated(x, {0, 2}, 1), {2, 2, 4, 4});
  ExpectNear(Repeated(x, {2, 1}, 0), {1, 2, 1, 2, 3, 4});
  ExpectNear(Repeated(x, {1, 0, 3, 1}, 1000), {1, 3, 3, 3, 4});
  ExpectNear(Repeated(x, {2}, 1000), {1, 1, 2, 2, 3, 3, 4, 4});
  EXPECT_EQ(Repeated(x, {0}, 0).dims(), (Dims{0, 2}));
  EXPECT_THROW(Repeated(x, {1, 2, 3}, 0), Error);
  EXPECT_THROW(Repeated(x, {-1}, 0), Error);
  EXPECT_THROW(Repeated(x, {1}, 2), Error);
}

TensorValue Filled(const TensorValue& x, const Ints& indices, std::int64_t axis, const TensorValue& value) {
  OpRun run("AclnnIndexFill");
  run.Late("x", x).Late("value", value).Attr("axis", axis).Attr("indices", indices);
  return run.Out("y").Run();
}

TEST(AclnnIndexFill, SetsTheSlicesNamed) {
  for (const DataType type : kOneTypePerSize) {
    const TensorValue x = Counted({2, 4, 3}, type), value = Tensor(type, {}, {99});
    std::vector<double> expected = Numbers(x);
    ForIndices({2, 4, 3}, [&](const Index& i) {
      if (i[1] == 0 || i[1] == 2 || i[1] == 3) expected[Offset({2, 4, 3}, i)] = 99;
    });
    ExpectNear(Filled(x, {3, 0, -2, 0}, 1, value), expected);
    ExpectNear(Filled(x, {}, 1, value), Numbers(x));
  }
  EXPECT_THROW(Filled(Counted({2}), {2}, 0, Floats({}, {1})), Error);
  EXPECT_THROW(Filled(Counted({2}), {0}, 0, Int32s({}, {1})), Error);
  EXPECT_THROW(Filled(Counted({2}), {0}, 1, Floats({}, {1})), Error);
}

TensorValue Scattered(const TensorValue& x, const TensorValue& mask, const TensorValue& updates) {
  return OpRun("MaskedScatter").Late("x", x).Late("mask", mask).Late("updates", updates).Out("y").Run();
}

TEST(MaskedScatter, FillsMaskedPlacesInOrder) {
  for (const DataType type : kOneTypePerSize) {
    const TensorValue x = Tensor(type, {2, 3}, {1, 2, 3, 4, 5, 6}),
                      updates = Tensor(type, {2, 2}, {7, 8, 9, 10});
    ExpectNear(Scattered(x, Tensor(DataType::kBool, {2, 3}, {0, 1, 0, 1, 1, 0}), updates),
               {1, 7, 3, 8, 9, 6});
    ExpectNear(Scattered(x, Tensor(DataType::kBool, {3}, {1, 0, 1}), updates), {7, 2, 8, 9, 5, 10});
  }
}

TEST(MaskedScatter, RefusesTooFewElementsAndOtherShapes) {
  const TensorValue x = Floats({2, 2}, {1, 2, 3, 4}), one = Floats({1}, {9});
  EXPECT_THROW(Scattered(x, Tensor(DataType::kBool, {2, 2}, {1, 0, 0, 1}), one), Error);
  EXPECT_THROW(Scattered(x, Tensor(DataType::kBool, {3}, {1, 0, 0}), one), Error);
  EXPECT_THROW(Scattered(x, Tensor(DataType::kBool, {3, 2, 2}, std::vector<double>(12)), one), Error);
  EXPECT_THROW(Scattered(x, Floats({2, 2}, {1, 0, 0, 0}), one), Error);
  EXPECT_THROW(Scattered(x, Tensor(DataType::kBool, {2, 2}, {1, 0, 0, 0}), Int32s({1}, {9})), Error);
}

}  // namespace
}  // namespace foothold
