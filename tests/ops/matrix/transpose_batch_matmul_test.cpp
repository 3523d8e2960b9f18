// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>

#include "ops/quantized/rounded.h"

namespace foothold {
namespace {

using List = std::vector<double>;
using Order = std::vector<std::int64_t>;
using testing::HasSubstr;

TensorValue RunOf(const TensorValue& x1, const TensorValue& x2, const Order& perm1, const Order& perm2,
                  const Order& perm_y, std::int64_t pieces = 1) {
  OpRun run("TransposeBatchMatMul");
  run.Late("x1", x1).Late("x2", x2).Attr("perm_x1", perm1).Attr("perm_x2", perm2).Attr("perm_y", perm_y);
  return run.Attr("batch_split_factor", pieces).Out("y").Run();
}

// Dimensions before a permutation that gives `dims`.
Dims Before(const Order& perm, const Dims& dims) {
  Dims before(3);
  for (std::size_t i = 0; i < 3; ++i)
    before[static_cast<std::size_t>(perm[i])] = dims[i];
  return before;
}

// The element at `at` after the permutation.
double At(const TensorValue& x, const Order& perm, const Dims& at) {
  const Dims place = Before(perm, at);
  return Numbers(x)[static_cast<std::size_t>((place[0] * x.dims()[1] + place[1]) * x.dims()[2] + place[2])];
}

constexpr std::int64_t kBatch = 4, kRows = 3, kDepth = 5, kColumns = 6;

double Dot(const TensorValue& x1, const Order& perm1, const TensorValue& x2, const Order& perm2,
           std::int64_t b, std::int64_t row, std::int64_t column) {
  double sum = 0;
  for (std::int64_t k = 0; k < kDepth; ++k)
    sum += At(x1, perm1, {b, row, k}) * At(x2, perm2, {b, k, column});
  return sum;
}

TEST(TransposeBatchMatMul, PermutesBeforeAndAfter) {
  const Order orders[] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}};
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16})
    for (const Order& perm1 : orders)
      for (const Order& perm2 : orders)
        for (const Order& perm_y : orders) {
          const TensorValue x1 = Random(type, Before(perm1, {kBatch, kRows, kDepth}), 1);
          const TensorValue x2 = Random(type, Before(perm2, {kBatch, kDepth, kColumns}), 2);
          const TensorValue y = RunOf(x1, x2, perm1, perm2, perm_y);
          List expected;
          for (std::int64_t i = 0; i < y.dims()[0]; ++i)
            for (std::int64_t j = 0; j < y.dims()[1]; ++j)
              for (std::int64_t k = 0; k < y.dims()[2]; ++k) {
                const Dims at = Before(perm_y, {i, j, k});
                expected.push_back(Dot(x1, perm1, x2, perm2, at[0], at[1], at[2]));
              }
          ExpectNear(y, expected, type == DataType::kFloat ? 1e-5 : 1.6e-2);
        }
}

TEST(TransposeBatchMatMul, CutsRowsOfAllBatchesIntoPieces) {
  const Order plain{0, 1, 2}, turned{1, 0, 2};
  const TensorValue x1 = Random(DataType::kFloat, {kRows, kBatch, kDepth}, 1);
  const TensorValue x2 = Random(DataType::kFloat, {kBatch, kDepth, kColumns}, 2);
  for (const std::int64_t pieces : {2, 3, 8}) {
    const TensorValue y = RunOf(x1, x2, turned, plain, turned, pieces);
    const std::int64_t width = kBatch * kColumns / pieces;
    ASSERT_EQ(y.dims(), (Dims{pieces, kRows, width}));
    List expected;
    for (std::int64_t piece = 0; piece < pieces; ++piece)
      for (std::int64_t row = 0; row < kRows; ++row)
        for (std::int64_t i = piece * width; i < (piece + 1) * width; ++i)
          expected.push_back(Dot(x1, turned, x2, plain, i / kColumns, row, i % kColumns));
    ExpectNear(y, expected, 1e-5);
  }
}

TEST(TransposeBatchMatMul, RefusesWhatDoesNotFit) {
  const Order plain{0, 1, 2};
  const TensorValue x1 = Random(DataType::kFloat, {kBatch, kRows, kDepth}, 1);
  const TensorValue x2 = Random(DataType::kFloat, {kBatch, kDepth, kColumns}, 2);
  EXPECT_THAT(MessageOf([&] { RunOf(x1, x2, {1, 1, 2}, plain, plain); }), HasSubstr("perm_x1"));
  EXPECT_THAT(MessageOf([&] { RunOf(x1, x2, {1, 0, 2}, plain, plain); }), HasSubstr("matrices"));
  EXPECT_THAT(MessageOf([&] { RunOf(x1, x2, plain, plain, {1, 0, 2}, 5); }), HasSubstr("batch_split_factor"));
  EXPECT_THAT(MessageOf([&] { RunOf(x1, x2, plain, plain, plain, 2); }), HasSubstr("perm_y"));
  OpRun biased("TransposeBatchMatMul");
  biased.In("x1", x1).In("x2", x2).In("bias", Floats({6}, List(6))).Out("y");
  EXPECT_THAT(MessageOf([&] { biased.Run(); }), HasSubstr("'bias'"));
}

}  // namespace
}  // namespace foothold
