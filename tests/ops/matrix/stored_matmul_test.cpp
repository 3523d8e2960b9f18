// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products of operands that come with a run: of two types, as views, in fractals.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "ops/matrix/stored_operands.h"
#include "ops/op_run.h"
#include "ops/strided_view.h"

namespace foothold {
namespace {

constexpr DataType kFloats[] = {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16};

// One element of each, by strides.
struct Place {
  std::size_t at, row, column;
  std::size_t operator()(std::size_t i, std::size_t j) const { return at + i * row + j * column; }
};

std::vector<double> Product(const TensorValue& left, const Place& a, const TensorValue& right, const Place& b,
                            std::size_t rows, std::size_t depth, std::size_t columns) {
  const auto x = Numbers(left), w = Numbers(right);
  std::vector<double> out(rows * columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t k = 0; k < depth; ++k)
        out[i * columns + j] += x[a(i, k)] * w[b(k, j)];
  return out;
}

double ToleranceOf(DataType type) {
  return type == DataType::kFloat16 ? 4e-3 : type == DataType::kBfloat16 ? 3e-2 : 1e-5;
}

// What the product has to be.
void Say(OpRun& run, DataType type) {
  run.node().attributes["_product_type"] = static_cast<std::int64_t>(type);
}

TEST(MixedMatMul, MultipliesAllFloatingPointTypes) {
  for (const DataType left : kFloats)
    for (const DataType right : kFloats)
      for (const std::int64_t rows : {1, 5, 60})
        for (int bits = 0; bits < 8; ++bits) {
          SCOPED_TRACE(testing::Message() << rows << " rows of " << DataTypeName(left) << " with "
                                          << DataTypeName(right) << ", way " << bits);
          const bool across = bits & 1, along = bits & 2, constant = bits & 4;
          const auto m = static_cast<std::size_t>(rows);
          const auto x1 = Random(left, across ? Dims{39, rows} : Dims{rows, 39}, 1);
          const auto x2 = Random(right, along ? Dims{21, 39} : Dims{39, 21}, 2);
          OpRun run("MatMulV2");
          run.Late("x1", x1);
          constant ? run.In("x2", x2) : run.Late("x2", x2);
          const auto y = run.Attr("transpose_x1", across).Attr("transpose_x2", along).Out("y").Run();
          EXPECT_EQ(y.type().type, left == right ? left : DataType::kFloat);
          ExpectNear(y,
                     Product(x1, across ? Place{0, 1, m} : Place{0, 39, 1}, x2,
                             along ? Place{0, 1, 39} : Place{0, 21, 1}, m, 39, 21),
                     ToleranceOf(y.type().type));
        }
}

TEST(MixedMatMul, GivesTheTypeTheProgramSays) {
  const auto x1 = Random(DataType::kFloat16, {3, 40}, 1), x2 = Random(DataType::kFloat16, {40, 7}, 2);
  const auto expected = Product(x1, {0, 40, 1}, x2, {0, 7, 1}, 3, 40, 7);
  for (const DataType out : kFloats)
    for (const bool constant : {false, true}) {
      OpRun run("BatchMatMulV2");
      run.Late("x1", x1);
      constant ? run.In("x2", x2) : run.Late("x2", x2);
      run.Out("y");
      Say(run, out);
      const auto y = run.Run();
      EXPECT_EQ(y.type().type, out);
      ExpectNear(y, expected, ToleranceOf(out));
    }
}

TEST(MixedMatMul, AddsABiasOfAThirdType) {
  const auto y = OpRun("MatMulV2")
                     .Late("x1", Floats({2, 2}, {1, 2, 3, 4}))
                     .Late("x2", Tensor(DataType::kBfloat16, {2, 3}, {1, 0, 1, 0, 1, 1}))
                     .Late("bias", Tensor(DataType::kFloat16, {3}, {10, 20, 30}))
                     .NoInput("offset_w")
                     .Out("y")
                     .Run();
  ExpectNear(y, {11, 22, 33, 13, 24, 37});
}

TEST(MixedMatMul, BroadcastsMatricesOfEitherSide) {
  const auto left = Random(DataType::kFloat, {3, 4, 1, 20}, 1);
  const auto right = Random(DataType::kFloat16, {3, 1, 20, 6}, 2);
  const auto y = OpRun("BatchMatMulV2").Late("x1", left).Late("x2", right).Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{3, 4, 1, 6}));
  std::vector<double> expected;
  for (std::size_t i = 0; i < 3; ++i)
    for (const double sum : Product(left, {i * 80, 20, 1}, right, {i * 120, 6, 1}, 4, 20, 6))
      expected.push_back(sum);
  ExpectNear(y, expected, 1e-5);

  const auto shared = Random(DataType::kFloat, {1, 1, 20}, 3);
  const auto experts = Random(DataType::kBfloat16, {5, 20, 6}, 4);
  const auto all = OpRun("BatchMatMulV2").Late("x1", shared).Late("x2", experts).Out("y").Run();
  EXPECT_EQ(all.dims(), (Dims{5, 1, 6}));
  expected.clear();
  for (std::size_t i = 0; i < 5; ++i)
    for (const double sum : Product(shared, {0, 20, 1}, experts, {i * 120, 6, 1}, 1, 20, 6))
      expected.push_back(sum);
  ExpectNear(all, expected, 1e-5);
}

TEST(MixedMatMul, IsZeroWithoutDepthAndEmptyWithoutRows) {
  const auto none = OpRun("MatMulV2")
                        .Late("x1", Floats({2, 0}, {}))
                        .Late("x2", Tensor(DataType::kFloat16, {0, 3}, {}))
                        .Out("y")
                        .Run();
  ExpectNear(none, {0, 0, 0, 0, 0, 0});
  const auto empty = OpRun("MatMulV2")
                         .Late("x1", Floats({0, 2}, {}))
                         .Late("x2", Random(DataType::kFloat16, {2, 3}, 1))
                         .Out("y")
                         .Run();
  EXPECT_EQ(empty.dims(), (Dims{0, 3}));
}

TEST(MixedMatMul, KeepsNaNAndInfinities) {
  const auto inf = std::numeric_limits<double>::infinity();
  const auto y = OpRun("MatMulV2")
                     .Late("x1", Floats({1, 2}, {1, 1}))
                     .Late("x2", Tensor(DataType::kFloat16, {3, 2}, {NAN, 1, inf, 2, -inf, inf}))
                     .Attr("transpose_x2", true)
                     .Out("y")
                     .Run();
  ExpectNear(y, {NAN, inf, NAN});
  // A sum that is too large for the output becomes infinite when it is rounded, and not before.
  OpRun large("MatMulV2");
  large.Late("x1", Floats({1, 2}, {60000, -1}))
      .Late("x2", Tensor(DataType::kFloat16, {2, 2}, {2, 2, 1, 60000}))
      .Out("y");
  Say(large, DataType::kFloat16);
  ExpectNear(large.Run(), {inf, 60000});
}

TEST(MixedMatMul, RefusesOtherMixtures) {
  for (const DataType other : {DataType::kDouble, DataType::kInt8, DataType::kInt32})
    EXPECT_THROW(OpRun("MatMulV2")
                     .Late("x1", Floats({1, 1}, {1}))
                     .Late("x2", Tensor(other, {1, 1}, {1}))
                     .Out("y")
                     .Run(),
                 Error);
}

// The elements of a view, as a program stores them: `count` of them from its first element on.
TensorValue Span(DataType type, std::int64_t count, unsigned seed) {
  return Random(type, {count}, seed);
}

TEST(ViewedMatMul, ReadsTransposedAndPaddedWeights) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kDouble, DataType::kInt32})
    for (const std::int64_t rows : {1, 4, 70}) {
      const auto m = static_cast<std::size_t>(rows);
      const auto x1 = Span(type == DataType::kFloat16 ? DataType::kFloat : type, rows * 50, 1);
      const auto x2 = Span(type, 40 * 25, 2);
      const auto y = OpRun("MatMulV2")
                         .View("x1", x1, {{rows, 30}, {50, 1}})
                         .View("x2", x2, {{30, 25}, {1, 40}})
                         .Out("y")
                         .Run();
      EXPECT_EQ(y.dims(), (Dims{rows, 25}));
      ExpectNear(y, Product(x1, {0, 50, 1}, x2, {0, 1, 40}, m, 30, 25), 1e-5);
    }
}

TEST(ViewedMatMul, ReadsPermutedHeads) {
  // Queries of 6 heads, of which 3 share keys: [2, 3, 4, 16] lies as [4, 6, 16], keys [2, 1, 16, 9] as [9, 2,
  // 16].
  const auto queries = Span(DataType::kFloat, 4 * 6 * 16, 1);
  const auto keys = Span(DataType::kFloat16, 9 * 2 * 16, 2);
  const auto y = OpRun("BatchMatMulV2")
                     .View("x1", queries, {{2, 3, 4, 16}, {48, 16, 96, 1}})
                     .View("x2", keys, {{2, 1, 16, 9}, {16, 16, 1, 32}})
                     .Out("y")
                     .Run();
  EXPECT_EQ(y.dims(), (Dims{2, 3, 4, 9}));
  std::vector<double> expected;
  for (std::size_t head = 0; head < 6; ++head)
    for (const double sum : Product(queries, {head * 16, 96, 1}, keys, {head / 3 * 16, 1, 32}, 4, 16, 9))
      expected.push_back(sum);
  ExpectNear(y, expected, 1e-5);
}

TEST(ViewedMatMul, MergesSingleRowsThatShareTheirKeys) {
  const auto queries = Span(DataType::kFloat, 6 * 16, 1);
  const auto keys = Span(DataType::kFloat16, 9 * 2 * 16, 2);
  const auto y = OpRun("BatchMatMulV2")
                     .View("x1", queries, {{2, 3, 1, 16}, {48, 16, 96, 1}})
                     .View("x2", keys, {{2, 1, 16, 9}, {16, 16, 1, 32}})
                     .Out("y")
                     .Run();
  EXPECT_EQ(y.dims(), (Dims{2, 3, 1, 9}));
  std::vector<double> expected;
  for (std::size_t head = 0; head < 6; ++head)
    for (const double sum : Product(queries, {head * 16, 96, 1}, keys, {head / 3 * 16, 1, 32}, 1, 16, 9))
      expected.push_back(sum);
  ExpectNear(y, expected, 1e-5);
}

TEST(ViewedMatMul, ReadsVectorsAndRepeatedElements) {
  const auto x1 = Span(DataType::kFloat, 19, 1), x2 = Span(DataType::kFloat16, 40, 2);
  const auto y =
      OpRun("MatMulV2").View("x1", x1, {{10}, {2}}).View("x2", x2, {{10, 4}, {4, 1}}).Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{4}));
  ExpectNear(y, Product(x1, {0, 0, 2}, x2, {0, 4, 1}, 1, 10, 4), 1e-5);
  const auto repeated =
      OpRun("MatMulV2").View("x1", x1, {{3, 10}, {0, 1}}).View("x2", x2, {{10, 4}, {1, 0}}).Out("y").Run();
  ExpectNear(repeated, Product(x1, {0, 0, 1}, x2, {0, 1, 0}, 3, 10, 4), 1e-5);
}

TEST(ViewedMatMul, RefusesViewsOfInt8) {
  OpRun run("MatMulV2");
  run.View("x1", Tensor(DataType::kInt8, {4}, {1, 2, 3, 4}), {{2, 2}, {1, 2}})
      .Late("x2", Tensor(DataType::kInt8, {2, 1}, {1, 2}))
      .Out("y");
  EXPECT_THROW(run.Run(), Error);
}

TensorValue Changed(const TensorValue& from, const std::string& source, const std::string& target,
                    const Dims& said = {}, bool in_place = false) {
  OpRun run("TransData");
  run.Late("src", from).Attr("src_format", source).Attr("dst_format", target).Out("dst");
  if (in_place) run.Attr("_in_place", true);
  if (!said.empty()) {
    run.node().outputs()[0].desc.set = true;
    run.node().outputs()[0].desc.dims = said;
  }
  return run.Run();
}

TEST(FractalWeights, LieInPiecesOfRows) {
  for (const DataType type : {DataType::kFloat16, DataType::kFloat, DataType::kInt8}) {
    const std::size_t width = type == DataType::kFloat16 ? 16 : type == DataType::kFloat ? 8 : 32;
    std::vector<double> numbers;
    for (int i = 0; i < 2 * 32 * 64; ++i)
      numbers.push_back(i % 101);
    const auto plain = Tensor(type, {2, 32, 64}, numbers);
    const auto fractal = Changed(plain, "ND", "FRACTAL_NZ");
    EXPECT_EQ(fractal.dims(),
              (Dims{2, static_cast<std::int64_t>(64 / width), 2, 16, static_cast<std::int64_t>(width)}));
    EXPECT_EQ(fractal.type().format, Format::kFractalNz);
    const auto found = Numbers(fractal);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::size_t row = i / width % 32, piece = i / width / 32 % (64 / width), matrix = i / 2048;
      EXPECT_EQ(found[i], numbers[matrix * 2048 + row * 64 + piece * width + i % width]) << i;
    }
    EXPECT_EQ(Numbers(Changed(fractal, "FRACTAL_NZ", "ND")), numbers);
    EXPECT_EQ(Numbers(Changed(plain, "ND", "FRACTAL_NZ", {}, true)), found);
    EXPECT_EQ(Numbers(Changed(fractal, "FRACTAL_NZ", "ND", {}, true)), numbers);
  }
}

TEST(FractalWeights, AreFilledUpWithZeros) {
  const auto plain = Random(DataType::kFloat16, {17, 20}, 1);
  const auto fractal = Changed(plain, "ND", "FRACTAL_NZ");
  EXPECT_EQ(fractal.dims(), (Dims{2, 2, 16, 16}));
  const auto numbers = Numbers(plain), found = Numbers(fractal);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t row = i / 16 % 32, column = i / 512 * 16 + i % 16;
    EXPECT_EQ(found[i], row < 17 && column < 20 ? numbers[row * 20 + column] : 0) << i;
  }
  EXPECT_EQ(Numbers(Changed(fractal, "FRACTAL_NZ", "ND", {17, 20})), numbers);
  EXPECT_EQ(Changed(fractal, "FRACTAL_NZ", "ND").dims(), (Dims{32, 32}));
}

TEST(FractalWeights, RefuseWhatDoesNotFit) {
  EXPECT_THROW(Changed(Random(DataType::kFloat16, {16}, 1), "ND", "FRACTAL_NZ"), Error);
  EXPECT_THROW(Changed(Random(DataType::kDouble, {16, 16}, 1), "ND", "FRACTAL_NZ"), Error);
  EXPECT_THROW(Changed(Random(DataType::kFloat16, {2, 2, 16, 8}, 1), "FRACTAL_NZ", "ND"), Error);
}

TEST(FractalWeights, AreMultipliedWhereTheyLie) {
  for (const DataType type : kFloats)
    for (const std::int64_t rows : {1, 3, 64}) {
      SCOPED_TRACE(rows);
      const auto x1 = Random(DataType::kFloat, {rows, 96}, 1);
      const auto plain = Random(type, {48, 96}, 2);
      const auto fractal = Changed(plain, "ND", "FRACTAL_NZ");
      const std::int64_t width = fractal.dims().back();
      const auto expected =
          Product(x1, {0, 96, 1}, plain, {0, 1, 96}, static_cast<std::size_t>(rows), 96, 48);
      TensorValue said(TensorType{type, Format::kNd, {48, 96}}, fractal.shared_data(), fractal.size());
      const auto y = OpRun("MatMulV2")
                         .Late("x1", x1)
                         .Late("x2", said)
                         .Attr("transpose_x2", true)
                         .Attr("_fractal_nz", width)
                         .Out("y")
                         .Run();
      ExpectNear(y, expected, 1e-5);
      TensorValue span(TensorType{type, Format::kNd, {48 * 96}}, fractal.shared_data(), fractal.size());
      const auto viewed = OpRun("MatMulV2")
                              .Late("x1", x1)
                              .View("x2", span, {{96, 48}, {1, 96}})
                              .Attr("_fractal_nz", width)
                              .Out("y")
                              .Run();
      ExpectNear(viewed, expected, 1e-5);
    }
}

TEST(FractalWeights, AreRefusedWhereTheyCannotBe) {
  const auto multiply = [](const Dims& weights, std::int64_t width, bool transposed) {
    const std::int64_t depth = transposed ? weights[1] : weights[0];
    return OpRun("MatMulV2")
        .Late("x1", Random(DataType::kFloat, {1, depth}, 1))
        .Late("x2", Random(DataType::kFloat16, weights, 2))
        .Attr("transpose_x2", transposed)
        .Attr("_fractal_nz", width)
        .Out("y")
        .Run();
  };
  EXPECT_NO_THROW(multiply({16, 32}, 16, true));
  EXPECT_THROW(multiply({16, 40}, 16, true), Error);
  EXPECT_THROW(multiply({20, 32}, 16, true), Error);
  EXPECT_THROW(multiply({16, 32}, 12, true), Error);
  EXPECT_THROW(multiply({16, 32}, 16, false), Error);
}

}  // namespace
}  // namespace foothold
