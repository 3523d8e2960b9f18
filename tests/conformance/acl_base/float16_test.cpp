// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "acl/acl.h"

namespace {

TEST(aclFloat16ToFloat, GivesTheDocumentedValues) {
  EXPECT_EQ(aclFloat16ToFloat(0x3E80), 1.625f);
  EXPECT_EQ(aclFloat16ToFloat(0x7BFF), 65504.0f);
  EXPECT_EQ(aclFloat16ToFloat(0x7C00), 65536.0f) << "exponent 31 is an ordinary one";
  EXPECT_EQ(aclFloat16ToFloat(0xFC00), -65536.0f);
  EXPECT_EQ(aclFloat16ToFloat(0x7E00), 98304.0f);
  EXPECT_EQ(aclFloat16ToFloat(0x0001), 0x1p-24f);
}

TEST(aclFloatToFloat16, GivesTheDocumentedValues) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(aclFloatToFloat16(1.625f), 0x3E80);
  EXPECT_EQ(aclFloatToFloat16(std::nanf("")), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(kInfinity), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(-kInfinity), 0xFBFF);
  EXPECT_EQ(aclFloatToFloat16(1e30f), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(-1e30f), 0xFBFF);
  EXPECT_EQ(aclFloatToFloat16(-0.0f), 0x8000);
}

TEST(aclFloatToFloat16, GoesBackFromEveryFiniteHalf) {
  for (unsigned half = 0; half < 0x10000; ++half) {
    if ((half & 0x7C00) == 0x7C00) continue;
    const auto value = static_cast<aclFloat16>(half);
    EXPECT_EQ(aclFloatToFloat16(aclFloat16ToFloat(value)), value);
  }
}

}  // namespace
