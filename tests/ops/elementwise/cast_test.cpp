// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

constexpr DataType kAll[] = {DataType::kFloat, DataType::kDouble, DataType::kFloat16, DataType::kBfloat16,
                             DataType::kInt8,  DataType::kUint8,  DataType::kInt16,   DataType::kUint16,
                             DataType::kInt32, DataType::kUint32, DataType::kInt64,   DataType::kUint64,
                             DataType::kBool};

TensorValue Cast(const TensorValue& x, DataType type) {
  return OpRun("Cast").In("x", x).Attr("dst_type", std::int64_t{static_cast<int>(type)}).Out("y").Run();
}

TEST(Cast, GoesFromEveryTypeToEveryOther) {
  for (const DataType from : kAll)
    for (const DataType to : kAll) {
      const bool truth = from == DataType::kBool || to == DataType::kBool;
      const TensorValue y = Cast(Tensor(from, {2, 2}, {0, 1, truth ? 1.0 : 100, truth ? 0.0 : 7}), to);
      EXPECT_EQ(y.type().type, to);
      EXPECT_EQ(y.dims(), (Dims{2, 2}));
      ExpectNear(y, {0, 1, truth ? 1.0 : 100, truth ? 0.0 : 7});
    }
}

TEST(Cast, CutsFractionsOffAndSaturates) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const DataType from : {DataType::kFloat, DataType::kDouble}) {
    const TensorValue x = Tensor(from, {6}, {1.9, -1.9, 1e20, -1e20, NAN, inf});
    ExpectNear(Cast(x, DataType::kInt8), {1, -1, 127, -128, 0, 127});
    ExpectNear(Cast(x, DataType::kUint8), {1, 0, 255, 0, 0, 255});
    ExpectNear(Cast(x, DataType::kInt16), {1, -1, 32767, -32768, 0, 32767});
    ExpectNear(Cast(x, DataType::kInt32), {1, -1, 2147483647, -2147483648.0, 0, 2147483647});
    EXPECT_EQ(Cast(x, DataType::kInt64).As<std::int64_t>()[2], std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(Cast(x, DataType::kUint64).As<std::uint64_t>()[2], std::numeric_limits<std::uint64_t>::max());
  }
}

TEST(Cast, TakesWhatIsNotZeroForTrue) {
  ExpectNear(Cast(Floats({4}, {0.25, 0, -0.0, NAN}), DataType::kBool), {1, 0, 0, 1});
  ExpectNear(Cast(Int32s({3}, {256, 0, -1}), DataType::kBool), {1, 0, 1});
}

TEST(Cast, RoundsToNearestEvenAndOverflowsToInfinity) {
  const TensorValue x = Floats({4}, {1 + 0x1p-11, 1 + 3 * 0x1p-11, 65520, -1e30});
  ExpectNear(Cast(x, DataType::kFloat16), {1, 1 + 0x1p-9, INFINITY, -INFINITY}, 0);
  ExpectNear(Cast(Floats({2}, {1 + 0x1p-8, 1 + 3 * 0x1p-8}), DataType::kBfloat16), {1, 1 + 0x1p-6}, 0);
}

TEST(Cast, KeepsTheLowBitsOfIntegers) {
  ExpectNear(Cast(Int32s({3}, {257, -1, 128}), DataType::kInt8), {1, -1, -128});
  ExpectNear(Cast(Int32s({1}, {-1}), DataType::kUint16), {65535});
}

TEST(Cast, RefusesWhatIsNoType) {
  EXPECT_THROW(Cast(Floats({1}, {1}), static_cast<DataType>(99)), Error);
  EXPECT_THROW(Cast(Floats({1}, {1}), DataType::kString), Error);
  EXPECT_THROW(OpRun("Cast").In("x", Floats({1}, {1})).Out("y").Run(), Error);
}

}  // namespace
}  // namespace foothold
