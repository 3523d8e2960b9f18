// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using List = std::vector<double>;

const List kX = {1, 2, 3, -1, 0, 1, 2, 2, 2, 0.5, 1, 4};
constexpr double kScale = 0.5;

// Softmax of rows of three, without what is masked.
List Expected(const List& mask) {
  List y(kX.size());
  for (std::size_t row = 0; row < kX.size(); row += 3) {
    double sum = 0;
    for (std::size_t i = row; i < row + 3; ++i)
      sum += y[i] = mask[i] != 0 ? 0 : std::exp(kX[i] * kScale);
    for (std::size_t i = row; i < row + 3; ++i)
      y[i] /= sum;
  }
  return y;
}

const List kMask = {0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1}, kTriangle = {0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1};

struct Softmax : OpRun {
  explicit Softmax(DataType type) : OpRun("ScaledMaskedSoftmax") {
    In("x", Tensor(type, {2, 1, 2, 3}, kX)).Attr("scale", static_cast<float>(kScale)).Out("y");
  }
};

TEST(ScaledMaskedSoftmax, LeavesOutWhatIsMasked) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}) {
    Softmax masked(type), plain(type), triangle(type);
    // Repeated for every matrix.
    masked.In("mask", Tensor(DataType::kBool, {1, 1, 2, 3}, {0, 1, 0, 0, 0, 1}));
    ExpectNear(masked.Run(), Expected(kMask), 1e-2);
    ExpectNear(plain.NoInput("mask").Run(), Expected(List(12)), 1e-2);
    ExpectNear(triangle.NoInput("mask").Attr("fixed_triu_mask", true).Run(), Expected(kTriangle), 1e-2);
  }
}

TEST(ScaledMaskedSoftmax, HasAGradient) {
  const List y = Expected(kMask), g = {1, 2, -1, 0.5, 0, 3, 1, 1, 0, -2, 1, 0};
  List expected(y.size());
  for (std::size_t row = 0; row < y.size(); row += 3) {
    double sum = 0;
    for (std::size_t i = row; i < row + 3; ++i)
      sum += y[i] * g[i];
    for (std::size_t i = row; i < row + 3; ++i)
      expected[i] = kScale * y[i] * (g[i] - sum);
  }
  OpRun op("ScaledMaskedSoftmaxGrad");
  op.In("y_grad", Floats({2, 1, 2, 3}, g))
      .In("y", Floats({2, 1, 2, 3}, y))
      .In("mask", Tensor(DataType::kBool, {2, 1, 2, 3}, kMask));
  ExpectNear(op.Attr("scale", static_cast<float>(kScale)).Out("x_grad").Run(), expected, 1e-5);
}

TEST(ScaledMaskedSoftmax, RefusesMasksOfOtherSizes) {
  Softmax op(DataType::kFloat);
  EXPECT_THROW(op.In("mask", Tensor(DataType::kBool, {2, 2}, {0, 1, 0, 0})).Run(), Error);
}

TEST(ConfusionTransposeD, TransposesBeforeOrBehindAReshape) {
  const List x = {0, 1, 2, 3, 4, 5};
  const auto run = [&](const Ints& perm, const Ints& shape, bool first) {
    OpRun op("ConfusionTransposeD");
    return op.In("x", Floats({2, 3}, x))
        .Attr("perm", perm)
        .Attr("shape", shape)
        .Attr("transpose_first", first)
        .Out("y")
        .Run();
  };
  const TensorValue before = run({1, 0}, {2, 3}, true), behind = run({1, 0}, {3, 2}, false);
  EXPECT_EQ(before.dims(), (Dims{2, 3}));
  EXPECT_EQ(Numbers(before), (List{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(behind.dims(), (Dims{2, 3}));
  EXPECT_EQ(Numbers(behind), (List{0, 2, 4, 1, 3, 5}));
  EXPECT_THROW(run({1, 0}, {4, 2}, true), Error);
}

}  // namespace
}  // namespace foothold
