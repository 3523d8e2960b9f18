// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using Values = std::vector<double>;

TEST(OnnxQuantizeLinear, RoundsToEvenAndSaturates) {
  OpRun op("OnnxQuantizeLinear");
  op.In("x0", Floats({7}, {-1000, -1.25, -0.75, 0.75, 1.25, 63, 1000})).In("x1", Floats({}, {0.5}));
  op.In("x2", Tensor(DataType::kUint8, {}, {128})).Out("y");
  const TensorValue y = op.Run();
  EXPECT_EQ(y.type().type, DataType::kUint8);
  EXPECT_EQ(Numbers(y), (Values{0, 126, 126, 130, 130, 254, 255}));
}

TEST(OnnxQuantizeLinear, HasZeroPointsAtTheEnds) {
  for (const double zero : {-128.0, 127.0}) {
    OpRun op("OnnxQuantizeLinear");
    op.In("x0", Floats({3}, {-300, 0, 300})).In("x1", Floats({1}, {1}));
    op.In("x2", Tensor(DataType::kInt8, {1}, {zero})).Out("y");
    EXPECT_EQ(Numbers(op.Run()), (Values{-128, zero, 127}));
  }
}

TEST(OnnxQuantizeLinear, HasScalesAlongAnAxis) {
  OpRun op("OnnxQuantizeLinear");
  op.In("x0", Floats({2, 3}, {1, 2, 3, 4, 5, 6}))
      .In("x1", Floats({3}, {1, 2, 4}))
      .Attr("axis", std::int64_t{-1});
  op.Attr("type", static_cast<std::int64_t>(DataType::kInt8)).Out("y");
  EXPECT_EQ(Numbers(op.Run()), (Values{1, 1, 1, 4, 2, 2}));
}

TEST(OnnxQuantizeLinear, RefusesScalesThatDoNotFit) {
  OpRun op("OnnxQuantizeLinear");
  op.In("x0", Floats({2, 3}, {1, 2, 3, 4, 5, 6}))
      .In("x1", Floats({3}, {1, 2, 4}))
      .Attr("axis", std::int64_t{0});
  EXPECT_THROW(op.Out("y").Run(), Error);
}

TEST(OnnxQuantizeLinear, TakesNoNumbers) {
  OpRun op("OnnxQuantizeLinear");
  op.In("x0", Floats({0, 3}, {})).In("x1", Floats({3}, {1, 2, 4})).Out("y");
  EXPECT_EQ(op.Run().dims(), (Dims{0, 3}));
}

TEST(OnnxDequantizeLinear, TakesZeroPointsAway) {
  OpRun op("OnnxDequantizeLinear");
  op.In("x0", Tensor(DataType::kInt8, {2, 2}, {-128, 127, 0, 5})).In("x1", Floats({2}, {0.5, 2}));
  op.In("x2", Tensor(DataType::kInt8, {2}, {127, -128})).Attr("axis", std::int64_t{0}).Out("y");
  EXPECT_EQ(Numbers(op.Run()), (Values{-127.5, 0, 256, 266}));
}

TEST(OnnxDequantizeLinear, TakesSums) {
  OpRun op("OnnxDequantizeLinear");
  op.In("x0", Int32s({3}, {-100000, 0, 7})).In("x1", Floats({}, {0.25})).Out("y");
  EXPECT_EQ(Numbers(op.Run()), (Values{-25000, 0, 1.75}));
}

std::vector<TensorValue> Dynamic(const Dims& dims, const Values& values) {
  OpRun op("OnnxDynamicQuantizeLinear");
  return op.In("x", Floats(dims, values)).Out("y").Out("scale").Out("zero").RunAll();
}

TEST(OnnxDynamicQuantizeLinear, FindsTheScale) {
  const auto outputs = Dynamic({2, 2}, {-1, 0, 1.55, 0.5});
  EXPECT_FLOAT_EQ(outputs[1].As<float>()[0], 0.01f);
  EXPECT_EQ(Numbers(outputs[2]), Values{100});
  EXPECT_EQ(Numbers(outputs[0]), (Values{0, 100, 255, 150}));
}

TEST(OnnxDynamicQuantizeLinear, ReachesZero) {
  const auto above = Dynamic({2}, {5, 510}), below = Dynamic({2}, {-5, -510});
  EXPECT_EQ(Numbers(above[2]), Values{0});
  EXPECT_EQ(Numbers(above[0]), (Values{2, 255}));
  EXPECT_EQ(Numbers(below[2]), Values{255});
  EXPECT_EQ(Numbers(below[0]), (Values{253, 0}));
}

TEST(OnnxDynamicQuantizeLinear, TakesZerosAndNothing) {
  const auto zeros = Dynamic({3}, {0, 0, 0}), nothing = Dynamic({0, 4}, {});
  EXPECT_EQ(Numbers(zeros[0]), (Values{0, 0, 0}));
  EXPECT_EQ(Numbers(zeros[1]), Values{1});
  EXPECT_EQ(Numbers(nothing[1]), Values{1});
}

// Their 255th part is none.
TEST(OnnxDynamicQuantizeLinear, TakesTheSmallestNumbersForZeros) {
  const auto outputs = Dynamic({3}, {1e-44, 0, -1e-44});
  EXPECT_EQ(Numbers(outputs[0]), (Values{0, 0, 0}));
  EXPECT_EQ(Numbers(outputs[1]), Values{1});
  EXPECT_EQ(Numbers(outputs[2]), Values{0});
}

TEST(OnnxDynamicQuantizeLinear, SeesAllOfManyNumbers) {
  Values values(100001, 1);
  values[70000] = -127.5;
  values[100000] = 127.5;
  const auto outputs = Dynamic({100001}, values);
  EXPECT_EQ(Numbers(outputs[1]), Values{1});
  EXPECT_EQ(Numbers(outputs[0])[70000], 0);
  EXPECT_EQ(Numbers(outputs[0])[100000], 255);
}

// Rows and columns that fill no tile, one scale or one for each column, everything that may be added.
TEST(ScaledMatMulInteger, ScalesSumsOnTheirWay) {
  for (const std::int64_t depth : {16, 37, 1040})
    for (const bool each : {false, true}) {
      constexpr std::int64_t kRows = 101, kColumns = 37;
      Values a, b, residual, scales, bias;
      for (std::int64_t i = 0; i < kRows * depth; ++i)
        a.push_back(static_cast<double>(i * 37 % 256));
      for (std::int64_t i = 0; i < kColumns * depth; ++i)
        b.push_back(static_cast<double>(i * 91 % 256 - 128));
      for (std::int64_t i = 0; i < kRows * kColumns; ++i)
        residual.push_back(static_cast<double>(i % 7));
      for (std::int64_t i = 0; i < kColumns; ++i) {
        scales.push_back(each ? 1.0 / static_cast<double>(16 << i % 3) : 0.125);
        bias.push_back(static_cast<double>(i - 5));
      }
      Values expected;
      for (std::size_t i = 0; i < kRows; ++i)
        for (std::size_t j = 0; j < kColumns; ++j) {
          double sum = 0;
          for (std::size_t k = 0; k < static_cast<std::size_t>(depth); ++k)
            sum += (a[i * static_cast<std::size_t>(depth) + k] - 255) *
                   b[j * static_cast<std::size_t>(depth) + k];
          expected.push_back(sum * scales[j] + bias[j] + residual[i * kColumns + j]);
        }
      OpRun op("ScaledMatMulInteger");
      op.Late("x0", Tensor(DataType::kUint8, {kRows, depth}, a));
      op.In("x1", Tensor(DataType::kInt8, {kColumns, depth}, b)).Attr("transpose_x2", true);
      op.In("x2", Tensor(DataType::kUint8, {}, {255}));
      op.In("scale", each ? Floats({kColumns}, scales) : Floats({}, {0.125}));
      op.In("bias", Floats({kColumns}, bias)).Late("residual", Floats({kRows, kColumns}, residual)).Out("y");
      ExpectNear(op.Run(), expected, 1e-6);
    }
}

TEST(ScaledMatMulInteger, RefusesToDoWithoutAScale) {
  OpRun op("ScaledMatMulInteger");
  op.In("x0", Tensor(DataType::kUint8, {1, 2}, {1, 2})).In("x1", Tensor(DataType::kInt8, {2, 1}, {1, 2}));
  EXPECT_THROW(op.Out("y").Run(), Error);
}

}  // namespace
}  // namespace foothold
