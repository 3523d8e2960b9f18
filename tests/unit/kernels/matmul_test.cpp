// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/matmul.h"

#include <gtest/gtest.h>

#include <memory>
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
      const MatMulPlan plan(size, {depth, 1}, {size.columns, 1}, {0}, {0}, 1, packed);
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

}  // namespace
}  // namespace foothold
