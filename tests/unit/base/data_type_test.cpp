// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/data_type.h"

#include <gtest/gtest.h>

namespace foothold {
namespace {

TEST(DataType, KnowsItsOwnNumbersOnly) {
  int known = 0;
  for (int number = -10; number < 100; ++number)
    known += BitsPerElement(static_cast<DataType>(number)).has_value();
  EXPECT_EQ(known, 28);
  EXPECT_EQ(BitsPerElement(static_cast<DataType>(5)), std::nullopt);
}

TEST(DataType, CountsNarrowElementsAsWholeBytes) {
  EXPECT_EQ(BytesPerElement(DataType::kUint1), 1u);
  EXPECT_EQ(BytesPerElement(DataType::kInt4), 1u);
  EXPECT_EQ(BytesPerElement(DataType::kFloat), 4u);
  EXPECT_EQ(BytesPerElement(DataType::kString), 0u);
  EXPECT_EQ(BytesPerElement(static_cast<DataType>(99)), 0u);
}

TEST(DataType, PacksElementsWithoutOverflow) {
  EXPECT_EQ(PackedBytes(DataType::kUint1, 0), 0u);
  EXPECT_EQ(PackedBytes(DataType::kUint1, 1), 1u);
  EXPECT_EQ(PackedBytes(DataType::kUint1, 8), 1u);
  EXPECT_EQ(PackedBytes(DataType::kUint1, 9), 2u);
  EXPECT_EQ(PackedBytes(DataType::kFloat6E3m2, 7), 6u);
  EXPECT_EQ(PackedBytes(DataType::kInt4, SIZE_MAX), SIZE_MAX / 2 + 1);
  EXPECT_EQ(PackedBytes(DataType::kDouble, SIZE_MAX / 8), SIZE_MAX / 8 * 8);
  EXPECT_EQ(PackedBytes(DataType::kDouble, SIZE_MAX / 8 + 1), std::nullopt);
}

}  // namespace
}  // namespace foothold
