// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/matmul.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>
#include <vector>

namespace foothold {
namespace {

std::vector<float> Numbers(std::size_t count, int step) {
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = static_cast<float>(static_cast<int>(i * static_cast<std::size_t>(step) % 17) - 8) / 4;
  return numbers;
}

// Small whole numbers of quarters: every sum is exact in any order.
std::vector<float> ByDefinition(const MatMulSize& size, const std::vector<float>& left,
                                const std::vector<float>& right, const std::vector<float>& bias) {
  std::vector<float> out;
  for (std::size_t i = 0; i < size.rows; ++i)
    for (std::size_t j = 0; j < size.columns; ++j) {
      float sum = bias[j];
      for (std::size_t k = 0; k < size.depth; ++k)
        sum += left[i * size.depth + k] * right[k * size.columns + j];
      out.push_back(sum);
    }
  return out;
}

class MatMul : public testing::TestWithParam<std::size_t> {};

// Rows that leave over any part of a tile, and more than one part of the depth.
TEST_P(MatMul, IsTheProductForAnyNumberOfRows) {
  for (const std::size_t depth : {3, 300})
    for (const bool packed : {false, true}) {
      const MatMulSize size{GetParam(), 37, depth};
      const MatMulPlan plan(size, {depth, 1}, {size.columns, 1}, {0}, {0}, 1,
                            packed ? RightForm::kPacked : RightForm::kAsGiven);
      const auto left = Numbers(size.rows * depth, 5), right = Numbers(depth * size.columns, 7);
      const auto bias = Numbers(size.columns, 3);
      std::vector<float> panels(plan.PackedRightBytes() / sizeof(float));
      plan.PackRightMatrices(right.data(), panels.data());
      std::vector<float> out(size.rows * size.columns + 1, 42.0f);
      std::vector<std::byte> workspace(plan.WorkspaceBytes() + 64);
      void* aligned = workspace.data();
      std::size_t room = workspace.size();
      std::align(64, plan.WorkspaceBytes(), aligned, room);
      plan.Run(left.data(), packed ? panels.data() : right.data(), out.data(), {.column_bias = bias.data()},
               static_cast<std::byte*>(aligned));
      EXPECT_EQ(out.back(), 42.0f);
      out.pop_back();
      EXPECT_EQ(out, ByDefinition(size, left, right, bias)) << "depth " << depth << ", packed " << packed;
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, MatMul,
                         testing::Values(1, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 128, 217, 224));

std::vector<float> InOrder(const MatMulSize& size, RightForm form, PanelOrder order) {
  const MatMulPlan plan(size, {size.depth, 1}, {size.columns, 1}, {0}, {0}, 1, form);
  std::vector<float> panels(plan.PackedRightBytes() / sizeof(float)), out(size.rows * size.columns);
  plan.PackRightMatrices(Numbers(size.depth * size.columns, 7).data(), panels.data());
  std::vector<std::byte> workspace(plan.WorkspaceBytes() + 64);
  void* aligned = workspace.data();
  std::size_t room = workspace.size();
  std::align(64, plan.WorkspaceBytes(), aligned, room);
  const auto left = Numbers(size.rows * size.depth, 5), bias = Numbers(size.columns, 3);
  plan.Run(left.data(), panels.data(), out.data(),
           {.column_bias = bias.data(), .activation = {Activation::kSigmoid}},
           static_cast<std::byte*>(aligned), order);
  return out;
}

class OrderedMatMul : public testing::TestWithParam<std::tuple<std::size_t, std::size_t, RightForm>> {};

TEST_P(OrderedMatMul, IsTheSameInEveryOrderOfPanels) {
  const auto [rows, columns, form] = GetParam();
  for (const std::size_t depth : {3, 300, 1100}) {
    const MatMulSize size{rows, columns, depth};
    const auto any = InOrder(size, form, PanelOrder::kAny);
    EXPECT_EQ(InOrder(size, form, PanelOrder::kForwards), any) << "depth " << depth;
    EXPECT_EQ(InOrder(size, form, PanelOrder::kBackwards), any) << "depth " << depth;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, OrderedMatMul,
    testing::Combine(testing::Values(1, 2, 7, 8, 12, 13), testing::Values(1, 37, 200, 1030),
                     testing::Values(RightForm::kPacked, RightForm::kNarrow, RightForm::kHalf)));

double ActivatedByDefinition(Activation kind, double x) {
  const double gate = 1 / (1 + std::exp(-x));
  switch (kind) {
    case Activation::kSigmoid:
      return gate;
    case Activation::kSilu:
      return x * gate;
    case Activation::kGelu:
      return x * 0.5 * std::erfc(-x / std::sqrt(2.0));
    case Activation::kTanhGelu:
      return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
    case Activation::kHardSwish:
      return x * std::min(std::max(x / 6 + 0.5, 0.0), 1.0);
    default:
      return x;
  }
}

// The product of a column of numbers and a row of ones: every number once in each column.
TEST(MatMulActivation, IsThatOfItsDefinition) {
  std::vector<float> numbers = {-1e30f, -300.0f, -90.0f, 90.0f, 300.0f, 1e30f, NAN};
  for (int i = -800; i <= 800; ++i)
    numbers.push_back(static_cast<float>(i) / 80);
  const MatMulSize size{numbers.size(), 37, 1};
  const MatMulPlan plan(size, {1, 1}, {37, 1}, {0}, {0}, 1, RightForm::kAsGiven);
  const std::vector<float> ones(size.columns, 1.0f);
  std::vector<std::byte> workspace(plan.WorkspaceBytes() + 64);
  void* aligned = workspace.data();
  std::size_t room = workspace.size();
  std::align(64, plan.WorkspaceBytes(), aligned, room);
  for (const Activation kind : {Activation::kSigmoid, Activation::kSilu, Activation::kGelu,
                                Activation::kTanhGelu, Activation::kHardSwish}) {
    std::vector<float> out(size.rows * size.columns);
    plan.Run(numbers.data(), ones.data(), out.data(), {.activation = {kind, -INFINITY, INFINITY, 0}},
             static_cast<std::byte*>(aligned));
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double x = numbers[i / size.columns];
      if (std::isnan(x)) {
        ASSERT_TRUE(std::isnan(out[i])) << "activation " << static_cast<int>(kind) << " of NaN is " << out[i];
        continue;
      }
      ASSERT_NEAR(out[i], ActivatedByDefinition(kind, x),
                  6e-7 * std::clamp(std::abs(x), 1.0, x < 0 ? 10.0 : 1e30))
          << "of " << x << ", activation " << static_cast<int>(kind);
    }
  }
}

}  // namespace
}  // namespace foothold
