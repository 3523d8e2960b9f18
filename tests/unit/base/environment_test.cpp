// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/environment.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <thread>

namespace foothold {
namespace {

constexpr const char* kName = "FOOTHOLD_ENVIRONMENT_TEST";

class Environment : public ::testing::Test {
 protected:
  ~Environment() override { unsetenv(kName); }
  static void Set(const char* value) { setenv(kName, value, 1); }
};

TEST_F(Environment, TellsUnsetFromEmpty) {
  EXPECT_EQ(GetEnv(kName), std::nullopt);
  Set("");
  EXPECT_EQ(GetEnv(kName), "");
  Set(" text ");
  EXPECT_EQ(GetEnv(kName), " text ");
}

TEST_F(Environment, ReadsWholeNumbersInRange) {
  EXPECT_EQ(GetEnvInt(kName, 7, 0, 10), 7);
  for (const auto& [text, value] : {std::pair("0", 0), {"10", 10}, {" 3\n", 3}, {"007", 7}}) {
    Set(text);
    EXPECT_EQ(GetEnvInt(kName, 5, 0, 10), value) << text;
  }
  Set("-4");
  EXPECT_EQ(GetEnvInt(kName, 5, -10, 10), -4);
}

TEST_F(Environment, FallsBackForAnyOtherText) {
  for (const char* text :
       {"", " ", "11", "-1", "3.5", "3 4", "0x3", "three", "99999999999999999999", "+3", "3K"}) {
    Set(text);
    EXPECT_EQ(GetEnvInt(kName, 5, 0, 10), 5) << text;
  }
}

TEST_F(Environment, TellsOfAWrongValueOnce) {
  constexpr const char* kOther = "FOOTHOLD_ENVIRONMENT_TEST_TOLD";
  setenv(kOther, "three", 1);
  ::testing::internal::CaptureStderr();
  GetEnvInt(kOther, 5, 0, 10);
  GetEnvInt(kOther, 5, 0, 10);
  EXPECT_EQ(
      ::testing::internal::GetCapturedStderr(),
      "foothold: FOOTHOLD_ENVIRONMENT_TEST_TOLD is \"three\"; expected a whole number from 0 to 10. Using "
      "5.\n");
  unsetenv(kOther);
}

TEST_F(Environment, ReadsByteCounts) {
  EXPECT_EQ(GetEnvBytes(kName, 9), 9u);
  Set("2G");
  EXPECT_EQ(GetEnvBytes(kName, 9), 2ull << 30);
  Set("2X");
  EXPECT_EQ(GetEnvBytes(kName, 9), 9u);
}

TEST(ParseBytes, KnowsUnitsInPowersOf1024) {
  EXPECT_EQ(ParseBytes("0"), 0u);
  EXPECT_EQ(ParseBytes("123"), 123u);
  EXPECT_EQ(ParseBytes("123B"), 123u);
  EXPECT_EQ(ParseBytes("1k"), 1024u);
  EXPECT_EQ(ParseBytes("1KB"), 1024u);
  EXPECT_EQ(ParseBytes("1 MiB"), 1u << 20);
  EXPECT_EQ(ParseBytes(" 3g "), 3ull << 30);
  EXPECT_EQ(ParseBytes("4TiB"), 4ull << 40);
  EXPECT_EQ(ParseBytes("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
}

TEST(ParseBytes, RefusesWhatIsNotAByteCount) {
  for (const char* text : {"", " ", "K", "-1", "1.5G", "1Gi", "1GiBs", "1PB", "1 2", "18446744073709551616",
                           "16777216T", "0x10", "1KK"}) {
    EXPECT_EQ(ParseBytes(text), std::nullopt) << text;
  }
}

TEST(UsableCpus, FollowsTheAffinityMask) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_GE(UsableCpus(), 1);
  EXPECT_LE(UsableCpus(), CPU_COUNT(&before));
  std::thread([] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(UsableCpus(), 1);
  }).join();
}

TEST(UsableMemory, IsNoMoreThanTheMachineHas) {
  const auto physical =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  EXPECT_GT(UsableMemory(), 0u);
  EXPECT_LE(UsableMemory(), physical);
}

}  // namespace
}  // namespace foothold
