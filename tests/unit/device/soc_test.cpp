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

TEST(Soc, NewChipsHaveReadyKernels) {
  for (const char* name : {"Ascend910B1", "Ascend910B4", "Ascend910B2C", "Ascend910_9391"})
    EXPECT_TRUE(HasBinaryKernels(name)) << name;
  for (const char* name :
       {"Ascend310", "Ascend310P3", "Ascend310B4", "Ascend910A", "Ascend910ProB", "Ascend910B"})
    EXPECT_FALSE(HasBinaryKernels(name)) << name;
}

}  // namespace
}  // namespace foothold
