// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/dump_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace foothold {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

// A configuration of the members given, beside a usable dump_path and a dump_list for all models.
Json With(const Json& members = Json::object()) {
  Json dump = {{"dump_path", "/tmp"}, {"dump_list", Json::array({Json::object()})}};
  dump.update(members);
  return dump;
}

Json Without(const char* key, const Json& members = Json::object()) {
  Json dump = With(members);
  dump.erase(key);
  return dump;
}

// Message of the refusal with kInvalidDumpConfig and this code in front.
std::string Refused(const char* text_code, const Json& dump) {
  try {
    ParseDumpConfig(dump);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kInvalidDumpConfig) << error.message();
    EXPECT_STREQ(error.text_code(), text_code) << error.message();
    return error.message();
  }
  ADD_FAILURE() << "accepted: " << dump;
  return "";
}

TEST(DumpConfig, HasDefaults) {
  const DumpConfig config = ParseDumpConfig(With());
  EXPECT_EQ(config.path, "/tmp");
  EXPECT_EQ(config.selections, std::vector<DumpSelection>(1));
  EXPECT_EQ(config.mode, DumpMode::kOutput);
  EXPECT_EQ(config.level, DumpLevel::kAll);
  EXPECT_EQ(config.data, DumpData::kTensor);
  EXPECT_EQ(config.scene, DumpScene::kNone);
  EXPECT_FALSE(config.single_operators);
  EXPECT_FALSE(config.overflow_only);
  EXPECT_TRUE(config.steps.empty());
  EXPECT_TRUE(config.statistics.empty());
  EXPECT_TRUE(config.kernel_data.empty());
}

TEST(DumpConfig, ReadsEveryKey) {
  const DumpConfig config = ParseDumpConfig(Json::parse(R"({
    "dump_path": ".", "dump_mode": "all", "dump_level": "kernel", "dump_data": "stats", "dump_step": "0|3-5|10",
    "dump_list": [{"model_name": "resnet", "layer": ["conv1", "fc"]}, {"layer": ["pool"]}],
    "dump_stats": ["Max", "Negative Inf", "L2norm", "Max"], "dump_op_switch": "on", "dump_debug": "off",
    "dump_kernel_data": "printf, tensor"})"));
  EXPECT_EQ(config.mode, DumpMode::kAll);
  EXPECT_EQ(config.level, DumpLevel::kKernel);
  EXPECT_EQ(config.data, DumpData::kStatistics);
  EXPECT_EQ(config.steps, (std::vector<DumpSteps>{{0, 0}, {3, 5}, {10, 10}}));
  EXPECT_EQ(config.selections,
            (std::vector<DumpSelection>{{"resnet", {"conv1", "fc"}, {}}, {"", {"pool"}, {}}}));
  EXPECT_EQ(config.statistics, (std::vector<DumpStatistic>{DumpStatistic::kMax, DumpStatistic::kNegativeInf,
                                                           DumpStatistic::kL2Norm}));
  EXPECT_TRUE(config.single_operators);
  EXPECT_EQ(config.kernel_data,
            (std::vector<DumpKernelData>{DumpKernelData::kPrintf, DumpKernelData::kTensor}));
}

TEST(DumpConfig, IncludesTheStepsOfItsRanges) {
  const DumpConfig some = ParseDumpConfig(With({{"dump_step", "0|3-5|10"}}));
  for (const std::uint64_t step : {0, 3, 4, 5, 10})
    EXPECT_TRUE(some.IncludesStep(step)) << step;
  for (const std::uint64_t step : {1, 2, 6, 9, 11})
    EXPECT_FALSE(some.IncludesStep(step)) << step;
  EXPECT_TRUE(ParseDumpConfig(With()).IncludesStep(77));
}

TEST(DumpConfig, RefusesStepsThatAreNotRanges) {
  for (const char* text : {"", "|", "0|", "|0", "0||1", "a", "1-", "-1", "5-3", "1-2-3", " 1", "1 ", "1,2",
                           "1.5", "99999999999999999999", "+1"}) {
    EXPECT_THAT(Refused("EP0003", With({{"dump_step", text}})), HasSubstr("\"dump_step\" in \"dump\" is \""))
        << text;
  }
  Refused("EP0003", With({{"dump_step", 3}}));
}

TEST(DumpConfig, NamesKeyValueAndAllowedValues) {
  EXPECT_EQ(Refused("EP0002", With({{"dump_mode", "outputs"}})),
            R"("dump_mode" in "dump" is "outputs"; allowed are: "input", "output", "all")");
  EXPECT_EQ(Refused("EP0002", With({{"dump_op_switch", true}})),
            R"("dump_op_switch" in "dump" is true; allowed are: "on", "off")");
}

TEST(DumpConfig, RefusesValuesOutsideOfTheirList) {
  for (const char* key :
       {"dump_mode", "dump_level", "dump_op_switch", "dump_data", "dump_debug", "dump_scene"}) {
    for (const Json& value :
         {Json("ON"), Json(""), Json(1), Json(nullptr), Json::array({"on"}), Json::object()}) {
      EXPECT_THAT(Refused("EP0002", With({{key, value}})), HasSubstr("allowed are")) << key << value;
    }
  }
  Refused("EP0002", With({{"dump_data", "stats"}, {"dump_stats", {"Max", "max"}}}));
  Refused("EP0002", With({{"dump_kernel_data", "printf;tensor"}}));
  Refused("EP0003", With({{"dump_kernel_data", " "}, {"dump_list", 1}}));
  Refused("EP0003", With({{"dump_kernel_data", ""}}));
}

TEST(DumpConfig, RefusesTheWrongKindOfValue) {
  for (const Json& dump : {Json(nullptr), Json::array(), Json("on"), Json(1)})
    Refused("EP0003", dump);
  for (const Json& list : {Json("x"), Json::object(), Json::array({1}), Json::array({Json::array()}),
                           Json::array({{{"model_name", 3}}}), Json::array({{{"model_name", ""}}}),
                           Json::array({{{"layer", "conv"}}}), Json::array({{{"layer", {1}}}})}) {
    Refused("EP0003", With({{"dump_list", list}}));
  }
  Refused("EP0003", With({{"dump_path", 1}}));
  Refused("EP0003", With({{"dump_data", "stats"}, {"dump_stats", "Max"}}));
  Refused("EP0003", With({{"dump_data", "stats"}, {"dump_stats", Json::array()}}));
}

TEST(DumpConfig, NeedsAPathThatCanBeWritten) {
  EXPECT_THAT(Refused("EP0001", Without("dump_path")), HasSubstr("\"dump_path\" is missing"));
  EXPECT_THAT(Refused("EP0003", With({{"dump_path", "/no/such/directory"}})),
              HasSubstr("No such file or directory"));
  EXPECT_THAT(Refused("EP0003", With({{"dump_path", "/proc/self/status"}})), HasSubstr("not a directory"));
  EXPECT_THAT(Refused("EP0003", With({{"dump_path", ""}})), HasSubstr("it is empty"));
  EXPECT_THAT(Refused("EP0003", With({{"dump_path", std::string(5000, 'x')}})),
              HasSubstr("not a possible path"));
  EXPECT_THAT(Refused("EP0003", With({{"dump_path", std::string("/tmp\0x", 6)}})),
              HasSubstr("not a possible path"));
}

TEST(DumpConfig, NeedsAPathWithAllPermissions) {
  std::string name = std::filesystem::temp_directory_path() / "foothold_dump_XXXXXX";
  const std::string directory = mkdtemp(name.data());
  ASSERT_EQ(chmod(directory.c_str(), 0555), 0);
  const pid_t child = fork();
  if (child == 0) {
    const bool ordinary = geteuid() != 0 || setuid(65534) == 0;  // root may write everywhere
    const std::string message = Refused("EP0003", With({{"dump_path", directory}}));
    _exit(ordinary && message.find("Permission denied") != std::string::npos ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  std::filesystem::remove(directory);
}

TEST(DumpConfig, NeedsSomethingToDump) {
  EXPECT_THAT(Refused("EP0001", Without("dump_list")), HasSubstr("\"dump_list\" is missing"));
  EXPECT_THAT(Refused("EP0001", With({{"dump_list", Json::array()}})), HasSubstr("dump_op_switch"));
  EXPECT_NO_THROW(ParseDumpConfig(Without("dump_list", {{"dump_op_switch", "on"}})));
  EXPECT_NO_THROW(ParseDumpConfig(Without("dump_list", {{"dump_debug", "on"}})));
  EXPECT_NO_THROW(ParseDumpConfig(Without("dump_list", {{"dump_kernel_data", "all"}})));
}

TEST(DumpConfig, TakesAnEmptyObjectForNoModelsWithSingleOperators) {
  EXPECT_TRUE(ParseDumpConfig(With({{"dump_op_switch", "on"}})).selections.empty());
}

TEST(DumpConfig, KeepsOverflowDumpApartFromOthers) {
  const Json models = Json::array({{{"model_name", "m"}}});
  Refused("EP0005", With({{"dump_debug", "on"}, {"dump_list", models}}));
  Refused("EP0005", With({{"dump_debug", "on"}, {"dump_op_switch", "on"}}));
  EXPECT_TRUE(ParseDumpConfig(With({{"dump_debug", "on"}})).overflow_only);
}

TEST(DumpConfig, KeepsExceptionScenesApartFromOthers) {
  for (const char* scene :
       {"lite_exception", "aic_err_brief_dump", "aic_err_norm_dump", "aic_err_detail_dump"}) {
    const Json only = {{"dump_scene", scene}};
    EXPECT_EQ(ParseDumpConfig(only).path, "");
    EXPECT_NO_THROW(ParseDumpConfig(With(only)));
    Refused("EP0003", {{"dump_scene", scene}, {"dump_path", "/no/such/directory"}});
    Refused("EP0005", With({{"dump_scene", scene}, {"dump_op_switch", "on"}}));
    Refused("EP0005", With({{"dump_scene", scene}, {"dump_debug", "on"}}));
    Refused("EP0005", With({{"dump_scene", scene}, {"dump_list", Json::array({{{"layer", {"a"}}}})}}));
    Refused("EP0005", With({{"dump_scene", scene}, {"dump_data", "stats"}, {"dump_stats", {"Max"}}}));
  }
}

TEST(DumpConfig, AllowsStatisticsOnlyForDataOfThatForm) {
  Refused("EP0005", With({{"dump_stats", {"Max"}}}));
  Refused("EP0005", With({{"dump_stats", {"Max"}}, {"dump_data", "tensor"}}));
  EXPECT_EQ(ParseDumpConfig(With({{"dump_stats", {"Max"}}, {"dump_data", "stats"}})).statistics.size(), 1u);
}

TEST(DumpConfig, ChecksTheWatcherScene) {
  const Json list = Json::array({{{"layer", {"a"}}, {"watcher_nodes", {"b"}}}});
  const auto watcher = [&](const Json& members) {
    Json all = {{"dump_scene", "watcher"}, {"dump_list", list}};
    all.update(members);
    return With(all);
  };
  EXPECT_EQ(ParseDumpConfig(watcher(Json::object())).selections[0].watcher_nodes,
            std::vector<std::string>{"b"});
  EXPECT_NO_THROW(ParseDumpConfig(watcher({{"dump_mode", "output"}})));
  Refused("EP0005", watcher({{"dump_mode", "input"}}));
  Refused("EP0005", watcher({{"dump_op_switch", "on"}}));
  Refused("EP0005", watcher({{"dump_debug", "on"}}));
  Refused("EP0005",
          watcher({{"dump_list", {{{"model_name", "m"}, {"layer", {"a"}}, {"watcher_nodes", {"b"}}}}}}));
  Refused("EP0001", watcher({{"dump_list", Json::array()}}));
  Refused("EP0001", watcher({{"dump_list", {{{"layer", {"a"}}}}}}));
  Refused("EP0001", watcher({{"dump_list", {{{"watcher_nodes", {"b"}}}}}}));
  Refused("EP0005", With({{"dump_list", list}}));
  Json no_path = watcher(Json::object());
  no_path.erase("dump_path");
  Refused("EP0001", no_path);
}

TEST(DumpConfig, IgnoresKeysItDoesNotKnow) {
  EXPECT_EQ(ParseDumpConfig(With({{"dump_colour", "blue"}})), ParseDumpConfig(With()));
}

class DumpFile : public ::testing::Test {
 protected:
  DumpFile() {
    std::string name = std::filesystem::temp_directory_path() / "foothold_dump_XXXXXX";
    directory_ = mkdtemp(name.data());
    path_ = directory_ + "/acl.json";
  }
  ~DumpFile() override { std::filesystem::remove_all(directory_); }
  Code Load(const std::string& text) const {
    std::ofstream(path_) << text;
    try {
      LoadDumpConfig(path_.c_str());
    } catch (const Error& error) {
      return error.code();
    }
    return kSuccess;
  }

  std::string directory_;
  std::string path_;
};

TEST_F(DumpFile, MustHoldADumpPart) {
  EXPECT_EQ(Load(Json{{"dump", With()}}.dump()), kSuccess);
  EXPECT_EQ(Load("{}"), kInvalidDumpConfig);
  EXPECT_EQ(Load("{\"dump\": {}}"), kInvalidDumpConfig);
  EXPECT_EQ(Load("{\"dump\": "), kParseFile);
  std::filesystem::remove(path_);
  EXPECT_THROW(LoadDumpConfig(path_.c_str()), Error);
}

}  // namespace
}  // namespace foothold
