// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/quantized_product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "kernels/quantized_rows.h"

namespace foothold {
namespace {

std::vector<float> Wave(std::size_t count, float phase) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] =
        std::sin(0.7f * static_cast<float>(i) + phase) * std::exp(-0.01f * static_cast<float>(i % 97));
  return values;
}

std::vector<std::byte> Bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i)
    bytes[i] = static_cast<std::byte>(i * i * 31 + i * 7 + i / 256);
  return bytes;
}

int WeightAt(WeightBits bits, const std::vector<std::byte>& bytes, std::size_t index) {
  if (bits == WeightBits::kEight) return static_cast<std::int8_t>(bytes[index]);
  const int nibble = std::to_integer<int>(bytes[index / 2]) >> (index % 2 == 0 ? 0 : 4) & 15;
  return nibble < 8 ? nibble : nibble - 16;
}

// At a multiple of 64.
struct Memory {
  explicit Memory(std::size_t bytes) : room(bytes + 64) {}
  std::byte* data() {
    void* at = room.data();
    std::size_t space = room.size();
    return static_cast<std::byte*>(std::align(64, space - 64, at, space));
  }
  std::vector<std::byte> room;
};

TEST(QuantizeRow, RoundsToTheNearestPartOfTheLargestOfABlock) {
  for (const int most : {kSixteenBits, kFourteenBits}) {
    std::vector<float> row = Wave(96, 1);
    std::fill_n(row.begin() + 32, 32, 0.0f);
    std::vector<std::int16_t> numbers(96);
    std::vector<float> scales(3);
    ASSERT_TRUE(QuantizeRow(row.data(), row.size(), most, numbers.data(), scales.data()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      EXPECT_LE(std::abs(numbers[i]), most);
      EXPECT_NEAR(static_cast<float>(numbers[i]) * scales[i / 32], row[i], 0.51f * scales[i / 32]) << i;
    }
    EXPECT_EQ(scales[1], 0);
  }
}

TEST(QuantizeRow, KnowsBlocksThatHaveNoScale) {
  std::vector<std::int16_t> numbers(32);
  float scale = 1;
  std::vector<float> row(32, 1e-38f);
  EXPECT_TRUE(QuantizeRow(row.data(), 32, kSixteenBits, numbers.data(), &scale));
  EXPECT_EQ(scale, 0);
  for (const float odd : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN()}) {
    row[17] = odd;
    EXPECT_FALSE(QuantizeRow(row.data(), 32, kSixteenBits, numbers.data(), &scale));
  }
}

// Sums of 14 bits times the largest weights fill 32 bits to the last.
TEST(QuantizedDot, DoesNotOverflow) {
  const std::size_t depth = 128;
  if (DotRowBytes(WeightBits::kFour, depth) == 0) GTEST_SKIP() << "this CPU has no such kernel";
  const std::vector<std::int16_t> numbers(depth, -kFourteenBits);
  const std::vector<float> ones(depth / kQuantizedBlock, 1.0f);
  const std::vector<std::byte> weights(depth / 2, std::byte{0x88});
  Memory row(DotRowBytes(WeightBits::kFour, depth));
  ArrangeDotRow(WeightBits::kFour, depth, numbers.data(), ones.data(), row.data());
  float sum = 0;
  RunDots({WeightBits::kFour, depth, 1, weights.data(), ones.data(), nullptr}, row.data(), &sum);
  EXPECT_FLOAT_EQ(sum, 128.0f * 8 * kFourteenBits);
}

struct Case {
  std::size_t rows, depth, columns, group;
  WeightBits bits;
  ScaleOrder order;
};

std::size_t ScaleAt(const Case& c, std::size_t k, std::size_t n) {
  const std::size_t groups = (c.depth + c.group - 1) / c.group;
  if (c.order == ScaleOrder::kOne) return 0;
  return c.order == ScaleOrder::kColumnsByGroups ? n * groups + k / c.group : k / c.group * c.columns + n;
}

void Check(const Case& c, bool offsets, bool exact) {
  SCOPED_TRACE(testing::Message() << c.rows << " x " << c.depth << " x " << c.columns << ", "
                                  << static_cast<int>(c.bits) << " bits, groups of " << c.group);
  const auto x = Wave(c.rows * c.depth, 1), scales = Wave(c.columns * c.depth, 2), bias = Wave(c.columns, 3);
  const auto shifts = Wave(c.columns * c.depth, 4);
  const auto weights = Bytes(c.columns * c.depth);
  QuantizedForm form;
  form.depth = c.depth;
  form.columns = c.columns;
  form.bits = c.bits;
  form.group = c.group;
  form.order = c.order;
  const QuantizedProductPlan plan(c.rows, form, offsets, exact);
  std::vector<float> out(c.rows * c.columns);
  Memory workspace(plan.WorkspaceBytes());
  const auto bytes = [](const std::vector<float>& floats) {
    return reinterpret_cast<const std::byte*>(floats.data());
  };
  plan.Run(x.data(), {weights.data(), bytes(scales), offsets ? bytes(shifts) : nullptr}, bias.data(),
           {reinterpret_cast<std::byte*>(out.data()), {}}, workspace.data());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t m = i / c.columns, n = i % c.columns;
    double sum = double{bias[n]}, size = 1;
    for (std::size_t k = 0; k < c.depth; ++k) {
      const std::size_t s = ScaleAt(c, k, n);
      const double weight = WeightAt(c.bits, weights, n * c.depth + k) + (offsets ? double{shifts[s]} : 0.0);
      sum += double{x[m * c.depth + k]} * weight * double{scales[s]};
      size += std::abs(double{x[m * c.depth + k]} * weight * double{scales[s]});
    }
    ASSERT_NEAR(out[i], sum, size * (exact ? 1e-6 : 1e-4)) << i;
  }
}

TEST(QuantizedProduct, AgreesWithPlainSums) {
  for (const WeightBits bits : {WeightBits::kFour, WeightBits::kEight})
    for (const ScaleOrder order :
         {ScaleOrder::kOne, ScaleOrder::kGroupsByColumns, ScaleOrder::kColumnsByGroups})
      for (const bool offsets : {false, true}) {
        for (const std::size_t rows : {1u, 3u, 4u, 13u})
          Check({rows, 320, 37, 32, bits, order}, offsets, false);
        Check({8, 192, 70, 96, bits, order}, offsets, false);
        Check({110, 64, 5, 32, bits, order}, offsets, false);
      }
}

TEST(QuantizedProduct, RoundsNoRowsWhereAskedTo) {
  for (const WeightBits bits : {WeightBits::kFour, WeightBits::kEight}) {
    Check({5, 64, 19, 32, bits, ScaleOrder::kColumnsByGroups}, false, true);
    Check({5, 30, 19, 7, bits, ScaleOrder::kGroupsByColumns}, true, false);
  }
}

}  // namespace
}  // namespace foothold
