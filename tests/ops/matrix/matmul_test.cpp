// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

// Matrices one after the other, operands of `left` and `right` as they lie in memory.
std::vector<double> Product(const TensorValue& left, const TensorValue& right, std::size_t batch,
                            std::size_t rows, std::size_t columns, std::size_t depth, bool left_transposed,
                            bool right_transposed) {
  const auto a = Numbers(left), b = Numbers(right);
  std::vector<double> out(batch * rows * columns);
  for (std::size_t n = 0; n < batch; ++n)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        for (std::size_t k = 0; k < depth; ++k)
          out[(n * rows + i) * columns + j] +=
              a[n * rows * depth + (left_transposed ? k * rows + i : i * depth + k)] *
              b[n * columns * depth + (right_transposed ? j * depth + k : k * columns + j)];
  return out;
}

double ToleranceOf(DataType type) {
  return type == DataType::kFloat16 ? 4e-3 : type == DataType::kBfloat16 ? 3e-2 : 1e-5;
}

struct Case {
  std::int64_t rows, columns, depth;
  bool left_transposed, right_transposed, constant;
  DataType type;
};

class MatMulOp : public testing::TestWithParam<Case> {};

TEST_P(MatMulOp, EqualsTheSumOfProducts) {
  const Case& c = GetParam();
  const auto left = Random(c.type, c.left_transposed ? Dims{c.depth, c.rows} : Dims{c.rows, c.depth}, 1);
  const auto right =
      Random(c.type, c.right_transposed ? Dims{c.columns, c.depth} : Dims{c.depth, c.columns}, 2);
  OpRun run("MatMulV2");
  run.Late("x1", left);
  c.constant ? run.In("x2", right) : run.Late("x2", right);
  const auto y =
      run.Attr("transpose_x1", c.left_transposed).Attr("transpose_x2", c.right_transposed).Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{c.rows, c.columns}));
  ExpectNear(y,
             Product(left, right, 1, static_cast<std::size_t>(c.rows), static_cast<std::size_t>(c.columns),
                     static_cast<std::size_t>(c.depth), c.left_transposed, c.right_transposed),
             ToleranceOf(c.type));
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  const std::int64_t sizes[][3] = {{1, 1, 1},    {1, 70, 33},    {1, 300, 520}, {6, 16, 8}, {7, 33, 300},
                                   {100, 17, 5}, {200, 48, 257}, {5, 1, 40},    {3, 4, 0},  {0, 4, 3}};
  for (const auto& s : sizes)
    for (int bits = 0; bits < 8; ++bits)
      cases.push_back(
          {s[0], s[1], s[2], (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, DataType::kFloat});
  for (const DataType type : {DataType::kFloat16, DataType::kBfloat16, DataType::kDouble})
    for (const bool constant : {false, true})
      cases.push_back({13, 21, 37, false, true, constant, type});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Sizes, MatMulOp, testing::ValuesIn(Cases()));

TEST(MatMul, MultipliesByHand) {
  const auto y = OpRun("MatMul")
                     .In("x1", Floats({2, 3}, {1, 2, 3, 4, 5, 6}))
                     .In("x2", Floats({3, 2}, {7, 8, 9, 10, 11, 12}))
                     .Out("y")
                     .Run();
  ExpectNear(y, {58, 64, 139, 154});
}

TEST(MatMul, AddsABiasOfAnyShapeThatBroadcasts) {
  const auto run = [](const TensorValue& bias) {
    return OpRun("MatMulV2")
        .Late("x1", Floats({2, 2}, {1, 2, 3, 4}))
        .In("x2", Floats({2, 3}, {1, 0, 1, 0, 1, 1}))
        .Late("bias", bias)
        .NoInput("offset_w")
        .Out("y")
        .Run();
  };
  ExpectNear(run(Floats({3}, {10, 20, 30})), {11, 22, 33, 13, 24, 37});
  ExpectNear(run(Floats({1, 3}, {10, 20, 30})), {11, 22, 33, 13, 24, 37});
  ExpectNear(run(Floats({1, 1}, {10})), {11, 12, 13, 13, 14, 17});
  ExpectNear(run(Floats({}, {10})), {11, 12, 13, 13, 14, 17});
  ExpectNear(run(Floats({2, 1}, {10, 20})), {11, 12, 13, 23, 24, 27});
  ExpectNear(run(Floats({2, 3}, {1, 2, 3, 4, 5, 6})), {2, 4, 6, 7, 9, 13});
  EXPECT_THROW(run(Floats({2}, {1, 2})), Error);
}

TEST(MatMul, IsExactForInt8OfAnySize) {
  for (const auto& [rows, depth, columns] : {std::array<std::int64_t, 3>{1, 1, 1},
                                             {1, 7, 40},
                                             {3, 64, 16},
                                             {6, 129, 33},
                                             {71, 300, 50},
                                             {5, 2, 0},
                                             {5, 0, 3}})
    for (const bool transposed : {false, true})
      for (const bool late : {false, true}) {
        SCOPED_TRACE(rows * 1000000 + depth * 1000 + columns);
        std::vector<double> a, b;
        for (std::int64_t i = 0; i < rows * depth; ++i)
          a.push_back(static_cast<double>(i * 37 % 256 - 128));
        for (std::int64_t i = 0; i < depth * columns; ++i)
          b.push_back(static_cast<double>(i * 91 % 256 - 128));
        std::vector<double> expected;
        for (std::int64_t i = 0; i < rows; ++i)
          for (std::int64_t j = 0; j < columns; ++j) {
            double sum = static_cast<double>(j);
            for (std::int64_t k = 0; k < depth; ++k)
              sum += a[static_cast<std::size_t>(i * depth + k)] *
                     b[static_cast<std::size_t>(transposed ? j * depth + k : k * columns + j)];
            expected.push_back(sum);
          }
        std::vector<double> bias;
        for (std::int64_t j = 0; j < columns; ++j)
          bias.push_back(static_cast<double>(j));
        OpRun op("MatMulV2");
        op.In("x1", Tensor(DataType::kInt8, {rows, depth}, a));
        const TensorValue right =
            Tensor(DataType::kInt8, transposed ? Dims{columns, depth} : Dims{depth, columns}, b);
        late ? op.Late("x2", right) : op.In("x2", right);
        op.In("bias", Int32s({columns}, bias)).Attr("transpose_x2", transposed).Out("y");
        EXPECT_EQ(Numbers(op.Run()), expected);
      }
}

TEST(BatchMatMul, MultipliesInt8MatrixByMatrix) {
  const TensorValue y = OpRun("BatchMatMulV2")
                            .In("x1", Tensor(DataType::kInt8, {2, 1, 2}, {1, 2, 3, 4}))
                            .Late("x2", Tensor(DataType::kInt8, {2, 2, 1}, {5, 6, 7, 8}))
                            .Out("y")
                            .Run();
  EXPECT_EQ(Numbers(y), (std::vector<double>{17, 53}));
}

TEST(MatMul, SumsInt8InInt32) {
  const auto y = OpRun("MatMulV2")
                     .In("x1", Tensor(DataType::kInt8, {1, 3}, {127, -128, 127}))
                     .In("x2", Tensor(DataType::kInt8, {3, 1}, {127, -128, -1}))
                     .In("bias", Int32s({1}, {5}))
                     .Out("y")
                     .Run();
  EXPECT_EQ(y.type().type, DataType::kInt32);
  ExpectNear(y, {127.0 * 127 + 128.0 * 128 - 127 + 5});
}

TEST(MatMul, MultipliesIntegersThatWrap) {
  const auto y =
      OpRun("MatMul").In("x1", Int32s({1, 1}, {65536})).In("x2", Int32s({1, 2}, {65536, 3})).Out("y").Run();
  ExpectNear(y, {0, 196608});
}

TEST(MatMul, TakesVectorsAsRowAndColumn) {
  const auto vector = Floats({2}, {1, 2});
  const auto matrix = Floats({2, 2}, {1, 2, 3, 4});
  const auto row = OpRun("MatMulV2").In("x1", vector).In("x2", matrix).Out("y").Run();
  EXPECT_EQ(row.dims(), (Dims{2}));
  ExpectNear(row, {7, 10});
  const auto column = OpRun("MatMulV2").In("x1", matrix).In("x2", vector).Out("y").Run();
  EXPECT_EQ(column.dims(), (Dims{2}));
  ExpectNear(column, {5, 11});
  const auto dot = OpRun("MatMulV2").In("x1", vector).In("x2", vector).Out("y").Run();
  EXPECT_EQ(dot.dims(), (Dims{}));
  ExpectNear(dot, {5});
}

TEST(MatMul, RefusesWhatDoesNotFit) {
  const auto matrix = Floats({2, 2}, {1, 2, 3, 4});
  EXPECT_THROW(OpRun("MatMul").In("x1", matrix).In("x2", Floats({3, 1}, {1, 2, 3})).Out("y").Run(), Error);
  EXPECT_THROW(OpRun("MatMul").In("x1", matrix).In("x2", Floats({}, {1})).Out("y").Run(), Error);
  EXPECT_THROW(
      OpRun("MatMul").In("x1", matrix).In("x2", Tensor(DataType::kDouble, {2, 1}, {1, 2})).Out("y").Run(),
      Error);
  const auto flags = Tensor(DataType::kBool, {1, 1}, {1});
  EXPECT_THROW(OpRun("MatMul").In("x1", flags).In("x2", flags).Out("y").Run(), Error);
}

class BatchMatMulOp : public testing::TestWithParam<int> {};

TEST_P(BatchMatMulOp, MultipliesMatrixByMatrix) {
  const bool left_transposed = GetParam() & 1, right_transposed = GetParam() & 2, constant = GetParam() & 4;
  const auto left = Random(DataType::kFloat, left_transposed ? Dims{2, 3, 20, 9} : Dims{2, 3, 9, 20}, 3);
  const auto right = Random(DataType::kFloat, right_transposed ? Dims{2, 3, 18, 20} : Dims{2, 3, 20, 18}, 4);
  OpRun run("BatchMatMulV2");
  run.Late("x1", left);
  constant ? run.In("x2", right) : run.Late("x2", right);
  const auto y = run.Attr("adj_x1", left_transposed).Attr("adj_x2", right_transposed).Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{2, 3, 9, 18}));
  ExpectNear(y, Product(left, right, 6, 9, 18, 20, left_transposed, right_transposed), 1e-5);
}
INSTANTIATE_TEST_SUITE_P(Ways, BatchMatMulOp, testing::Range(0, 8));

TEST(BatchMatMul, BroadcastsLeadingDimensions) {
  const auto y = OpRun("BatchMatMul")
                     .Late("x1", Floats({2, 1, 1, 2}, {1, 2, 3, 4}))
                     .Late("x2", Floats({3, 2, 1}, {1, 0, 0, 1, 1, 1}))
                     .Out("y")
                     .Run();
  EXPECT_EQ(y.dims(), (Dims{2, 3, 1, 1}));
  ExpectNear(y, {1, 2, 3, 3, 4, 7});
}

TEST(BatchMatMul, UsesOneMatrixForAll) {
  const auto left = Random(DataType::kFloat, {4, 5, 6}, 5);
  const auto right = Random(DataType::kFloat, {6, 7}, 6);
  const auto y = OpRun("BatchMatMulV2")
                     .Late("x1", left)
                     .In("x2", right)
                     .In("bias", Floats({7}, {1, 2, 3, 4, 5, 6, 7}))
                     .Out("y")
                     .Run();
  auto expected = Product(left, right, 1, 20, 7, 6, false, false);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] += static_cast<double>(i % 7 + 1);
  ExpectNear(y, expected, 1e-5);
}

TEST(BatchMatMul, RefusesLeadingDimensionsThatDoNotBroadcast) {
  const auto left = Random(DataType::kFloat, {2, 1, 2}, 5);
  const auto right = Random(DataType::kFloat, {3, 2, 1}, 6);
  EXPECT_THROW(OpRun("BatchMatMul").In("x1", left).In("x2", right).Out("y").Run(), Error);
}

TEST(BatchMatMul, KeepsNaN) {
  const auto y = OpRun("BatchMatMul")
                     .In("x1", Floats({1, 1, 2}, {NAN, 1}))
                     .In("x2", Floats({1, 2, 2}, {0, 1, 1, 1}))
                     .Out("y")
                     .Run();
  ExpectNear(y, {NAN, NAN});
}

TensorValue Gemm(DataType type, const TensorValue& c, double alpha, double beta, bool transposed) {
  return OpRun("GEMM")
      .Late("a", Tensor(type, {2, 2}, {1, 2, 3, 4}))
      .In("b", Tensor(type, {2, 2}, {1, 0, 2, 1}))
      .Late("c", c)
      .Late("alpha", Tensor(c.type().type, {1}, {alpha}))
      .Late("beta", Tensor(c.type().type, {}, {beta}))
      .Attr("transpose_a", transposed)
      .Attr("transpose_b", transposed)
      .Out("y")
      .Run();
}

TEST(GeneralMatMul, ScalesProductAndAddend) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kDouble, DataType::kInt32}) {
    const auto c = Tensor(type, {2, 2}, {10, 20, 30, 40});
    ExpectNear(Gemm(type, c, 2, 3, false), {2 * 5 + 30, 2 * 2 + 60, 2 * 11 + 90, 2 * 4 + 120});
    ExpectNear(Gemm(type, c, 1, 0, true), {1, 5, 2, 8});
    ExpectNear(Gemm(type, Tensor(type, {2}, {1, 2}), 1, 1, false), {6, 4, 12, 6});
  }
  ExpectNear(Gemm(DataType::kInt8, Int32s({1, 1}, {100}), 2, 1, false), {110, 104, 122, 108});
}

TEST(GeneralMatMul, SumsInFloatWhereTheAddendIs) {
  for (const DataType type : {DataType::kFloat16, DataType::kBfloat16, DataType::kInt8}) {
    const auto y = Gemm(type, Floats({2, 2}, {70000.5, 20, 30, 40}), 0.5, 2, false);
    EXPECT_EQ(y.type().type, DataType::kFloat);
    ExpectNear(y, {0.5 * 5 + 140001, 0.5 * 2 + 40, 0.5 * 11 + 60, 0.5 * 4 + 80});
  }
}

TEST(GeneralMatMul, DoesNotReadAnAddendTimesZero) {
  ExpectNear(Gemm(DataType::kFloat, Floats({}, {NAN}), 1, 0, false), {5, 2, 11, 4});
}

TEST(GeneralMatMul, RefusesWhatDoesNotFit) {
  EXPECT_THROW(Gemm(DataType::kFloat, Floats({3}, {1, 2, 3}), 1, 1, false), Error);
  EXPECT_THROW(Gemm(DataType::kInt32, Floats({2}, {1, 2}), 1, 1, false), Error);
}

}  // namespace
}  // namespace foothold
