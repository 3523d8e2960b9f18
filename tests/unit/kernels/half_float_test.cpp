// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/half_float.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace foothold {
namespace {

TEST(HalfFloat, EveryPatternSurvivesTheWayThroughFloat) {
  for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float as16 = FloatFromFloat16(half);
    if (std::isnan(as16)) {
      ASSERT_TRUE(std::isnan(FloatFromFloat16(Float16FromFloat(as16))));
    } else {
      ASSERT_EQ(Float16FromFloat(as16), half) << bits;
    }
    const float as_bf = FloatFromBFloat16(half);
    if (std::isnan(as_bf)) {
      ASSERT_TRUE(std::isnan(FloatFromBFloat16(BFloat16FromFloat(as_bf))));
    } else {
      ASSERT_EQ(BFloat16FromFloat(as_bf), half) << bits;
    }
  }
}

TEST(HalfFloat, KnowsSomeValues) {
  EXPECT_EQ(FloatFromFloat16(0x3C00), 1.0f);
  EXPECT_EQ(FloatFromFloat16(0xC000), -2.0f);
  EXPECT_EQ(FloatFromFloat16(0x7BFF), 65504.0f);
  EXPECT_EQ(FloatFromFloat16(0x0001), 0x1p-24f);
  EXPECT_EQ(FloatFromFloat16(0x7C00), std::numeric_limits<float>::infinity());
  EXPECT_EQ(FloatFromBFloat16(0x3F80), 1.0f);
}

TEST(HalfFloat, RoundsToNearestTiesToEven) {
  EXPECT_EQ(Float16FromFloat(1.0f + 0x1p-11f), 0x3C00);
  EXPECT_EQ(Float16FromFloat(1.0f + 3 * 0x1p-11f), 0x3C02);
  EXPECT_EQ(Float16FromFloat(1.0f + 0x1.8p-11f), 0x3C01);
  EXPECT_EQ(Float16FromFloat(65519.0f), 0x7BFF);
  EXPECT_EQ(Float16FromFloat(65520.0f), 0x7C00);
  EXPECT_EQ(Float16FromFloat(0x1p-25f), 0x0000);
  EXPECT_EQ(Float16FromFloat(0x1.8p-25f), 0x0001);
  EXPECT_EQ(BFloat16FromFloat(1.0f + 0x1p-8f), 0x3F80);
  EXPECT_EQ(BFloat16FromFloat(1.0f + 3 * 0x1p-8f), 0x3F82);
}

}  // namespace
}  // namespace foothold
