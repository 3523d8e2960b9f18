// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/soc.h"

#include <gtest/gtest.h>

namespace foothold {
namespace {

TEST(Soc, FamiliesDifferInMoreThanTheLastNumber) {
  EXPECT_TRUE(SameSocFamily("Ascend910B1", "Ascend910B4"));
  EXPECT_TRUE(SameSocFamily("Ascend310P1", "Ascend310P3"));
  EXPECT_FALSE(SameSocFamily("Ascend310", "Ascend910")) << "here the number is the chip";
  EXPECT_FALSE(SameSocFamily("Ascend910", "Ascend910B1"));
  EXPECT_FALSE(SameSocFamily("", "Ascend910B1"));
  EXPECT_FALSE(SameSocFamily("123", "456"));
}

}  // namespace
}  // namespace foothold
