// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "kernels/half_float.h"

namespace foothold {
namespace {

constexpr std::size_t kMany = 200'000;

struct Moments {
  double mean = 0;
  double variance = 0;
};

Moments MomentsOf(const std::vector<float>& values) {
  Moments out;
  for (const float value : values)
    out.mean += value;
  out.mean /= static_cast<double>(values.size());
  for (const float value : values)
    out.variance += (value - out.mean) * (value - out.mean);
  out.variance /= static_cast<double>(values.size());
  return out;
}

std::vector<float> Normal(std::size_t count, bool truncated, RandomState state) {
  std::vector<float> values(count);
  RandomNormal(values.data(), count, RandomType::kFloat32, 3.0, 2.0, truncated, state);
  return values;
}

// The published test vector of the generator: all zeros in.
TEST(Random, TheGeneratorIsPhilox) {
  std::uint64_t values[2];
  RandomUniformIntegers(values, 2, RandomType::kUint64, 0, UINT64_MAX, {0, 0});
  // Scaling by 2^64 - 1 takes at most 1 off the drawn number.
  EXPECT_LE(std::uint64_t{0xE169C58D6627E8D5} - values[0], 1u);
  EXPECT_LE(std::uint64_t{0x9B00DBD8BC57AC4C} - values[1], 1u);
}

TEST(Random, IsAFunctionOfSeedAndCounter) {
  const auto first = Normal(1000, false, {7, 0});
  EXPECT_EQ(first, Normal(1000, false, {7, 0}));
  EXPECT_NE(first, Normal(1000, false, {8, 0}));
  EXPECT_NE(first, Normal(1000, false, {7, 1}));
}

TEST(Random, GoingOnFromTheCounterContinuesTheSequence) {
  const auto whole = Normal(1000, true, {7, 5});
  std::vector<float> halves(1000);
  const std::uint64_t used = RandomNormal(halves.data(), 400, RandomType::kFloat32, 3.0, 2.0, true, {7, 5});
  RandomNormal(halves.data() + 400, 600, RandomType::kFloat32, 3.0, 2.0, true, {7, 5 + used});
  EXPECT_EQ(whole, halves);
}

TEST(Random, UniformFillsItsIntervalEvenly) {
  std::vector<float> values(kMany);
  RandomUniform(values.data(), kMany, RandomType::kFloat32, -1.0, 3.0, {42, 0});
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  EXPECT_GE(*least, -1.0f);
  EXPECT_LT(*greatest, 3.0f);
  const Moments moments = MomentsOf(values);
  EXPECT_NEAR(moments.mean, 1.0, 0.02);
  EXPECT_NEAR(moments.variance, 16.0 / 12.0, 0.02);
}

TEST(Random, UniformHalvesNeverReachTheUpperEnd) {
  std::vector<std::uint16_t> values(kMany);
  RandomUniform(values.data(), kMany, RandomType::kFloat16, 0.0, 1.0, {42, 0});
  for (const auto bits : values)
    ASSERT_LT(FloatFromFloat16(bits), 1.0f);
  RandomUniform(values.data(), kMany, RandomType::kBFloat16, -4.0, -1.0, {42, 0});
  for (const auto bits : values)
    ASSERT_LT(FloatFromBFloat16(bits), -1.0f);
}

TEST(Random, UniformIntegersReachBothEnds) {
  std::vector<std::int32_t> values(kMany);
  RandomUniformIntegers(values.data(), kMany, RandomType::kInt32, -3, 7, {1, 0});
  std::vector<int> seen(7);
  for (const auto value : values) {
    ASSERT_GE(value, -3);
    ASSERT_LT(value, 4);
    ++seen[static_cast<std::size_t>(value + 3)];
  }
  for (const int count : seen)
    EXPECT_NEAR(count, kMany / 7.0, 1000);
}

TEST(Random, NormalHasItsMoments) {
  const auto values = Normal(kMany, false, {42, 0});
  const Moments moments = MomentsOf(values);
  EXPECT_NEAR(moments.mean, 3.0, 0.03);
  EXPECT_NEAR(moments.variance, 4.0, 0.06);
  const auto beyond =
      std::count_if(values.begin(), values.end(), [](float v) { return std::fabs(v - 3.0f) > 4.0f; });
  EXPECT_NEAR(static_cast<double>(beyond) / kMany, 0.0455, 0.003);
}

TEST(Random, TruncatedNormalStaysWithinTwoDeviations) {
  const auto values = Normal(kMany, true, {42, 0});
  for (const float value : values)
    ASSERT_LE(std::fabs(value - 3.0f), 4.0f);
  EXPECT_NEAR(MomentsOf(values).variance, 4.0 * 0.7737, 0.05);
}

TEST(Random, TheMaskKeepsAboutTheAskedShare) {
  std::vector<std::uint8_t> mask(kMany / 8);
  RandomMask(mask.data(), kMany, 0.75, {42, 0});
  std::size_t ones = 0;
  for (const auto byte : mask)
    ones += static_cast<std::size_t>(std::popcount(byte));
  EXPECT_NEAR(static_cast<double>(ones) / kMany, 0.75, 0.01);
}

TEST(Random, TheMaskEndsAtItsLastBit) {
  std::uint8_t mask[3] = {0xEE, 0xEE, 0xEE};
  RandomMask(mask, 11, 1.0, {1, 0});
  EXPECT_EQ(mask[0], 0xFF);
  EXPECT_EQ(mask[1], 0x07);
  EXPECT_EQ(mask[2], 0xEE);
  RandomMask(mask, 11, 0.0, {1, 0});
  EXPECT_EQ(mask[0], 0);
  EXPECT_EQ(mask[1], 0);
}

}  // namespace
}  // namespace foothold
