// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Masks, and operators whose results are as large as the data say.
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/data/reference.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

TensorValue Mask(const Dims& dims, const std::vector<double>& values) {
  return Tensor(DataType::kBool, dims, values);
}

TEST(MaskedSelect, GivesWhatIsUnderTheMask) {
  const auto run = [](const TensorValue& x, const TensorValue& mask) {
    return OpRun("MaskedSelect").In("x", x).In("mask", mask).Out("y").Run();
  };
  ExpectNear(run(Counted({2, 3}), Mask({2, 3}, {0, 1, 0, 1, 0, 1})), {1, 3, 5});
  ExpectNear(run(Counted({2, 3}), Mask({3}, {1, 0, 0})), {0, 3});
  ExpectNear(run(Counted({3}), Mask({2, 1}, {1, 1})), {0, 1, 2, 0, 1, 2});
  EXPECT_EQ(run(Counted({2}), Mask({2}, {0, 0})).dims(), Dims{0});
}

TEST(Where, ListsCoordinates) {
  const TensorValue y = OpRun("Where").In("x", Floats({2, 3}, {0, 1, 0, 2, 0, -3})).Out("y").Run();
  EXPECT_EQ(y.type().type, DataType::kInt64);
  EXPECT_EQ(y.dims(), (Dims{3, 2}));
  ExpectNear(y, {0, 1, 1, 0, 1, 2});
  ExpectNear(OpRun("Where").In("x", Mask({3}, {1, 0, 1})).Out("y").Run(), {0, 2});
  EXPECT_EQ(OpRun("Where").In("x", Mask({2, 2}, {0, 0, 0, 0})).Out("y").Run().dims(), (Dims{0, 2}));
  EXPECT_EQ(OpRun("Where").In("x", Mask({}, {1})).Out("y").Run().dims(), (Dims{1, 0}));
}

TEST(NonZero, ListsCoordinatesEitherWay) {
  const auto run = [](bool transpose, DataType type) {
    return OpRun("NonZero")
        .In("x", Int32s({2, 3}, {0, 1, 0, 2, 0, 3}))
        .Attr("transpose", transpose)
        .Attr("dtype", type)
        .Out("y")
        .Run();
  };
  ExpectNear(run(false, DataType::kInt64), {0, 1, 1, 0, 1, 2});
  const TensorValue columns = run(true, DataType::kInt32);
  EXPECT_EQ(columns.dims(), (Dims{2, 3}));
  EXPECT_EQ(columns.type().type, DataType::kInt32);
  ExpectNear(columns, {0, 1, 1, 1, 0, 2});
  EXPECT_THROW(run(false, DataType::kFloat), Error);
}

TEST(Unique, NumbersValuesByFirstAppearance) {
  for (const DataType type : {DataType::kFloat, DataType::kInt64, DataType::kFloat16, DataType::kUint8}) {
    const auto all = OpRun("Unique").In("x", Tensor(type, {5}, {3, 1, 3, 2, 1})).Out("y").Out("idx").RunAll();
    ExpectNear(all[0], {3, 1, 2});
    ExpectNear(all[1], {0, 1, 0, 2, 1});
    EXPECT_EQ(all[1].type().type, DataType::kInt32);
  }
  EXPECT_THROW(OpRun("Unique").In("x", Counted({2, 2})).Out("y").Out("idx").RunAll(), Error);
}

}  // namespace
}  // namespace foothold
