// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/narrow_weights.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <tuple>
#include <vector>

#include "base/thread_pool.h"
#include "kernels/matmul.h"

namespace foothold {
namespace {

// By the definition: of four floats, three lie in the upper bytes of words, the last in their lowest ones.
std::vector<float> Widened(const std::vector<std::uint32_t>& words, std::size_t lanes) {
  std::vector<float> wide;
  for (std::size_t at = 0; at < words.size(); at += 3 * lanes) {
    for (std::size_t i = 0; i < 3 * lanes; ++i)
      wide.push_back(std::bit_cast<float>(words[at + i] & ~0xffu));
    for (std::size_t i = at; i < at + lanes; ++i)
      wide.push_back(std::bit_cast<float>((words[i] & 0xff) << 24 | (words[i + lanes] & 0xff) << 16 |
                                          (words[i + 2 * lanes] & 0xff) << 8));
  }
  return wide;
}

// A panel of an odd depth, all of it one weight, narrow and wide again: every place of the words is met.
std::vector<float> ThereAndBack(float weight) {
  constexpr std::size_t kDepth = 5;
  const std::size_t width = TileOfGemm().columns;
  const std::vector<float> panel(kDepth * width, weight);
  std::vector<std::uint32_t> words(NarrowPanelWords(kDepth));
  NarrowPanel(panel.data(), kDepth, words.data());
  std::vector<float> wide = Widened(words, width / 2);
  for (std::size_t j = 0; j < width; ++j)
    EXPECT_EQ(std::bit_cast<std::uint32_t>(wide[kDepth * width + j]), 0u) << "behind the depth";
  wide.resize(kDepth * width);
  return wide;
}

class NarrowWeight : public testing::TestWithParam<std::uint32_t> {};

// Of itself, or of the least normal number.
TEST_P(NarrowWeight, IsWithinItsRounding) {
  const auto weight = std::bit_cast<float>(GetParam());
  for (const float found : ThereAndBack(weight)) {
    ASSERT_EQ(std::isnan(found), std::isnan(weight)) << found;
    ASSERT_EQ(std::isinf(found), std::isinf(weight)) << found;
    ASSERT_EQ(std::signbit(found), std::signbit(weight)) << found;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(found) & 0xff, 0u) << found;
    if (!std::isfinite(weight)) continue;
    const bool cut = std::abs(weight) > 3.402e38f;  // what would be rounded to infinity
    const float most = std::ldexp(std::max(std::abs(weight), FLT_MIN), cut ? -15 : -16);
    ASSERT_LE(std::abs(found - weight), most) << weight;
  }
}

INSTANTIATE_TEST_SUITE_P(Bits, NarrowWeight,
                         testing::Values(0u, 0x80000000u,                                     // zeros
                                         0x00000001u, 0x0000007fu, 0x00000080u, 0x807fffffu,  // denormals
                                         0x00800000u, 0x00800080u, 0x80ffffffu,  // the least normal ones
                                         0x3f800000u, 0x3f80007fu, 0x3f800080u, 0xbf8000ffu,  // about one
                                         0x3fffff7fu, 0x3fffff80u, 0x3fffffffu,
                                         0xc2f6e979u,  // carries into the exponent
                                         0x7f7fff7fu, 0x7f7fff80u, 0x7f7fffffu,
                                         0xff7fffffu,               // the largest ones
                                         0x7f800000u, 0xff800000u,  // infinities
                                         0x7f800001u, 0x7fffffffu, 0xffffffffu, 0xffc00000u))  // NaN
;

// Numbers of 16 bits, which stay what they are.
std::vector<float> ExactWeights(std::size_t count) {
  std::vector<float> weights(count);
  for (std::size_t i = 0; i < count; ++i)
    weights[i] = std::ldexp(static_cast<float>(static_cast<int>(i * 7919 % 65536) - 32768), -12);
  return weights;
}

std::vector<float> Waves(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = std::sin(0.7f * static_cast<float>(i) + 1);
  return values;
}

// With everything an epilogue can do.
std::vector<float> ProductOf(const MatMulSize& size, RightForm form, const std::vector<float>& right) {
  const MatMulPlan plan(size, {size.depth, 1}, {1, size.depth}, {0}, {0}, 1, form);
  std::vector<float> packed(plan.PackedRightBytes() / sizeof(float));
  plan.PackRightMatrices(right.data(), packed.data());
  const auto left = Waves(size.rows * size.depth), bias = Waves(size.columns);
  const auto residual = Waves(size.rows * size.columns);
  std::vector<float> out(size.rows * size.columns);
  std::vector<std::byte> workspace(plan.WorkspaceBytes() + 64);
  void* aligned = workspace.data();
  std::size_t room = workspace.size();
  std::align(64, plan.WorkspaceBytes(), aligned, room);
  plan.Run(left.data(), packed.data(), out.data(),
           {.column_bias = bias.data(), .residual = residual.data(), .activation = {Activation::kSigmoid}},
           static_cast<std::byte*>(aligned));
  return out;
}

using ProductCase = std::tuple<std::size_t, std::size_t, std::size_t, int>;
class NarrowProduct : public testing::TestWithParam<ProductCase> {};

TEST_P(NarrowProduct, IsThatOfFloatsToTheLastBitIfWeightsAreExact) {
  const auto [rows, columns, depth, threads] = GetParam();
  const CoreLimit limit(threads);
  const MatMulSize size{rows, columns, depth};
  const std::vector<float> right = ExactWeights(columns * depth);
  EXPECT_EQ(ProductOf(size, RightForm::kNarrow, right), ProductOf(size, RightForm::kPacked, right));
}

INSTANTIATE_TEST_SUITE_P(Sizes, NarrowProduct,
                         testing::Combine(testing::Values(1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 17),
                                          testing::Values(1, 31, 64, 130, 1000),
                                          testing::Values(0, 1, 2, 255, 256, 257, 769),
                                          testing::Values(1, 2)));

TEST(NarrowProduct, LeavesInfinitiesAndNanInTheirColumns) {
  const MatMulSize size{1, 40, 300};
  std::vector<float> right = ExactWeights(size.columns * size.depth);
  right[3 * size.depth + 299] = INFINITY;
  right[7 * size.depth + 2] = std::bit_cast<float>(0x7f800001u);
  const auto narrow = ProductOf(size, RightForm::kNarrow, right);
  const auto plain = ProductOf(size, RightForm::kPacked, right);
  EXPECT_TRUE(std::isnan(narrow[7]));
  for (std::size_t j = 0; j < size.columns; ++j)
    EXPECT_TRUE(j == 7 || narrow[j] == plain[j]) << j << ": " << narrow[j] << ", not " << plain[j];
}

TEST(NarrowProduct, TakesThreeQuartersOfTheBytes) {
  const MatMulSize size{1, 1024, 512};
  const auto bytes = [&](RightForm form) {
    return MatMulPlan(size, {512, 1}, {1024, 1}, {0}, {0}, 1, form).PackedRightBytes();
  };
  EXPECT_EQ(4 * bytes(RightForm::kNarrow), 3 * bytes(RightForm::kPacked));
}

TEST(FormOfWeights, IsNarrowForLongSumsOfManyWeightsInFewRows) {
  EXPECT_EQ(FormOfWeights({1, 1024, 256}), RightForm::kNarrow);
  EXPECT_EQ(FormOfWeights({3, 1024, 256}), RightForm::kNarrow);
  EXPECT_EQ(FormOfWeights({1, 1023, 256}), RightForm::kPacked);
  EXPECT_EQ(FormOfWeights({1, 4096, 255}), RightForm::kPacked);
  EXPECT_EQ(FormOfWeights({8, 3072, 768}), RightForm::kNarrow);
  EXPECT_EQ(FormOfWeights({8, 4096, 2048}, WeightReads::kInEveryStep), RightForm::kNarrow);
  EXPECT_EQ(FormOfWeights({9, 4096, 4096}), RightForm::kPacked);
  EXPECT_EQ(FormOfWeights({1, 0, 256}), RightForm::kPacked);
  EXPECT_EQ(FormOfWeights({0, 4096, 4096}), RightForm::kPacked);
}

// Where one row of tiles would widen them, and the next one again, the third cache must be too small for
// them.
TEST(FormOfWeights, IsNarrowForMoreRowsIfTheyAreWidenedOnceForAll) {
  const RightForm form = RowsOfGemmAtOnce() >= 8 ? RightForm::kNarrow : RightForm::kPacked;
  EXPECT_EQ(FormOfWeights({4, 1024, 256}), form);
  EXPECT_EQ(FormOfWeights({8, 1024, 256}), form);
  EXPECT_EQ(FormOfWeights({8, 3072, 768}, WeightReads::kInEveryStep), form);
  EXPECT_EQ(FormOfWeights({8, 1023, 256}), RightForm::kPacked);
}

TEST(FormOfWeights, IsFloatsIfTheUserSaysSo) {
  setenv("FOOTHOLD_NARROW_WEIGHTS", "0", 1);
  EXPECT_EQ(FormOfWeights({1, 1024, 256}), RightForm::kPacked);
  unsetenv("FOOTHOLD_NARROW_WEIGHTS");
  EXPECT_EQ(FormOfWeights({1, 1024, 256}), RightForm::kNarrow);
}

}  // namespace
}  // namespace foothold
