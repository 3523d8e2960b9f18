// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/half_product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "base/thread_pool.h"
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

// Of every size that halves have, and all signs: subnormal ones, the largest ones, zeros.
std::vector<float> HalfWeights(std::size_t count) {
  std::vector<float> weights(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = static_cast<std::uint16_t>(i * 7919);
    weights[i] = FloatFromFloat16((bits & 0x7c00) == 0x7c00 ? bits & 0x83ff : bits);
  }
  return weights;
}

std::vector<float> ProductOfFloats(const MatMulSize& size, const std::vector<float>& left,
                                   const std::vector<float>& right, const GemmEpilogue& finish) {
  const MatMulPlan plan(size, {size.depth, 1}, {1, size.depth}, {0}, {0}, 1, RightForm::kPacked);
  std::vector<float> packed(plan.PackedRightBytes() / sizeof(float)), out(size.rows * size.columns);
  std::vector<std::byte> workspace(plan.WorkspaceBytes());
  plan.PackRightMatrices(right.data(), packed.data());
  plan.Run(left.data(), packed.data(), out.data(), finish, workspace.data());
  return out;
}

std::vector<float> ProductOfHalves(const MatMulSize& size, const std::vector<float>& left,
                                   const std::vector<float>& right, const GemmEpilogue& finish) {
  const HalfProductPlan plan(size, {size.depth, 1}, {1, size.depth});
  std::vector<std::uint16_t> packed(plan.PackedHalves());
  std::vector<float> out(size.rows * size.columns);
  std::vector<std::byte> workspace(plan.WorkspaceBytes());
  plan.Pack(right.data(), packed.data());
  plan.Run(left.data(), packed.data(), out.data(), finish, workspace.data());
  return out;
}

using ProductCase = std::tuple<std::size_t, std::size_t, std::size_t, int>;
class ExactHalfProduct : public testing::TestWithParam<ProductCase> {};

TEST_P(ExactHalfProduct, IsThatOfFloatsToTheLastBit) {
  const auto [rows, columns, depth, threads] = GetParam();
  const CoreLimit limit(threads);
  const MatMulSize size{rows, columns, depth};
  const auto left = Wave(rows * depth, 1), right = HalfWeights(depth * columns);
  const auto bias = Wave(columns, 3), residual = Wave(rows * columns, 4);
  const GemmEpilogue finish{.column_bias = bias.data(), .residual = residual.data()};
  EXPECT_EQ(ProductOfHalves(size, left, right, finish), ProductOfFloats(size, left, right, finish));
}

INSTANTIATE_TEST_SUITE_P(Sizes, ExactHalfProduct,
                         testing::Combine(testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 36,
                                                          37),
                                          testing::Values(1, 31, 64, 130, 1000),
                                          testing::Values(0, 1, 2, 3, 255, 256, 257), testing::Values(1, 2)));

TEST(HalfProduct, KnowsWhichWeightsAreTooLarge) {
  const HalfProductPlan plan({1, 1, 2}, {2, 1}, {1, 1});
  const float fine[] = {65504, -65504}, large[] = {1, 7e4f}, none[] = {0, NAN};
  EXPECT_TRUE(plan.Fits(fine));
  EXPECT_FALSE(plan.Fits(large));
  EXPECT_FALSE(plan.Fits(none));
}

}  // namespace
}  // namespace foothold
