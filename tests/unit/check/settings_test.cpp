// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace foothold::check {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Read {
  std::optional<Settings> settings;
  std::vector<std::string> told;
};

Read From(const std::map<std::string, std::string>& texts) {
  Read read;
  read.settings = ReadSettings(
      [&](const std::string& name) -> std::optional<std::string> {
        const auto found = texts.find(name);
        return found == texts.end() ? std::nullopt : std::optional<std::string>(found->second);
      },
      [&](const std::string& name, const std::string& text) { read.told.push_back(name + ": " + text); });
  return read;
}

const Rule& RuleOf(const char* id) {
  return *FindRule(id);
}

TEST(CheckSettings, AreOffUnlessSomethingIsAskedFor) {
  EXPECT_FALSE(From({}).settings);
  EXPECT_FALSE(From({{"CHECK", ""}}).settings);
  EXPECT_FALSE(From({{"CHECK", "0"}}).settings);
}

TEST(CheckSettings, AllMeansErrorsAndWarnings) {
  const auto settings = From({{"CHECK", "all"}}).settings;
  ASSERT_TRUE(settings);
  EXPECT_TRUE(settings->Wants(RuleOf("ACL-MEM-004")));
  EXPECT_TRUE(settings->Wants(RuleOf("ACL-LEAK-001")));
  EXPECT_THAT(settings->outputs, ElementsAre("stderr"));
  Rule advice = RuleOf("ACL-MEM-004");
  advice.severity = Severity::kAdvice;
  EXPECT_FALSE(settings->Wants(advice));
  EXPECT_TRUE(From({{"CHECK", "all,+advice"}}).settings->Wants(advice));
}

TEST(CheckSettings, GroupsAndRulesAreChosen) {
  const auto settings = From({{"CHECK", "memory, leak ,-ACL-MEM-005"}}).settings;
  ASSERT_TRUE(settings);
  EXPECT_TRUE(settings->Wants(RuleOf("ACL-MEM-004")));
  EXPECT_FALSE(settings->Wants(RuleOf("ACL-MEM-005")));
  EXPECT_FALSE(settings->Wants(RuleOf("ACL-CTX-001")));
}

TEST(CheckSettings, WhatIsWrongIsToldAndTheDefaultUsed) {
  const Read read = From({{"CHECK", "all,-ACL-NO-1"}, {"CHECK_ON", "explode"}, {"CHECK_LIMIT", "5,0"}});
  ASSERT_TRUE(read.settings);
  EXPECT_THAT(read.told, ElementsAre(HasSubstr("ACL-NO-1"), HasSubstr("explode"), HasSubstr("5,0")));
  EXPECT_EQ(read.settings->on, OnFinding::kReport);
  EXPECT_EQ(read.settings->limit, 100u);
}

TEST(CheckSettings, LimitsOutputsAndStacks) {
  const Read read = From({{"CHECK", "all"},
                          {"CHECK_LIMIT", "7,2"},
                          {"CHECK_OUTPUT", "stderr,found.sarif"},
                          {"CHECK_STACKS", "full"},
                          {"CHECK_ON", "error"}});
  EXPECT_THAT(read.told, IsEmpty());
  EXPECT_EQ(read.settings->limit, 7u);
  EXPECT_EQ(read.settings->limit_per_site, 2u);
  EXPECT_THAT(read.settings->outputs, ElementsAre("stderr", "found.sarif"));
  EXPECT_EQ(read.settings->stacks, StackMode::kFull);
  EXPECT_EQ(read.settings->on, OnFinding::kError);
}

TEST(CheckSettings, SayHowMemoryIsHandedOut) {
  const Read read = From({{"CHECK", "init:strict,pages"},
                          {"CHECK_QUARANTINE", "1G"},
                          {"CHECK_GUARD", "100"},
                          {"CHECK_FILL", "171"},
                          {"CHECK_ON", "report,continue"}});
  EXPECT_THAT(read.told, IsEmpty());
  EXPECT_TRUE(read.settings->init_strict && read.settings->pages && read.settings->continues);
  EXPECT_TRUE(read.settings->Wants(RuleOf("ACL-MEM-008")));
  EXPECT_FALSE(read.settings->Wants(RuleOf("ACL-MEM-004")));
  EXPECT_EQ(read.settings->quarantine, std::size_t{1} << 30);
  EXPECT_EQ(read.settings->guard, 128u) << "blocks for pictures begin at multiples of 128";
  EXPECT_EQ(read.settings->fill, 171);
  EXPECT_EQ(read.settings->on, OnFinding::kReport);
}

TEST(CheckSettings, RefuseBytesThatAreNone) {
  const Read read =
      From({{"CHECK", "all"}, {"CHECK_QUARANTINE", "much"}, {"CHECK_GUARD", "1G"}, {"CHECK_FILL", "256"}});
  EXPECT_THAT(read.told, ElementsAre(HasSubstr("much"), HasSubstr("1G"), HasSubstr("256")));
  EXPECT_EQ(read.settings->guard, 128u);
  EXPECT_EQ(read.settings->fill, 0xFF);
}

TEST(CheckRules, AreFoundById) {
  for (const Rule& rule : AllRules()) {
    EXPECT_EQ(FindRule(rule.id), &rule);
    EXPECT_TRUE(std::string_view(rule.sentence).ends_with('.')) << rule.id;
    EXPECT_FALSE(std::string_view(rule.causes).empty()) << rule.id;
    EXPECT_FALSE(std::string_view(rule.fixes).empty()) << rule.id;
  }
  EXPECT_EQ(FindRule("ACL-MEM-999"), nullptr);
  EXPECT_EQ(FindRule(""), nullptr);
}

}  // namespace
}  // namespace foothold::check
