// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/stored_product.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/half_float.h"

namespace foothold {
namespace {

constexpr FloatKind kKinds[] = {FloatKind::kFloat, FloatKind::kFloat16, FloatKind::kBfloat16};

// Elements of a kind, and what they are as numbers.
class Elements {
 public:
  Elements(FloatKind kind, std::size_t count, double phase)
      : kind_(kind), bytes_(count * BytesOf(kind)), count_(count) {
    for (std::size_t i = 0; i < count; ++i)
      Set(i, static_cast<float>(std::sin(0.7 * static_cast<double>(i) + phase)));
  }

  void Set(std::size_t i, float value) {
    const std::uint16_t half =
        kind_ == FloatKind::kFloat16 ? Float16FromFloat(value) : BFloat16FromFloat(value);
    if (kind_ == FloatKind::kFloat)
      std::memcpy(&bytes_[i * sizeof(value)], &value, sizeof(value));
    else
      std::memcpy(&bytes_[i * sizeof(half)], &half, sizeof(half));
  }

  double At(std::size_t i) const {
    float value = 0;
    std::uint16_t half = 0;
    if (kind_ == FloatKind::kFloat) {
      std::memcpy(&value, &bytes_[i * sizeof(value)], sizeof(value));
      return value;
    }
    std::memcpy(&half, &bytes_[i * sizeof(half)], sizeof(half));
    return kind_ == FloatKind::kFloat16 ? FloatFromFloat16(half) : FloatFromBFloat16(half);
  }

  const std::byte* data() const { return bytes_.data(); }
  std::size_t size() const { return count_; }

 private:
  FloatKind kind_;
  std::vector<std::byte> bytes_;
  std::size_t count_;
};

std::size_t IndexOf(const StoredMatrix& matrix, std::size_t row, std::size_t column) {
  if (matrix.piece == 0) return row * matrix.row + column * matrix.column;
  return row / matrix.piece * matrix.piece_step + column * matrix.piece + row % matrix.piece;
}

std::vector<float> RunPlan(const MatMulSize& size, const StoredOperand& left, const StoredOperand& right,
                           const Elements& a, const Elements& b, const GemmEpilogue& finish) {
  const StoredProductPlan plan(size, left, right);
  std::vector<std::byte> workspace(plan.WorkspaceBytes() + 64);
  auto* aligned = workspace.data() + (64 - reinterpret_cast<std::uintptr_t>(workspace.data()) % 64) % 64;
  std::vector<float> out(left.at.size() * size.rows * size.columns, -7.0f);
  plan.Run(a.data(), b.data(), out.data(), finish, aligned);
  return out;
}

// Against plain sums, with a bias and a residual.
void Check(const MatMulSize& size, const StoredOperand& left, const StoredOperand& right,
           std::size_t left_count, std::size_t right_count) {
  SCOPED_TRACE(testing::Message() << size.rows << "x" << size.depth << "x" << size.columns << " kinds "
                                  << int(left.matrix.kind) << int(right.matrix.kind) << " strides "
                                  << left.matrix.row << "," << left.matrix.column << " " << right.matrix.row
                                  << "," << right.matrix.column << " pieces of " << right.matrix.piece);
  const Elements a(left.matrix.kind, left_count, 1), b(right.matrix.kind, right_count, 2);
  const Elements bias(FloatKind::kFloat, size.columns, 3),
      residual(FloatKind::kFloat, left.at.size() * size.rows * size.columns, 4);
  const auto out = RunPlan(size, left, right, a, b,
                           {.column_bias = reinterpret_cast<const float*>(bias.data()),
                            .residual = reinterpret_cast<const float*>(residual.data())});
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t column = i % size.columns, row = i / size.columns % size.rows;
    const std::size_t matrix = i / size.columns / size.rows;
    double sum = bias.At(column) + residual.At(i);
    for (std::size_t k = 0; k < size.depth; ++k)
      sum += a.At(left.at[matrix] + IndexOf(left.matrix, row, k)) *
             b.At(right.at[matrix] + IndexOf(right.matrix, k, column));
    ASSERT_NEAR(out[i], sum, 1e-4 * (1 + std::sqrt(double(size.depth)))) << "element " << i;
  }
}

// Row counts of all ways; sizes that are no multiples of anything, and such that are.
const MatMulSize kSizes[] = {{1, 1, 1},     {1, 70, 33},  {1, 700, 20}, {2, 5, 3},
                             {3, 16, 64},   {8, 37, 100}, {13, 9, 257}, {48, 33, 40},
                             {49, 70, 300}, {60, 7, 9},   {1, 130, 64}, {230, 40, 17}};

TEST(StoredProduct, MultipliesAllKindsInBothOrders) {
  for (const MatMulSize& size : kSizes)
    for (const FloatKind left : kKinds)
      for (const FloatKind right : kKinds)
        for (int order = 0; order < 4; ++order) {
          const bool across = order & 1, along = order & 2;
          const StoredMatrix a{left, nullptr, across ? 1 : size.depth, across ? size.rows : 1};
          const StoredMatrix b{right, nullptr, along ? 1 : size.columns, along ? size.depth : 1};
          Check(size, {a, {0}}, {b, {0}}, size.rows * size.depth, size.depth * size.columns);
        }
}

TEST(StoredProduct, ReadsRowsThatAreFarApart) {
  for (const MatMulSize& size : kSizes)
    for (const FloatKind kind : kKinds)
      for (const bool along : {false, true}) {
        const std::size_t line = (along ? size.depth : size.columns) + 5;
        const StoredMatrix a{kind, nullptr, size.depth + 3, 1};
        const StoredMatrix b{kind, nullptr, along ? 1 : line, along ? line : 1};
        Check(size, {a, {2}}, {b, {1}}, size.rows * (size.depth + 3) + 2,
              line * (along ? size.columns : size.depth) + 1);
      }
}

TEST(StoredProduct, ReadsElementsThatAreNotSideBySide) {
  for (const MatMulSize& size : {MatMulSize{1, 20, 9}, {7, 11, 30}, {55, 40, 20}})
    for (const FloatKind kind : kKinds) {
      const StoredMatrix a{kind, nullptr, 3 * size.depth, 3}, b{kind, nullptr, 2, 2 * size.depth};
      Check(size, {a, {0}}, {b, {0}}, 3 * size.rows * size.depth, 2 * size.depth * size.columns);
    }
}

TEST(StoredProduct, MeetsMatricesAsItIsTold) {
  for (const std::size_t rows : {1u, 4u, 50u})
    for (const FloatKind kind : kKinds) {
      const MatMulSize size{rows, 19, 21};
      const StoredMatrix a{kind, nullptr, 21, 1}, b{kind, nullptr, 1, 21};
      const std::size_t left = rows * 21, right = 21 * 19;
      Check(size, {a, {0, left, 0, left}}, {b, {right, 0, 0, right}}, 2 * left, 2 * right);
    }
}

TEST(StoredProduct, ReadsColumnsInPieces) {
  for (const std::size_t rows : {1u, 2u, 20u, 64u})
    for (const std::size_t piece : {8u, 16u, 32u})
      for (const FloatKind kind : kKinds) {
        const MatMulSize size{rows, 48, 288};
        const StoredMatrix a{FloatKind::kFloat, nullptr, size.depth, 1};
        const StoredMatrix b{kind, nullptr, 1, piece, piece, piece * size.columns};
        Check(size, {a, {0}}, {b, {0}}, rows * size.depth, size.depth * size.columns);
      }
}

TEST(StoredProduct, IsZeroWithoutDepth) {
  for (const std::size_t rows : {1u, 3u, 60u}) {
    const StoredMatrix a{FloatKind::kFloat, nullptr, 0, 1}, b{FloatKind::kFloat16, nullptr, 1, 0};
    const Elements none(FloatKind::kFloat, 0, 0);
    for (const float sum : RunPlan({rows, 5, 0}, {a, {0}}, {b, {0}}, none, none, {}))
      EXPECT_EQ(sum, 0.0f);
  }
}

TEST(StoredProduct, KeepsNaNAndInfinities) {
  for (const FloatKind kind : {FloatKind::kFloat16, FloatKind::kBfloat16})
    for (const std::size_t rows : {1u, 3u, 60u})
      for (const bool along : {false, true}) {
        const MatMulSize size{rows, 40, 24};
        const StoredMatrix a{FloatKind::kFloat, nullptr, size.depth, 1};
        const StoredMatrix b{kind, nullptr, along ? 1 : size.columns, along ? size.depth : 1};
        Elements left(FloatKind::kFloat, rows * size.depth, 1), right(kind, size.depth * size.columns, 2);
        for (std::size_t i = 0; i < left.size(); ++i)
          left.Set(i, 1);
        right.Set(IndexOf(b, 3, 7), std::numeric_limits<float>::quiet_NaN());
        right.Set(IndexOf(b, 20, 39), std::numeric_limits<float>::infinity());
        const auto out = RunPlan(size, {a, {0}}, {b, {0}}, left, right, {});
        EXPECT_TRUE(std::isnan(out[7]));
        EXPECT_EQ(out[39], std::numeric_limits<float>::infinity());
        EXPECT_TRUE(std::isfinite(out[6]));
      }
}

TEST(StoredProduct, ActivatesWhatIsComplete) {
  for (const std::size_t rows : {1u, 5u, 60u}) {
    const MatMulSize size{rows, 70, 300};
    const StoredMatrix a{FloatKind::kFloat16, nullptr, 300, 1}, b{FloatKind::kBfloat16, nullptr, 1, 300};
    const Elements left(a.kind, rows * 300, 1), right(b.kind, 300 * 70, 2);
    const auto plain = RunPlan(size, {a, {0}}, {b, {0}}, left, right, {});
    const auto sigmoid =
        RunPlan(size, {a, {0}}, {b, {0}}, left, right, {.activation = {Activation::kSigmoid}});
    for (std::size_t i = 0; i < plain.size(); ++i)
      EXPECT_NEAR(sigmoid[i], 1 / (1 + std::exp(-plain[i])), 1e-5) << i;
  }
}

}  // namespace
}  // namespace foothold
