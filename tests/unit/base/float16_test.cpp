// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/float16.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace foothold {
namespace {

// The value of a half by the formula, in a type that holds every step exactly.
double Formula(unsigned half) {
  const double sign = (half & 0x8000) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(half >> 10 & 0x1F);
  const double fraction = (half & 0x3FF) / 1024.0;
  return exponent == 0 ? sign * std::ldexp(fraction, -14) : sign * std::ldexp(1 + fraction, exponent - 15);
}

// All non-negative finite halves; the place of a value in it is its bit pattern.
const std::vector<double>& Halves() {
  static const std::vector<double> values = [] {
    std::vector<double> all;
    for (unsigned half = 0; half <= 0x7BFF; ++half)
      all.push_back(Formula(half));
    return all;
  }();
  return values;
}

// The nearest half, found by looking, ties to the even pattern, saturated.
std::uint16_t Nearest(float value) {
  const unsigned sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(static_cast<double>(value));
  const auto& halves = Halves();
  if (std::isnan(value) || magnitude >= halves.back()) return static_cast<std::uint16_t>(sign | 0x7BFF);
  const auto above = std::upper_bound(halves.begin(), halves.end(), magnitude);
  const auto high = static_cast<unsigned>(above - halves.begin());
  const unsigned low = high - 1;
  const double to_low = magnitude - halves[low];
  const double to_high = halves[high] - magnitude;
  const bool take_low = to_low < to_high || (to_low == to_high && low % 2 == 0);
  return static_cast<std::uint16_t>(sign | (take_low ? low : high));
}

void ExpectNearest(float value) {
  ASSERT_EQ(SaturatingFloatToHalf(value), Nearest(value)) << std::hexfloat << value;
  ASSERT_EQ(SaturatingFloatToHalf(-value), Nearest(-value)) << std::hexfloat << -value;
}

TEST(Float16, HasTheValueOfTheFormulaForEveryHalf) {
  for (unsigned half = 0; half < 0x10000; ++half) {
    const float value = SaturatingHalfToFloat(static_cast<std::uint16_t>(half));
    ASSERT_EQ(static_cast<double>(value), Formula(half)) << std::hex << half;
    ASSERT_EQ(std::signbit(value), (half & 0x8000) != 0) << std::hex << half;
  }
}

TEST(Float16, RoundsToTheNearestHalfAroundEveryHalfAndEveryTie) {
  const float up = std::numeric_limits<float>::infinity();
  const auto& halves = Halves();
  for (std::size_t i = 0; i + 1 < halves.size(); ++i) {
    for (const double point : {halves[i], (halves[i] + halves[i + 1]) / 2}) {
      const auto value = static_cast<float>(point);
      ASSERT_EQ(static_cast<double>(value), point) << "halves and ties are floats";
      ExpectNearest(value);
      ExpectNearest(std::nextafterf(value, up));
      ExpectNearest(std::nextafterf(value, -up));
    }
  }
}

TEST(Float16, SaturatesAboveTheLargestHalf) {
  for (const float value :
       {65504.0f, 65519.9f, 65520.0f, 65536.0f, 98304.0f, 1e10f, std::numeric_limits<float>::max(),
        std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_EQ(SaturatingFloatToHalf(value), 0x7BFF) << value;
    EXPECT_EQ(SaturatingFloatToHalf(-value), 0xFBFF) << value;
  }
}

TEST(Float16, RoundsTinyNumbersToZeroOrTheSmallestHalf) {
  for (const float value : {0.0f, std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::min(),
                            0x1p-26f, 0x1p-25f, 0x1.000002p-25f, 0x1p-24f, 0x1.8p-24f})
    ExpectNearest(value);
}

TEST(Float16, RoundsAnyFloatToTheNearestHalf) {
  std::mt19937 random(20250101);
  for (int i = 0; i < 500000; ++i)
    ExpectNearest(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
}

}  // namespace
}  // namespace foothold
