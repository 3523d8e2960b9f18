// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/suppressions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace foothold::check {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Frame In(const char* function, const char* module) {
  Frame frame;
  frame.function = function;
  frame.module = module;
  return frame;
}

Suppressions Of(const char* text) {
  Suppressions suppressions;
  std::vector<std::string> problems;
  suppressions.Add(text, problems);
  EXPECT_THAT(problems, IsEmpty());
  return suppressions;
}

TEST(Suppressions, StarsStandForAnything) {
  EXPECT_TRUE(MatchesPattern("ACL-LEAK-*", "ACL-LEAK-003"));
  EXPECT_TRUE(MatchesPattern("*Pool*Grow", "ns::Pool::Grow"));
  EXPECT_TRUE(MatchesPattern("*", ""));
  EXPECT_FALSE(MatchesPattern("Pool", "Pools"));
  EXPECT_FALSE(MatchesPattern("", "a"));
  EXPECT_FALSE(MatchesPattern("a*b", "a"));
}

TEST(Suppressions, AFrameMayBeAnywhereOrALibrary) {
  const std::vector<Frame> now = {In("Inner", "/opt/lib/libtorch_npu.so"), In("ns::Outer", "/opt/program")};
  EXPECT_TRUE(Of("ACL-MEM-004:ns::Outer").Matches("ACL-MEM-004", now, {}));
  EXPECT_TRUE(Of("ACL-MEM-*:libtorch_npu.so").Matches("ACL-MEM-004", now, {}));
  EXPECT_FALSE(Of("ACL-MEM-004:Other").Matches("ACL-MEM-004", now, {}));
  EXPECT_FALSE(Of("ACL-MEM-005:Inner").Matches("ACL-MEM-004", now, {}));
}

TEST(Suppressions, WhatWasBeforeCountsWhereItIsNamed) {
  const std::vector<Frame> now = {In("Inner", "p")}, before = {In("Maker", "p")};
  EXPECT_TRUE(Of("R:Inner:Maker").Matches("R", now, before));
  EXPECT_FALSE(Of("R:Inner:Other").Matches("R", now, before));
  EXPECT_FALSE(Of("R:Inner:Maker").Matches("R", now, {}));
}

TEST(Suppressions, CountTheirUse) {
  Suppressions suppressions = Of("# a comment\nR:*  # another\n\nS:*\n");
  EXPECT_TRUE(suppressions.Matches("R", {}, {}));
  ASSERT_EQ(suppressions.lines().size(), 2u);
  EXPECT_EQ(suppressions.lines()[0].used, 1u);
  EXPECT_EQ(suppressions.lines()[1].used, 0u);
}

TEST(Suppressions, LinesThatMakeNoSenseAreNamed) {
  Suppressions suppressions;
  std::vector<std::string> problems;
  suppressions.Add("ACL-MEM-004\n:x\na:b:c:d", problems);
  EXPECT_EQ(problems.size(), 3u);
  EXPECT_TRUE(suppressions.lines().empty());
}

TEST(Suppressions, WhatIsGeneratedFits) {
  const std::vector<Frame> now = {In("ns::Inner", "p")}, before = {In("Maker", "p")};
  const std::string line = SuppressionFor("R", now, before);
  EXPECT_EQ(line, "R:ns::Inner:Maker");
  EXPECT_TRUE(Of(line.c_str()).Matches("R", now, before));
}

}  // namespace
}  // namespace foothold::check
