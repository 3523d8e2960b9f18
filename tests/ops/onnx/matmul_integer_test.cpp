// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

constexpr std::int64_t kBatch = 2, kRows = 5, kDepth = 37, kColumns = 21;

struct Case {
  DataType left, right;
  bool each_row, each_column, late;
};

std::vector<double> Bytes(DataType type, std::int64_t count, int step) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<double>(i * step % 256 - (type == DataType::kInt8 ? 128 : 0)));
  return values;
}

void Check(const Case& test) {
  const auto a = Bytes(test.left, kBatch * kRows * kDepth, 37), b = Bytes(test.right, kDepth * kColumns, 91);
  const auto za = Bytes(test.left, test.each_row ? kRows : 1, 200),
             zb = Bytes(test.right, test.each_column ? kColumns : 1, 77);
  std::vector<double> expected;
  for (std::size_t i = 0; i < kBatch * kRows; ++i)
    for (std::size_t j = 0; j < kColumns; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < kDepth; ++k)
        sum += (a[i * kDepth + k] - za[test.each_row ? i % kRows : 0]) *
               (b[k * kColumns + j] - zb[test.each_column ? j : 0]);
      expected.push_back(sum);
    }
  OpRun op("OnnxMatMulInteger");
  op.In("x0", Tensor(test.left, {kBatch, kRows, kDepth}, a));
  const TensorValue right = Tensor(test.right, {kDepth, kColumns}, b);
  test.late ? op.Late("x1", right) : op.In("x1", right);
  op.In("x2", Tensor(test.left, {static_cast<std::int64_t>(za.size())}, za));
  op.In("x3", Tensor(test.right, {static_cast<std::int64_t>(zb.size())}, zb));
  const TensorValue y = op.Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{kBatch, kRows, kColumns}));
  EXPECT_EQ(y.type().type, DataType::kInt32);
  EXPECT_EQ(Numbers(y), expected);
}

TEST(OnnxMatMulInteger, TakesZeroPointsAway) {
  for (const DataType left : {DataType::kInt8, DataType::kUint8})
    for (const DataType right : {DataType::kInt8, DataType::kUint8})
      for (const bool late : {false, true}) {
        Check({left, right, false, false, late});
        Check({left, right, true, true, late});
      }
}

TEST(OnnxMatMulInteger, DoesWithoutZeroPoints) {
  const TensorValue y = OpRun("OnnxMatMulInteger")
                            .In("x0", Tensor(DataType::kUint8, {1, 2}, {255, 255}))
                            .In("x1", Tensor(DataType::kUint8, {2, 1}, {255, 255}))
                            .NoInput("x2")
                            .NoInput("x3")
                            .Out("y")
                            .Run();
  EXPECT_EQ(Numbers(y), (std::vector<double>{2 * 255 * 255}));
}

TEST(OnnxMatMulInteger, RefusesOtherZeroPoints) {
  OpRun op("OnnxMatMulInteger");
  op.In("x0", Tensor(DataType::kUint8, {1, 2}, {1, 2})).In("x1", Tensor(DataType::kUint8, {2, 1}, {1, 2}));
  op.In("x2", Tensor(DataType::kInt8, {}, {1})).Out("y");
  EXPECT_THROW(op.Run(), Error);
}

}  // namespace
}  // namespace foothold
