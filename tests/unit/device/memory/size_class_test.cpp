// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory/size_class.h"

#include <gtest/gtest.h>

namespace foothold {
namespace {

TEST(SizeClass, AFootprintHoldsTheRequestAndAReadableTail) {
  for (std::size_t size = 1; size < 5000; ++size) {
    ASSERT_EQ(FootprintOf(size) % 64, 0u);
    ASSERT_GE(FootprintOf(size), (size + 31) / 32 * 32 + 32) << size;
    ASSERT_LT(FootprintOf(size), size + 64 + 64) << size;
  }
}

TEST(SizeClass, EveryFootprintFitsItsClassTightly) {
  for (std::size_t footprint = 64; footprint <= kLargestClass; footprint += 64) {
    const std::size_t size_class = ClassOf(footprint);
    ASSERT_GE(size_class, 1u);
    ASSERT_GE(BytesOfClass(size_class), footprint);
    ASSERT_LT(BytesOfClass(size_class - 1), footprint);
    ASSERT_LE(BytesOfClass(size_class), footprint + std::max<std::size_t>(footprint / 4, 64));
  }
  EXPECT_EQ(ClassOf(kLargestClass + 64), 0u);
}

TEST(SizeClass, ASlabHoldsSeveralBlocks) {
  for (std::size_t size_class = 1; size_class < kSizeClasses; ++size_class) {
    EXPECT_GE(BlocksOfClass(size_class), 8u);
    EXPECT_LE(BlocksOfClass(size_class) * BytesOfClass(size_class), SlabBytesOfClass(size_class));
  }
}

}  // namespace
}  // namespace foothold
