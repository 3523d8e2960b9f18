// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/error_catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>

#include "base/error_tables.h"

namespace foothold {
namespace {

using ::testing::Contains;

std::vector<std::string> Names(const CatalogueEntry& entry) {
  std::vector<std::string> names = {std::string(entry.name)};
  for (const std::string_view alias : SplitText(entry.aliases, ','))
    names.emplace_back(alias);
  return names;
}

// The error numbers of aclError from the table of facts, those of ge::Status from lines "number name".
std::map<std::string, std::int64_t> PublicNumbers() {
  std::map<std::string, std::int64_t> numbers;
  const auto facts = nlohmann::json::parse(std::ifstream(FOOTHOLD_SOURCE_DIR "/tools/api/acl.json"));
  for (const auto& constant : facts.at("constants")) {
    const std::string name = constant.at("name");
    const bool error = name.rfind("ACL_ERROR_", 0) == 0 || name == "ACL_SUCCESS" || name == "ACL_RT_SUCCESS";
    if (error) numbers[name] = constant.at("value");
  }
  std::ifstream file(FOOTHOLD_SOURCE_DIR "/tests/unit/base/graph_error_numbers.txt");
  std::int64_t number = 0;
  for (std::string name; file >> number >> name;)
    numbers[name] = number;
  return numbers;
}

std::vector<std::string> NamesOf(const std::vector<const CatalogueEntry*>& entries) {
  std::vector<std::string> names;
  for (const CatalogueEntry* entry : entries)
    names.emplace_back(entry->name);
  return names;
}

TEST(ErrorCatalogue, IsSortedInEachTable) {
  for (const auto& table :
       {std::span(kAclErrors, kAclErrorsSize), std::span(kRuntimeErrors, kRuntimeErrorsSize),
        std::span(kGraphErrors, kGraphErrorsSize)}) {
    for (std::size_t i = 1; i < table.size(); ++i)
      EXPECT_LT(table[i - 1].number, table[i].number);
  }
}

TEST(ErrorCatalogue, GivesEachNumberAndNameOnce) {
  std::set<std::int64_t> numbers;
  std::set<std::string> names;
  for (const CatalogueEntry* entry : AllErrors()) {
    EXPECT_TRUE(numbers.insert(entry->number).second) << entry->number;
    for (const std::string& name : Names(*entry))
      EXPECT_TRUE(names.insert(name).second) << name;
  }
}

TEST(ErrorCatalogue, ExplainsEveryEntryInSentences) {
  for (const CatalogueEntry* entry : AllErrors()) {
    for (const std::string_view text : {entry->meaning, entry->causes, entry->fixes}) {
      for (const std::string_view line : SplitText(text, '\n')) {
        EXPECT_GT(line.size(), 10u) << entry->name;
        EXPECT_EQ(line.back(), '.') << entry->name << ": " << line;
      }
      EXPECT_FALSE(text.empty()) << entry->name;
    }
    EXPECT_EQ(entry->meaning.find('\n'), std::string_view::npos) << entry->name;
  }
}

TEST(ErrorCatalogue, SendsLegacyNumbersToTheirReplacement) {
  for (const CatalogueEntry* entry : AllErrors()) {
    EXPECT_EQ(entry->occurrence == Occurrence::kLegacy, entry->replacement != 0) << entry->name;
    if (entry->replacement == 0) continue;
    const CatalogueEntry* now = FindError(entry->replacement);
    ASSERT_NE(now, nullptr) << entry->name;
    EXPECT_NE(now->occurrence, Occurrence::kLegacy) << entry->name;
    EXPECT_NE(entry->fixes.find(now->name), std::string_view::npos) << entry->name;
  }
}

TEST(ErrorCatalogue, HasEveryNumberOfTheApi) {
  const auto numbers = PublicNumbers();
  ASSERT_GT(numbers.size(), 450u);
  for (const auto& [name, number] : numbers) {
    const CatalogueEntry* entry = FindError(number);
    ASSERT_NE(entry, nullptr) << number << " " << name;
    EXPECT_THAT(Names(*entry), Contains(name));
    EXPECT_EQ(FindErrorByName(name), entry) << name;
  }
}

TEST(ErrorCatalogue, FindsNumbers) {
  ASSERT_NE(FindError(107000), nullptr);
  EXPECT_EQ(FindError(107000)->name, "ACL_ERROR_RT_PARAM_INVALID");
  EXPECT_EQ(FindError(0)->name, "ACL_SUCCESS");
  EXPECT_EQ(FindError(1343266818)->name, "ge::GE_GENERATOR_GRAPH_MANAGER_ADD_GRAPH_FAILED");
  for (const std::int64_t unknown :
       std::initializer_list<std::int64_t>{1, 99999, 107999, 9000000000, -9000000000, INT64_MIN, INT64_MAX}) {
    EXPECT_EQ(FindError(unknown), nullptr) << unknown;
  }
}

TEST(ErrorCatalogue, FindsNumbersPrintedAsSigned) {
  EXPECT_EQ(FindError(-1), FindError(0xFFFFFFFFll));
  EXPECT_EQ(FindError(static_cast<std::int32_t>(2417004546u)), FindError(2417004546ll));
  EXPECT_NE(FindError(2417004546ll), nullptr);
}

TEST(ErrorCatalogue, FindsNamesInAnyCaseWithAndWithoutPrefix) {
  for (const char* name : {"ACL_ERROR_RT_PARAM_INVALID", "acl_error_rt_param_invalid",
                           "ERROR_RT_PARAM_INVALID", "rt_param_invalid", "ACL_RT_PARAM_INVALID"}) {
    EXPECT_EQ(FindErrorByName(name), FindError(107000)) << name;
  }
  EXPECT_EQ(FindErrorByName("ge::failed"), FindError(-1));
  EXPECT_EQ(FindErrorByName("GRAPH_FAILED"), FindError(-1));
  EXPECT_EQ(FindErrorByName("acl_error_none"), FindError(0));
  EXPECT_EQ(FindErrorByName("ACL_ERROR_RT_DEVIDE_OOM"), FindError(207018));
  for (const char* name : {"", "ACL_", "ACL_ERROR_", "ge::", "NO_SUCH_NAME"}) {
    EXPECT_EQ(FindErrorByName(name), nullptr) << name;
  }
}

TEST(ErrorCatalogue, SuggestsNamesForMisspeltOnes) {
  EXPECT_EQ(NamesOf(SuggestErrors("ACL_ERROR_RT_PARAM_INVALD", 1)).at(0), "ACL_ERROR_RT_PARAM_INVALID");
  EXPECT_EQ(NamesOf(SuggestErrors("rt_contxet_null", 1)).at(0), "ACL_ERROR_RT_CONTEXT_NULL");
  EXPECT_THAT(NamesOf(SuggestErrors("OPQUEUE")), Contains("ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG"));
  EXPECT_LE(SuggestErrors("STREAM", 4).size(), 4u);
  EXPECT_TRUE(SuggestErrors("qqqqqqqqqqqq").empty());
  EXPECT_TRUE(SuggestErrors(std::string(100000, 'A')).empty());
}

TEST(ErrorCatalogue, SuggestsNumbersOneDigitAway) {
  EXPECT_THAT(NamesOf(SuggestErrors(17000)), Contains("ACL_ERROR_RT_PARAM_INVALID"));
  EXPECT_THAT(NamesOf(SuggestErrors(507064, 10)), Contains("ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR"));
  EXPECT_TRUE(SuggestErrors(424242).empty());
}

TEST(SplitText, LeavesOutEmptyParts) {
  EXPECT_TRUE(SplitText("", ',').empty());
  EXPECT_TRUE(SplitText(",,", ',').empty());
  EXPECT_EQ(SplitText(",a,,bc,", ','), (std::vector<std::string_view>{"a", "bc"}));
}

}  // namespace
}  // namespace foothold
