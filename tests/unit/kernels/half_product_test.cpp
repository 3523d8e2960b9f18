// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/half_product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/half_float.h"

namespace foothold {
namespace {

std::vector<float> Wave(std::size_t count, float phase) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = std::sin(0.7f * static_cast<float>(i) + phase);
  return values;
}

// Against sums of the rounded weights, with bias and residual.
void Check(const MatMulSize& size) {
  const auto left = Wave(size.rows * size.depth, 1), right = Wave(size.depth * size.columns, 2);
  const auto bias = Wave(size.columns, 3), residual = Wave(size.rows * size.columns, 4);
  const HalfProductPlan plan(size, {size.depth, 1}, {size.columns, 1});
  std::vector<std::uint16_t> packed(plan.PackedHalves());
  plan.Pack(right.data(), packed.data());
  std::vector<float> out(size.rows * size.columns);
  std::vector<std::byte> workspace(plan.WorkspaceBytes());
  plan.Run(left.data(), packed.data(), out.data(),
           {.column_bias = bias.data(), .residual = residual.data(), .activation = {Activation::kClip, 0}},
           workspace.data());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t row = i / size.columns, column = i % size.columns;
    double sum = double(bias[column]) + double(residual[i]);
    for (std::size_t k = 0; k < size.depth; ++k)
      sum += double(left[row * size.depth + k]) *
             double(FloatFromFloat16(Float16FromFloat(right[k * size.columns + column])));
    EXPECT_NEAR(out[i], std::max(sum, 0.0), 1e-3) << i;
  }
}

TEST(HalfProduct, MultipliesWithWeightsRoundedToFloat16) {
  Check({1, 200, 70});
  Check({9, 37, 300});
  Check({250, 65, 20});
}

TEST(HalfProduct, KnowsWhichWeightsAreTooLarge) {
  const HalfProductPlan plan({1, 1, 2}, {2, 1}, {1, 1});
  const float fine[] = {65504, -65504}, large[] = {1, 7e4f}, none[] = {0, NAN};
  EXPECT_TRUE(plan.Fits(fine));
  EXPECT_FALSE(plan.Fits(large));
  EXPECT_FALSE(plan.Fits(none));
}

}  // namespace
}  // namespace foothold
