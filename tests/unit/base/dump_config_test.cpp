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

const std::string kPath = R"("dump_path": "/tmp")";
const std::string kAllModels = R"("dump_list": [{}])";

// The text of a "dump" object of these members.
std::string Dump(const std::vector<std::string>& members) {
  std::string text;
  for (const std::string& member : members)
    text += (text.empty() ? "" : ", ") + member;
  return "{" + text + "}";
}

// The same with a usable path and all models.
std::string With(const std::vector<std::string>& members = {}) {
  std::vector<std::string> all = {kPath, kAllModels};
  all.insert(all.end(), members.begin(), members.end());
  return Dump(all);
}

DumpConfig Parse(const std::string& text) {
  return ParseDumpConfig(nlohmann::json::parse(text));
}

// Message of the refusal with kInvalidDumpConfig and this code in front.
std::string Refused(const char* text_code, const std::string& dump) {
  try {
    Parse(dump);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kInvalidDumpConfig) << error.message();
    EXPECT_STREQ(error.text_code(), text_code) << error.message();
    return error.message();
  }
  ADD_FAILURE() << "accepted: " << dump;
  return "";
}

TEST(DumpConfig, HasDefaults) {
  const DumpConfig config = Parse(With());
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
  const DumpConfig config = Parse(R"({
    "dump_path": ".", "dump_mode": "all", "dump_level": "kernel", "dump_data": "stats", "dump_step": "0|3-5|10",
    "dump_list": [{"model_name": "resnet", "layer": ["conv1", "fc"]}, {"layer": ["pool"]}],
    "dump_stats": ["Max", "Negative Inf", "L2norm", "Max"], "dump_op_switch": "on", "dump_debug": "off",
    "dump_kernel_data": "printf, tensor"})");
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
  const DumpConfig some = Parse(With({R"("dump_step": "0|3-5|10")"}));
  for (const std::uint64_t step : {0, 3, 4, 5, 10})
    EXPECT_TRUE(some.IncludesStep(step)) << step;
  for (const std::uint64_t step : {1, 2, 6, 9, 11})
    EXPECT_FALSE(some.IncludesStep(step)) << step;
  EXPECT_TRUE(Parse(With()).IncludesStep(77));
}

TEST(DumpConfig, RefusesStepsThatAreNotRanges) {
  for (const std::string text : {"", "|", "0|", "|0", "0||1", "a", "1-", "-1", "5-3", "1-2-3", " 1", "1 ",
                                 "1,2", "1.5", "99999999999999999999", "+1"}) {
    EXPECT_THAT(Refused("EP0003", With({"\"dump_step\": \"" + text + "\""})),
                HasSubstr("\"dump_step\" in \"dump\" is \"" + text + "\"; expected"));
  }
  Refused("EP0003", With({R"("dump_step": 3)"}));
}

TEST(DumpConfig, NamesKeyValueAndAllowedValues) {
  EXPECT_EQ(Refused("EP0002", With({R"("dump_mode": "outputs")"})),
            R"("dump_mode" in "dump" is "outputs"; allowed are: "input", "output", "all")");
  EXPECT_EQ(Refused("EP0002", With({R"("dump_op_switch": true)"})),
            R"("dump_op_switch" in "dump" is true; allowed are: "on", "off")");
}

TEST(DumpConfig, RefusesValuesOutsideOfTheirList) {
  for (const std::string key :
       {"dump_mode", "dump_level", "dump_op_switch", "dump_data", "dump_debug", "dump_scene"}) {
    for (const char* value : {"\"ON\"", "\"\"", "1", "null", "[\"on\"]", "{}"}) {
      EXPECT_THAT(Refused("EP0002", With({"\"" + key + "\": " + value})), HasSubstr("allowed are"))
          << key << value;
    }
  }
  Refused("EP0002", With({R"("dump_data": "stats", "dump_stats": ["Max", "max"])"}));
  Refused("EP0002", With({R"("dump_kernel_data": "printf;tensor")"}));
  Refused("EP0002", With({R"("dump_kernel_data": " ")"}));
  Refused("EP0003", With({R"("dump_kernel_data": "")"}));
}

TEST(DumpConfig, RefusesTheWrongKindOfValue) {
  for (const char* dump : {"null", "[]", "\"on\"", "1"})
    Refused("EP0003", dump);
  for (const std::string list :
       {"\"x\"", "{}", "[1]", "[[]]", R"([{"model_name": 3}])", R"([{"model_name": ""}])",
        R"([{"layer": "conv"}])", R"([{"layer": [1]}])"}) {
    Refused("EP0003", Dump({kPath, "\"dump_list\": " + list}));
  }
  Refused("EP0003", Dump({kAllModels, R"("dump_path": 1)"}));
  Refused("EP0003", With({R"("dump_data": "stats", "dump_stats": "Max")"}));
  Refused("EP0003", With({R"("dump_data": "stats", "dump_stats": [])"}));
}

TEST(DumpConfig, NeedsAPathThatCanBeWritten) {
  const auto refused = [](const std::string& path) {
    return Refused("EP0003", Dump({kAllModels, "\"dump_path\": \"" + path + "\""}));
  };
  EXPECT_THAT(Refused("EP0001", Dump({kAllModels})), HasSubstr("\"dump_path\" is missing"));
  EXPECT_THAT(refused("/no/such/directory"), HasSubstr("No such file or directory"));
  EXPECT_THAT(refused("/proc/self/status"), HasSubstr("not a directory"));
  EXPECT_THAT(refused(""), HasSubstr("it is empty"));
  EXPECT_THAT(refused(std::string(5000, 'x')), HasSubstr("not a possible path"));
  EXPECT_THAT(refused("/tmp\\u0000x"), HasSubstr("not a possible path"));
}

TEST(DumpConfig, NeedsAPathWithAllPermissions) {
  std::string name = std::filesystem::temp_directory_path() / "foothold_dump_XXXXXX";
  const std::string directory = mkdtemp(name.data());
  ASSERT_EQ(chmod(directory.c_str(), 0555), 0);
  const pid_t child = fork();
  if (child == 0) {
    const bool ordinary = geteuid() != 0 || setuid(65534) == 0;  // root may write everywhere
    const std::string message = Refused("EP0003", Dump({kAllModels, "\"dump_path\": \"" + directory + "\""}));
    _exit(ordinary && message.find("Permission denied") != std::string::npos ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  std::filesystem::remove(directory);
}

TEST(DumpConfig, NeedsSomethingToDump) {
  EXPECT_THAT(Refused("EP0001", Dump({kPath})), HasSubstr("\"dump_list\" is missing"));
  EXPECT_THAT(Refused("EP0001", Dump({kPath, R"("dump_list": [])"})), HasSubstr("dump_op_switch"));
  EXPECT_NO_THROW(Parse(Dump({kPath, R"("dump_op_switch": "on")"})));
  EXPECT_NO_THROW(Parse(Dump({kPath, R"("dump_debug": "on")"})));
  EXPECT_NO_THROW(Parse(Dump({kPath, R"("dump_kernel_data": "all")"})));
}

TEST(DumpConfig, TakesAnEmptyObjectForNoModelsWithSingleOperators) {
  EXPECT_TRUE(Parse(With({R"("dump_op_switch": "on")"})).selections.empty());
}

TEST(DumpConfig, KeepsOverflowDumpApartFromOthers) {
  Refused("EP0005", Dump({kPath, R"("dump_debug": "on", "dump_list": [{"model_name": "m"}])"}));
  Refused("EP0005", With({R"("dump_debug": "on", "dump_op_switch": "on")"}));
  EXPECT_TRUE(Parse(With({R"("dump_debug": "on")"})).overflow_only);
}

TEST(DumpConfig, KeepsExceptionScenesApartFromOthers) {
  for (const std::string scene :
       {"lite_exception", "aic_err_brief_dump", "aic_err_norm_dump", "aic_err_detail_dump"}) {
    const std::string only = "\"dump_scene\": \"" + scene + "\"";
    EXPECT_EQ(Parse(Dump({only})).path, "");
    EXPECT_NO_THROW(Parse(With({only})));
    Refused("EP0003", Dump({only, R"("dump_path": "/no/such/directory")"}));
    Refused("EP0005", With({only, R"("dump_op_switch": "on")"}));
    Refused("EP0005", With({only, R"("dump_debug": "on")"}));
    Refused("EP0005", Dump({only, R"("dump_list": [{"layer": ["a"]}])"}));
    Refused("EP0005", With({only, R"("dump_data": "stats", "dump_stats": ["Max"])"}));
  }
}

TEST(DumpConfig, AllowsStatisticsOnlyForDataOfThatForm) {
  Refused("EP0005", With({R"("dump_stats": ["Max"])"}));
  Refused("EP0005", With({R"("dump_stats": ["Max"], "dump_data": "tensor")"}));
  EXPECT_EQ(Parse(With({R"("dump_stats": ["Max"], "dump_data": "stats")"})).statistics.size(), 1u);
}

TEST(DumpConfig, ChecksTheWatcherScene) {
  const std::string scene = R"("dump_scene": "watcher")";
  const std::string list = R"("dump_list": [{"layer": ["a"], "watcher_nodes": ["b"]}])";
  EXPECT_EQ(Parse(Dump({kPath, scene, list})).selections[0].watcher_nodes, std::vector<std::string>{"b"});
  EXPECT_NO_THROW(Parse(Dump({kPath, scene, list, R"("dump_mode": "output")"})));
  Refused("EP0005", Dump({kPath, scene, list, R"("dump_mode": "input")"}));
  Refused("EP0005", Dump({kPath, scene, list, R"("dump_op_switch": "on")"}));
  Refused("EP0005", Dump({kPath, scene, list, R"("dump_debug": "on")"}));
  Refused("EP0005", Dump({kPath, scene,
                          R"("dump_list": [{"model_name": "m", "layer": ["a"], "watcher_nodes": ["b"]}])"}));
  Refused("EP0001", Dump({kPath, scene, R"("dump_list": [])"}));
  Refused("EP0001", Dump({kPath, scene, R"("dump_list": [{"layer": ["a"]}])"}));
  Refused("EP0001", Dump({kPath, scene, R"("dump_list": [{"watcher_nodes": ["b"]}])"}));
  Refused("EP0001", Dump({scene, list}));
  Refused("EP0005", Dump({kPath, list}));
}

TEST(DumpConfig, IgnoresKeysItDoesNotKnow) {
  EXPECT_EQ(Parse(With({R"("dump_colour": "blue")"})), Parse(With()));
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
  EXPECT_EQ(Load("{\"dump\": " + With() + "}"), kSuccess);
  EXPECT_EQ(Load("{}"), kInvalidDumpConfig);
  EXPECT_EQ(Load("{\"dump\": {}}"), kInvalidDumpConfig);
  EXPECT_EQ(Load("{\"dump\": "), kParseFile);
  std::filesystem::remove(path_);
  EXPECT_THROW(LoadDumpConfig(path_.c_str()), Error);
}

}  // namespace
}  // namespace foothold
