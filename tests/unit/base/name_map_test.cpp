// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/name_map.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>

namespace foothold {
namespace {

TEST(NameMap, AnEmptyOneKnowsNothing) {
  const NameMap<int> map;
  EXPECT_EQ(map.Find("a"), nullptr);
}

TEST(NameMap, ANameKeepsItsFirstValue) {
  NameMap<int> map;
  EXPECT_TRUE(map.Insert("a", 1).second);
  const auto [value, fresh] = map.Insert("a", 2);
  EXPECT_FALSE(fresh);
  EXPECT_EQ(*value, 1);
  *value = 3;
  EXPECT_EQ(*map.Find("a"), 3);
}

TEST(NameMap, AnEmptyNameIsOne) {
  NameMap<int> map;
  map.Insert("", 1);
  EXPECT_EQ(*map.Find(""), 1);
}

TEST(NameMap, FindsAllOfManyWhetherExpectedOrNot) {
  std::deque<std::string> names;
  for (int i = 0; i < 10000; ++i)
    names.push_back("name" + std::to_string(i));
  for (const std::size_t expected : {std::size_t{0}, names.size()}) {
    NameMap<std::size_t> map;
    map.Reserve(expected);
    for (std::size_t i = 0; i < names.size(); ++i)
      ASSERT_TRUE(map.Insert(names[i], i).second);
    for (std::size_t i = 0; i < names.size(); ++i)
      ASSERT_EQ(*map.Find(names[i]), i);
    EXPECT_EQ(map.Find("name10000"), nullptr);
    EXPECT_EQ(map.size(), names.size());
  }
}

TEST(NameMap, ANameMayMoveToOtherBytes) {
  NameMap<int> map;
  const std::string kept = "name";
  {
    std::string made = kept;
    map.Insert(made, 1);
    map.KeepLast(kept);
    made = "else";
  }
  EXPECT_EQ(*map.Find("name"), 1);
}

}  // namespace
}  // namespace foothold
