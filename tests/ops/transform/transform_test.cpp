// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/error.h"
#include "ops/data/reference.h"

namespace foothold {
namespace {

class SortTypes : public testing::TestWithParam<DataType> {};

TEST_P(SortTypes, OrdersAlongAnAxisAndKeepsEqualsInOrder) {
  const TensorValue x = Tensor(GetParam(), {2, 4}, {3, 1, 2, 1, 7, 7, 0, 5});
  const auto sorted = [&](std::int64_t axis, bool descending) {
    return OpRun("Sort")
        .Late("x", x)
        .Attr("axis", axis)
        .Attr("descending", descending)
        .Out("y1")
        .Out("y2")
        .RunAll();
  };
  ExpectNear(sorted(-1, false)[0], {1, 1, 2, 3, 0, 5, 7, 7});
  ExpectNear(sorted(-1, false)[1], {1, 3, 2, 0, 2, 3, 0, 1});
  ExpectNear(sorted(1, true)[1], {0, 2, 1, 3, 0, 1, 3, 2});
  ExpectNear(sorted(0, true)[0], {7, 7, 2, 5, 3, 1, 0, 1});
  EXPECT_EQ(sorted(0, true)[1].type().type, DataType::kInt32);
}

INSTANTIATE_TEST_SUITE_P(All, SortTypes,
                         testing::Values(DataType::kFloat, DataType::kFloat16, DataType::kBfloat16,
                                         DataType::kDouble, DataType::kInt8, DataType::kUint8,
                                         DataType::kInt64));

TEST(Sort, PutsNaNLastAndTakesScalars) {
  const double nan = std::nan("");
  const TensorValue x = Floats({4}, {nan, 1, nan, -1});
  ExpectNear(OpRun("Sort").Late("x", x).Out("y1").Out("y2").RunAll()[1], {3, 1, 0, 2});
  ExpectNear(OpRun("SortV2").Late("x", x).Attr("descending", true).Out("y").Run(), {nan, nan, 1, -1});
  ExpectNear(OpRun("Sort").Late("x", Floats({}, {5})).Out("y1").Out("y2").RunAll()[0], {5});
  EXPECT_THROW(OpRun("Sort").Late("x", x).Attr("axis", std::int64_t{1}).Out("y1").RunAll(), Error);
}

TEST(GatherD, TakesItsAxisAsATensor) {
  OpRun run("GatherD");
  run.Late("x", Floats({2, 2}, {1, 2, 3, 4}))
      .In("dim", Int32s({1}, {-1}))
      .Late("index", Int32s({2, 3}, {0, 1, 0, 1, 1, 0}));
  const TensorValue y = run.Attr("dim", std::int64_t{0}).Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{2, 3}));
  ExpectNear(y, {1, 2, 1, 4, 4, 3});
}

TEST(Bitcast, ReadsTheSameBytesAsAnotherType) {
  const auto cast = [](const TensorValue& x, DataType type, bool keep) {
    return OpRun("Bitcast").Late("x", x).Attr("type", type).Attr("keep_dim", keep).Out("y").Run();
  };
  const TensorValue x = Floats({2}, {1, -2});
  const TensorValue words = cast(x, DataType::kInt32, false);
  EXPECT_EQ(words.dims(), (Dims{2}));
  ExpectNear(words, {0x3F800000, static_cast<double>(static_cast<std::int32_t>(0xC0000000))});
  const TensorValue bytes = cast(x, DataType::kUint8, false);
  EXPECT_EQ(bytes.dims(), (Dims{2, 4}));
  ExpectNear(bytes, {0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0});
  ExpectNear(cast(bytes, DataType::kFloat, false), {1, -2});
  EXPECT_EQ(cast(x, DataType::kUint8, true).dims(), (Dims{8}));
  EXPECT_EQ(cast(x, DataType::kInt64, true).dims(), (Dims{1}));
  EXPECT_THROW(cast(Floats({3}, {1, 2, 3}), DataType::kInt64, false), Error);
  EXPECT_THROW(cast(x, DataType::kInt4, false), Error);
}

TEST(TileWithAxis, RepeatsAlongOneAxis) {
  const auto tile = [](std::int64_t axis, std::int64_t tiles) {
    return OpRun("TileWithAxis")
        .Late("x", Floats({2, 2}, {1, 2, 3, 4}))
        .Attr("axis", axis)
        .Attr("tiles", tiles)
        .Out("y")
        .Run();
  };
  ExpectNear(tile(1, 2), {1, 2, 1, 2, 3, 4, 3, 4});
  ExpectNear(tile(-2, 2), {1, 2, 3, 4, 1, 2, 3, 4});
  EXPECT_EQ(tile(0, 0).dims(), (Dims{0, 2}));
  EXPECT_THROW(tile(2, 2), Error);
  EXPECT_THROW(tile(0, -1), Error);
}

TEST(Fills, TakesShapeAndTypeFromItsInput) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kInt32})
    ExpectNear(OpRun("Fills").Late("x", Tensor(type, {2}, {1, 2})).Attr("value", 3.0f).Out("y").Run(),
               {3, 3});
}

TEST(HardMax, MarksTheFirstMaximum) {
  const double nan = std::nan("");
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble}) {
    const auto run = [&](std::vector<double> x, std::int64_t axis) {
      return OpRun("HardMax").Late("x", Tensor(type, {2, 3}, x)).Attr("axis", axis).Out("y").Run();
    };
    ExpectNear(run({1, 3, 3, -1, -2, -3}, -1), {0, 1, 0, 1, 0, 0});
    ExpectNear(run({1, 3, 3, 1, 4, -3}, 0), {1, 0, 1, 0, 1, 0});
    ExpectNear(run({1, nan, 3, nan, nan, -3}, 1), {0, 1, 0, 1, 0, 0});
  }
}

TEST(Roll, MovesRoundTheEnds) {
  const TensorValue x = Counted({2, 3});
  const auto roll = [&](const Ints& shifts, const Ints& dims) {
    return OpRun("Roll").Late("x", x).Attr("shifts", shifts).Attr("dims", dims).Out("y").Run();
  };
  ExpectNear(roll({1}, {}), {5, 0, 1, 2, 3, 4});
  ExpectNear(roll({-7}, {}), {1, 2, 3, 4, 5, 0});
  ExpectNear(roll({1}, {1}), {2, 0, 1, 5, 3, 4});
  ExpectNear(roll({1, -1}, {0, -1}), {4, 5, 3, 1, 2, 0});
  ExpectNear(roll({1, 1}, {1, 1}), {1, 2, 0, 4, 5, 3});
  EXPECT_THROW(roll({1, 2}, {0}), Error);
  EXPECT_THROW(roll({1, 2}, {}), Error);
  EXPECT_THROW(roll({1}, {2}), Error);
  OpRun tensors("RollV2");
  tensors.Late("input", x).In("shift", Int32s({1}, {1})).In("axes", Int32s({1}, {0}));
  ExpectNear(tensors.Out("output").Run(), {3, 4, 5, 0, 1, 2});
  EXPECT_EQ(OpRun("Roll").Late("x", Floats({0}, {})).Attr("shifts", Ints{3}).Out("y").Run().dims(),
            (Dims{0}));
}

TEST(LinSpace, HasBothEnds) {
  for (const DataType type : {DataType::kFloat, DataType::kDouble}) {
    const auto run = [&](double num) {
      OpRun op("LinSpace");
      op.Late("start", Tensor(type, {}, {1}))
          .Late("stop", Tensor(type, {1}, {2}))
          .In("num", Int32s({}, {num}));
      return op.Out("output").Run();
    };
    ExpectNear(run(5), {1, 1.25, 1.5, 1.75, 2});
    ExpectNear(run(1), {1});
    EXPECT_THROW(run(0), Error);
  }
}

TEST(Eye, HasOnesOnTheDiagonal) {
  const auto eye = [](std::int64_t rows, std::int64_t columns, const Ints& batch, std::int64_t type) {
    OpRun op("Eye");
    op.Attr("num_rows", rows).Attr("num_columns", columns).Attr("batch_shape", batch).Attr("dtype", type);
    return op.Out("y").Run();
  };
  ExpectNear(eye(2, 0, {}, 0), {1, 0, 0, 1});
  const TensorValue wide = eye(2, 3, {2}, 3);
  EXPECT_EQ(wide.type().type, DataType::kInt32);
  EXPECT_EQ(wide.dims(), (Dims{2, 2, 3}));
  ExpectNear(wide, {1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0});
  EXPECT_THROW(eye(-1, 0, {}, 0), Error);
  EXPECT_THROW(eye(2, 2, {1 << 30, 1 << 30, 1 << 30}, 0), Error);
}

TensorValue Matrix(const char* type, const TensorValue& diagonal, const Ints& k, std::int64_t rows,
                   std::int64_t columns, const char* align) {
  OpRun run(type);
  run.Late("x", diagonal).In("k", List(k)).In("num_rows", List({rows})).In("num_cols", List({columns}));
  run.Late("padding_value", Tensor(diagonal.type().type, {}, {9}));
  if (align != nullptr) run.Attr("align", std::string(align));
  return run.Out("y").Run();
}

TEST(MatrixDiag, MakesMatricesOfDiagonals) {
  ExpectNear(OpRun("MatrixDiag").Late("x", Floats({2, 2}, {1, 2, 3, 4})).Out("y").Run(),
             {1, 0, 0, 2, 3, 0, 0, 4});
  const TensorValue one = Floats({2}, {1, 2});
  ExpectNear(Matrix("MatrixDiagV2", one, {1}, -1, -1, nullptr), {9, 1, 9, 9, 9, 2, 9, 9, 9});
  ExpectNear(Matrix("MatrixDiagV2", one, {-1}, -1, 2, nullptr), {9, 9, 1, 9, 9, 2});
  ExpectNear(Matrix("MatrixDiagV3", one, {0}, 2, 3, "RIGHT_LEFT"), {1, 9, 9, 9, 2, 9});
  EXPECT_THROW(Matrix("MatrixDiagV2", one, {1}, 2, 2, nullptr), Error);
  EXPECT_THROW(Matrix("MatrixDiagV2", one, {1, 0}, -1, -1, nullptr), Error);
  EXPECT_THROW(Matrix("MatrixDiagV3", one, {0}, -1, -1, "UP_DOWN"), Error);
}

// A band of a 3 by 3 matrix: two diagonals above 1 2 3 and one below.
TEST(MatrixDiag, AlignsBandsOnEitherSide) {
  const std::vector<double> matrix = {4, 1, 9, 7, 5, 2, 9, 8, 6};
  const TensorValue left = Floats({3, 3}, {1, 2, 0, 4, 5, 6, 7, 8, 0});
  const TensorValue right_left = Floats({3, 3}, {0, 1, 2, 4, 5, 6, 7, 8, 0});
  const TensorValue right = Floats({3, 3}, {0, 1, 2, 4, 5, 6, 0, 7, 8});
  ExpectNear(Matrix("MatrixDiagV2", left, {-1, 1}, -1, -1, nullptr), matrix);
  ExpectNear(Matrix("MatrixDiagV3", right_left, {-1, 1}, -1, -1, nullptr), matrix);
  ExpectNear(Matrix("MatrixDiagV3", right, {-1, 1}, -1, -1, "RIGHT_RIGHT"), matrix);
  const auto part = [&](const char* type, const char* align) {
    OpRun run(type);
    run.Late("x", Floats({3, 3}, matrix)).In("k", List({-1, 1})).Late("padding_value", Floats({}, {0}));
    if (align != nullptr) run.Attr("align", std::string(align));
    return run.Out("y").Run();
  };
  ExpectNear(part("MatrixDiagPartV2", nullptr), Numbers(left));
  ExpectNear(part("MatrixDiagPartV3", nullptr), Numbers(right_left));
  ExpectNear(part("MatrixDiagPartV3", "RIGHT_RIGHT"), Numbers(right));
  OpRun set("MatrixSetDiagV3");
  set.Late("input", Floats({3, 3}, std::vector<double>(9, 9.0)))
      .Late("diagonal", right_left)
      .In("k", List({-1, 1}));
  ExpectNear(set.Out("output").Run(), matrix);
}

TEST(MatrixDiagPart, TakesDiagonalsOfEveryType) {
  for (const DataType type : kOneTypePerSize) {
    const TensorValue x = Tensor(type, {1, 2, 3}, {1, 2, 3, 4, 5, 6});
    const TensorValue y = OpRun("MatrixDiagPart").Late("x", x).Out("y").Run();
    EXPECT_EQ(y.dims(), (Dims{1, 2}));
    ExpectNear(y, {1, 5});
    const TensorValue d = Tensor(type, {1, 2}, {7, 8});
    ExpectNear(OpRun("MatrixSetDiag").Late("x", x).Late("diagonal", d).Out("y").Run(), {7, 2, 3, 4, 8, 6});
  }
  OpRun outside("MatrixDiagPartV2");
  outside.Late("input", Floats({2, 2}, {1, 2, 3, 4}))
      .In("k", List({2}))
      .Late("padding_value", Floats({}, {0}));
  EXPECT_THROW(outside.Out("diagonal").Run(), Error);
}

TEST(Rotary, TurnsHalvesOrPairs) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}) {
    const TensorValue x = Tensor(type, {2, 1, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
    const TensorValue cosine = Tensor(type, {2, 1, 4}, {1, 1, 1, 1, 2, 2, 2, 2});
    const TensorValue sine = Tensor(type, {2, 1, 4}, {10, 10, 10, 10, 0, 0, 0, 1});
    OpRun halves("RotaryMul"), pairs("RotaryPositionEmbedding");
    ExpectNear(halves.Late("x", x).Late("r1", cosine).Late("r2", sine).Out("y").Run(),
               {-29, -38, 13, 24, 10, 12, 14, 22});
    pairs.Late("x", x).Late("cos", cosine).Late("sin", sine).Attr("mode", std::int64_t{1});
    ExpectNear(pairs.Out("y").Run(), {-19, 12, -37, 34, 10, 12, 14, 23});
  }
}

TEST(Rotary, BroadcastsAnglesOverHeads) {
  OpRun run("ApplyRotaryPosEmb");
  run.Late("query", Floats({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}))
      .Late("key", Floats({1, 2, 1, 2}, {1, 2, 3, 4}));
  run.Late("cos", Floats({1, 2, 1, 2}, {1, 1, 0, 0})).Late("sin", Floats({1, 2, 1, 2}, {0, 0, 1, 1}));
  const auto out = run.Out("query").Out("key").RunAll();
  ExpectNear(out[0], {1, 2, 3, 4, -6, 5, -8, 7});
  ExpectNear(out[1], {1, 2, -4, 3});
  OpRun odd("RotaryMul");
  odd.Late("x", Floats({3}, {1, 2, 3})).Late("r1", Floats({3}, {1, 2, 3})).Late("r2", Floats({3}, {1, 2, 3}));
  EXPECT_THROW(odd.Out("y").Run(), Error);
}

TEST(SwiGlu, GatesTheSecondHalf) {
  const auto silu = [](double x) { return x / (1 + std::exp(-x)); };
  const TensorValue x = Floats({2, 2}, {1, 2, 3, 4});
  ExpectNear(OpRun("SwiGlu").Late("x", x).Out("y").Run(), {silu(1) * 2, silu(3) * 4}, 1e-5);
  ExpectNear(OpRun("SwiGlu").Late("x", x).Attr("dim", std::int64_t{0}).Out("y").Run(),
             {silu(1) * 3, silu(2) * 4}, 1e-5);
  EXPECT_THROW(OpRun("SwiGlu").Late("x", Floats({3}, {1, 2, 3})).Out("y").Run(), Error);
  const TensorValue large = Random(DataType::kFloat, {3, 20002}, 1);
  const std::vector<double> numbers = Numbers(large);
  std::vector<double> expected;
  for (std::size_t i = 0; i < 3 * 10001; ++i) {
    const std::size_t at = i / 10001 * 20002 + i % 10001;
    expected.push_back(silu(numbers[at]) * numbers[at + 10001]);
  }
  ExpectNear(OpRun("SwiGlu").Late("x", large).Out("y").Run(), expected, 1e-5);
}

TEST(GeGluV2, ReturnsTheActivatedHalfToo) {
  const auto erf = [](double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); };
  const auto tanh = [](double x) {
    return x / 2 * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
  };
  for (const bool left : {false, true}) {
    OpRun run("GeGluV2");
    run.Late("x", Floats({2}, {0.5, -1}))
        .Attr("activate_left", left)
        .Attr("approximate", std::int64_t{left ? 0 : 1});
    const auto out = run.Out("y").Out("gelu").RunAll();
    const double part = left ? erf(0.5) : tanh(-1);
    ExpectNear(out[1], {part}, 1e-5);
    ExpectNear(out[0], {part * (left ? -1 : 0.5)}, 1e-5);
  }
}

}  // namespace
}  // namespace foothold
