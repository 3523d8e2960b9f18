// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/graph_status.h"

#include <gtest/gtest.h>

namespace foothold {
namespace {

TEST(GraphStatus, NamesTheFieldsOfANumber) {
  const std::optional<GraphStatus> status = DecodeGraphStatus(1343266818);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->side.value, 1u);
  EXPECT_EQ(status->side.name, "host");
  EXPECT_EQ(status->type.name, "error");
  EXPECT_EQ(status->level, 0u);
  EXPECT_EQ(status->system.value, 8u);
  EXPECT_EQ(status->system.name, "graph engine");
  EXPECT_EQ(status->module.value, 10u);
  EXPECT_EQ(status->module.name, "generator");
  EXPECT_EQ(status->code, 2u);
}

TEST(GraphStatus, ReadsSignedNumbers) {
  const std::optional<GraphStatus> status = DecodeGraphStatus(static_cast<std::int32_t>(2417004545u));
  ASSERT_TRUE(status);
  EXPECT_EQ(status->side.name, "device");
  EXPECT_EQ(status->module.name, "executor");
  EXPECT_EQ(status->code, 1u);
}

TEST(GraphStatus, LeavesUnknownFieldsUnnamed) {
  const std::int64_t other = 1ll << 30 | 1 << 28 | 5 << 25 | 77 << 17 | 3 << 12 | 4095;
  const std::optional<GraphStatus> status = DecodeGraphStatus(other);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->level, 5u);
  EXPECT_EQ(status->system.value, 77u);
  EXPECT_EQ(status->system.name, "");
  EXPECT_EQ(status->module.name, "");
  EXPECT_EQ(status->code, 4095u);
  EXPECT_EQ(DecodeGraphStatus(0x5011F000)->module.name, "");
}

TEST(GraphStatus, RefusesNumbersWithoutThatStructure) {
  for (const std::int64_t number :
       {0ll, 107000ll, 50331649ll, 0xFFFFFFFFll, 0x40100000ll, 0x1'50100000ll, -1ll, -5'000'000'000ll}) {
    EXPECT_FALSE(DecodeGraphStatus(number)) << number;
  }
}

}  // namespace
}  // namespace foothold
