// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "dump/dumps.h"

#include <gtest/gtest.h>

namespace foothold {
namespace {

TEST(Dumps, HaveSingleOperatorsInTheDirectoryOfTheDevice) {
  EXPECT_EQ(Dumps::Get().Operators(0), nullptr);
  DumpConfig config;
  config.path = "dumps";
  config.single_operators = true;
  config.steps = {{7, 7}};
  Dumps::Get().Start(config);
  const std::shared_ptr<ModelDump> dump = Dumps::Get().Operators(3);
  ASSERT_NE(dump, nullptr);
  EXPECT_EQ(dump, Dumps::Get().Operators(3));
  EXPECT_TRUE(dump->WantsNode("any", "Add"));
  EXPECT_TRUE(dump->IncludesStep(0)) << "they are no steps";
  const std::string directory = dump->Directory(5);
  EXPECT_EQ(directory.size(), std::string("dumps/20260131235959/3").size());
  EXPECT_EQ(directory.substr(directory.size() - 2), "/3");
  Dumps::Get().Stop();
  EXPECT_FALSE(dump->active());
  EXPECT_EQ(Dumps::Get().Operators(3), nullptr);
}

TEST(Dumps, OfSingleOperatorsLeaveModelsAlone) {
  DumpConfig config;
  config.path = "dumps";
  config.single_operators = true;
  Dumps::Get().Start(config);
  EXPECT_EQ(ModelDump::Make(Dumps::Get().current(), {{"model"}, 1, 0}), nullptr);
  Dumps::Get().Stop();
}

}  // namespace
}  // namespace foothold
