// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/failure_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include "base/error.h"
#include "base/error_catalogue.h"

namespace foothold {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

TEST(FailureText, TellsCallReasonCodeAndRemedy) {
  EXPECT_EQ(
      FailureText("aclrtMemcpy", "destMax=16, count=32",
                  Error(kRtParamInvalid, "count (32) is larger than destMax (16)")),
      "EE1003: aclrtMemcpy(destMax=16, count=32) failed: count (32) is larger than destMax (16). "
      "[ACL_ERROR_RT_PARAM_INVALID 107000] Fix: Look at the argument named in the error text and correct it "
      "before the call. More: foothold explain 107000");
}

TEST(FailureText, DoesNotEndASentenceTwice) {
  EXPECT_THAT(FailureText("f", "", Error(kFailure, "It broke.")), HasSubstr("f() failed: It broke. ["));
}

TEST(FailureText, PrefersTheTextCodeOfTheError) {
  EXPECT_THAT(FailureText("f", "", Error(kInvalidDumpConfig, "x", kTextDumpConflict)),
              StartsWith("EP0005: "));
}

TEST(FailureText, ManagesWithoutACatalogueEntry) {
  EXPECT_EQ(FailureText("f", "", Error(static_cast<Code>(123), "x")), "EH9999: f() failed: x. [123]");
}

TEST(TextCode, IsExplainedForEveryNumber) {
  for (const CatalogueEntry* entry : AllErrors()) {
    const std::string_view text_code = TextCode(static_cast<Code>(entry->number));
    const auto known = AllTextCodes();
    EXPECT_TRUE(
        std::any_of(known.begin(), known.end(), [&](const auto& one) { return one.text_code == text_code; }))
        << entry->name << " " << text_code;
  }
}

TEST(TextCode, HasTheFormOfTheEcosystem) {
  std::string_view before;
  for (const TextCodeEntry& entry : AllTextCodes()) {
    EXPECT_THAT(std::string(entry.text_code), MatchesRegex("E[HEIPK][0-9]{4}|[EW]1[0-9]{4}"));
    EXPECT_LT(before, entry.text_code);
    EXPECT_EQ(entry.meaning.back(), '.');
    before = entry.text_code;
  }
}

// The whole of src is searched for texts that look like codes, so that no new one is forgotten.
TEST(TextCode, IsExplainedWhereverTheLibraryHasOne) {
  const auto known = AllTextCodes();
  const std::regex code("\"([EW][A-Z0-9][0-9]{4})\"");
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(FOOTHOLD_SOURCE_DIR "/src")) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const std::string source = text.str();
    for (std::sregex_iterator match(source.begin(), source.end(), code), end; match != end; ++match) {
      const std::string one = (*match)[1];
      EXPECT_TRUE(
          std::any_of(known.begin(), known.end(), [&](const auto& it) { return it.text_code == one; }))
          << one << " in " << entry.path();
      ++found;
    }
  }
  EXPECT_GT(found, 60u);
}

TEST(TextCode, StandsInTheDocumentation) {
  std::stringstream page;
  page << std::ifstream(FOOTHOLD_SOURCE_DIR "/docs/errors.md").rdbuf();
  for (const TextCodeEntry& entry : AllTextCodes()) {
    EXPECT_THAT(page.str(), HasSubstr(fmt::format("\n| {} | {} |\n", entry.text_code, entry.meaning)));
  }
}

TEST(TextCode, FollowsThePartThatFailed) {
  EXPECT_EQ(TextCode(kInvalidParam), "EH0001");
  EXPECT_EQ(TextCode(kInvalidFile), "EH0005");
  EXPECT_EQ(TextCode(kInvalidDumpConfig), "EP0003");
  EXPECT_EQ(TextCode(kInvalidProfilingConfig), "EK0001");
  EXPECT_EQ(TextCode(kRtParamInvalid), "EE1003");
  EXPECT_EQ(TextCode(kRtStreamSyncTimeout), "EE1002");
  EXPECT_EQ(TextCode(kRtFeatureNotSupport), "EE1005");
  EXPECT_EQ(TextCode(kRtAicpuException), "EE4001");
  EXPECT_EQ(TextCode(kRtInternalError), "EE9999");
  EXPECT_EQ(TextCode(kInternalError), "EH9999");
}

}  // namespace
}  // namespace foothold
