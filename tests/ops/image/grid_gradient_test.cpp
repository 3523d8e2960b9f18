// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The gradients of grid sampling against differences of the loss sum(grad * y), in double.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

struct Way {
  std::string interpolation, padding;
  bool align;
  bool volume;
};

void PrintTo(const Way& way, std::ostream* out) {
  *out << way.interpolation << " " << way.padding << (way.align ? " aligned" : "")
       << (way.volume ? " 3-D" : "");
}

OpRun& Describe(OpRun& run, const Way& way) {
  run.Attr("interpolation_mode", way.interpolation).Attr("padding_mode", way.padding);
  return run.Attr("align_corners", way.align);
}

double Loss(const Way& way, const TensorValue& x, const TensorValue& grid, const std::vector<double>& grad) {
  OpRun run(way.volume ? "GridSampler3D" : "GridSampler2D");
  run.Late("x", x).Late("grid", grid);
  const std::vector<double> y = Numbers(Describe(run, way).Out("y").Run());
  double loss = 0;
  for (std::size_t i = 0; i < y.size(); ++i)
    loss += grad[i] * y[i];
  return loss;
}

// The slope of the loss along each element of one of the two.
std::vector<double> Slopes(const Way& way, const TensorValue& x, const TensorValue& grid,
                           const std::vector<double>& grad, bool by_grid) {
  const TensorValue& moved = by_grid ? grid : x;
  std::vector<double> slopes;
  for (std::size_t i = 0; i < Numbers(moved).size(); ++i) {
    const auto at = [&](double step) {
      std::vector<double> values = Numbers(moved);
      values[i] += step;
      const TensorValue other = Tensor(DataType::kDouble, moved.dims(), values);
      return by_grid ? Loss(way, x, other, grad) : Loss(way, other, grid, grad);
    };
    slopes.push_back((at(1e-6) - at(-1e-6)) / 2e-6);
  }
  return slopes;
}

// Some points are outside.
TensorValue Points(DataType type, const Dims& dims) {
  std::vector<double> values = Numbers(Random(DataType::kDouble, dims, 3));
  for (double& value : values)
    value *= 1.6;
  return Tensor(type, dims, values);
}

class GridGradient : public testing::TestWithParam<Way> {};

TEST_P(GridGradient, IsTheSlopeOfTheLoss) {
  const Way& way = GetParam();
  const TensorValue x = Random(DataType::kDouble, way.volume ? Dims{2, 3, 3, 4, 2} : Dims{2, 18, 4, 3}, 1);
  const TensorValue grid = Points(DataType::kDouble, way.volume ? Dims{2, 2, 2, 3, 3} : Dims{2, 3, 5, 2});
  const TensorValue grad = Random(DataType::kDouble, way.volume ? Dims{2, 3, 2, 2, 3} : Dims{2, 18, 3, 5}, 2);
  OpRun run(way.volume ? "GridSampler3DGrad" : "GridSampler2DGrad");
  run.Late("grad", grad).Late("x", x).Late("grid", grid);
  const auto found = Describe(run, way).Out("dx").Out("dgrid").RunAll();
  ExpectNear(found[0], Slopes(way, x, grid, Numbers(grad), false), 1e-5);
  ExpectNear(found[1], Slopes(way, x, grid, Numbers(grad), true), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Ways, GridGradient,
    testing::Values(Way{"bilinear", "zeros", false, false}, Way{"bilinear", "border", true, false},
                    Way{"bilinear", "reflection", false, false}, Way{"bilinear", "reflection", true, false},
                    Way{"nearest", "zeros", false, false}, Way{"bicubic", "zeros", false, false},
                    Way{"bicubic", "border", true, false}, Way{"bilinear", "zeros", true, true},
                    Way{"bilinear", "border", false, true}, Way{"nearest", "reflection", true, true}));

TEST(GridGradient, HasFloatsAndRefusesOtherShapes) {
  const auto run = [](DataType type, const Dims& grad) {
    OpRun op("GridSampler2DGrad");
    op.Late("grad", Random(type, grad, 1)).Late("x", Tensor(type, {1, 1, 1, 2}, {1, 3}));
    op.Late("grid", Tensor(type, {1, 1, 1, 2}, {0.25, 0})).Attr("align_corners", true);
    return op.Out("dx").Out("dgrid").RunAll();
  };
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}) {
    const auto found = run(type, {1, 1, 1, 1});
    const double grad = Numbers(Random(type, {1, 1, 1, 1}, 1))[0];
    ExpectNear(found[0], {grad * 0.375, grad * 0.625}, 1e-2);
    ExpectNear(found[1], {grad, 0}, 1e-2);
  }
  EXPECT_THROW(run(DataType::kFloat, {1, 1, 1, 2}), Error);
  EXPECT_THROW(run(DataType::kInt32, {1, 1, 1, 1}), Error);
}

}  // namespace
}  // namespace foothold
