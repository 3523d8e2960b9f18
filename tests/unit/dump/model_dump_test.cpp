// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "dump/model_dump.h"

#include <gtest/gtest.h>

namespace foothold {
namespace {

std::unique_ptr<ModelDump> Make(DumpConfig config, std::vector<std::string> names = {"file", "graph"}) {
  return ModelDump::Make(std::make_shared<const DumpSettings>(std::move(config)), {std::move(names), 4, 1});
}

DumpConfig Selecting(DumpSelection selection) {
  DumpConfig config;
  config.path = "/dumps";
  config.selections.push_back(std::move(selection));
  return config;
}

TEST(ModelDump, IsForModelsOfEitherName) {
  EXPECT_NE(Make(Selecting({})), nullptr);
  EXPECT_NE(Make(Selecting({"file", {}, {}, {}, {}})), nullptr);
  EXPECT_NE(Make(Selecting({"graph", {}, {}, {}, {}})), nullptr);
  EXPECT_EQ(Make(Selecting({"other", {}, {}, {}, {}})), nullptr);
  EXPECT_EQ(ModelDump::Make(nullptr, {{"any"}, 0, 0}), nullptr);
}

TEST(ModelDump, KeepsOnlyNodesItWants) {
  const auto dump = Make(Selecting({"", {"conv"}, {}, {}, {}}));
  EXPECT_TRUE(dump->KeepsNode("conv", "Conv2D"));
  EXPECT_FALSE(dump->KeepsNode("relu", "Relu"));
  DumpConfig kernels = Selecting({});
  kernels.level = DumpLevel::kKernel;
  EXPECT_TRUE(Make(kernels)->WantsNode("relu", "Relu"));
  EXPECT_FALSE(Make(kernels)->KeepsNode("relu", "Relu")) << "kernels are shown as they are";
}

TEST(ModelDump, LeavesOutWhatBlackListsName) {
  DumpSelection selection;
  selection.excluded_types = {{"Cast", {}}};
  selection.excluded_names = {{"conv", {{true, 1}}}};
  const auto dump = Make(Selecting(selection));
  EXPECT_FALSE(dump->WantsNode("any", "Cast"));
  EXPECT_TRUE(dump->WantsNode("conv", "Conv2D"));
  EXPECT_TRUE(dump->WantsTensor("conv", "Conv2D", true, 0));
  EXPECT_FALSE(dump->WantsTensor("conv", "Conv2D", true, 1));
  EXPECT_TRUE(dump->WantsTensor("conv", "Conv2D", false, 1));
}

TEST(ModelDump, WatchesNodesAfterOthers) {
  DumpConfig config = Selecting({"", {"b"}, {"a"}, {}, {}});
  config.scene = DumpScene::kWatcher;
  const auto dump = Make(config);
  EXPECT_FALSE(dump->WantsNode("b", "Add"));
  EXPECT_EQ(dump->WatchedAfter("b"), std::vector<std::string>{"a"});
  EXPECT_TRUE(dump->IsWatched("a"));
  EXPECT_TRUE(dump->KeepsNode("a", "Add"));
  EXPECT_TRUE(dump->KeepsNode("b", "Add"));
  EXPECT_FALSE(dump->KeepsNode("c", "Add"));
}

TEST(ModelDump, NamesItsDirectories) {
  const auto dump = Make(Selecting({}), {"a.b", "graph"});
  const std::string directory = dump->Directory(12);
  EXPECT_EQ(directory.substr(0, 7), "/dumps/");
  EXPECT_EQ(directory.substr(7 + 14), "/1/a_b/4/12");
}

}  // namespace
}  // namespace foothold
