// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace foothold {
namespace {

using ::testing::HasSubstr;

std::string Refused(Code code, const std::string& text) {
  try {
    ParseInitConfig(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.message();
    return error.message();
  }
  ADD_FAILURE() << "accepted: " << text;
  return "";
}

TEST(InitConfig, HasDefaults) {
  const InitConfig config = ParseInitConfig("{}");
  EXPECT_FALSE(config.dump);
  EXPECT_FALSE(config.profiler);
  EXPECT_EQ(config.max_operator_models, 20000u);
  EXPECT_EQ(config.error_scope, ErrorScope::kThread);
  EXPECT_EQ(config.default_device, std::nullopt);
}

TEST(InitConfig, ReadsEveryKey) {
  const std::string text = R"({
    "dump": {"dump_path": "/tmp", "dump_list": [{}]}, "profiler": {"switch": "on"}, "max_opqueue_num": "7",
    "err_msg_mode": "1", "defaultDevice": {"default_device": "3"},
    "StackSize": {"aicore_stack_size": 32768}, "simt_printf_fifo_size": 1, "simd_printf_fifo_size_per_core": 2})";
  const InitConfig config = ParseInitConfig(text);
  EXPECT_EQ(config.text, text);
  EXPECT_EQ(config.dump->path, "/tmp");
  EXPECT_TRUE(config.profiler->enabled);
  EXPECT_EQ(config.max_operator_models, 7u);
  EXPECT_EQ(config.error_scope, ErrorScope::kProcess);
  EXPECT_EQ(config.default_device, 3);
}

TEST(InitConfig, IgnoresKeysItDoesNotKnow) {
  EXPECT_TRUE(SameSettings(ParseInitConfig("{\"colour\": {\"x\": [1]}}"), InitConfig()));
}

TEST(InitConfig, ComparesSettingsNotSpelling) {
  EXPECT_TRUE(SameSettings(ParseInitConfig("{ \"err_msg_mode\":\"0\" }"), ParseInitConfig("{}")));
  EXPECT_FALSE(SameSettings(ParseInitConfig("{\"err_msg_mode\":\"1\"}"), ParseInitConfig("{}")));
  EXPECT_FALSE(SameSettings(ParseInitConfig("{\"profiler\":{}}"), ParseInitConfig("{}")));
}

TEST(InitConfig, RefusesABadCacheSize) {
  for (const char* value : {"\"0\"", "\"-1\"", "\"\"", "\"x\"", "\"1x\"", "\" 1\"", "\"1.5\"",
                            "\"99999999999999999999\"", "20000", "null", "[]", "true"}) {
    EXPECT_THAT(Refused(kInvalidMaxOpQueueNum, std::string("{\"max_opqueue_num\": ") + value + "}"),
                HasSubstr("; expected a positive number as text, such as \"20000\""))
        << value;
  }
}

TEST(InitConfig, RefusesABadErrorScope) {
  for (const char* value : {"\"2\"", "\"\"", "1", "true"}) {
    EXPECT_THAT(Refused(kInvalidParam, std::string("{\"err_msg_mode\": ") + value + "}"),
                HasSubstr("; allowed are: \"0\", \"1\""));
  }
}

TEST(InitConfig, RefusesABadDefaultDevice) {
  for (const char* value : {"\"0\"", "{}", "{\"default_device\": 0}", "{\"default_device\": \"-1\"}",
                            "{\"default_device\": \"x\"}", "{\"default_device\": \"4294967296\"}"}) {
    EXPECT_FALSE(Refused(kInvalidParam, std::string("{\"defaultDevice\": ") + value + "}").empty()) << value;
  }
}

TEST(InitConfig, KeepsTheNumbersOfItsParts) {
  Refused(kInvalidDumpConfig, "{\"dump\": {}}");
  Refused(kInvalidProfilingConfig, "{\"profiler\": {\"switch\": \"maybe\"}}");
  Refused(kParseFile, "{\"dump\": ");
  Refused(kParseFile, "[]");
}

TEST(InitConfig, IsEmptyWithoutAPath) {
  EXPECT_TRUE(SameSettings(LoadInitConfig(nullptr), InitConfig()));
  EXPECT_TRUE(SameSettings(LoadInitConfig(""), InitConfig()));
  EXPECT_EQ(LoadInitConfig(nullptr).text, "{}");
}

TEST(InitConfig, NamesTheFileItRefuses) {
  std::string name = std::filesystem::temp_directory_path() / "foothold_init_XXXXXX";
  const std::string directory = mkdtemp(name.data());
  const std::string path = directory + "/acl.json";
  std::ofstream(path) << "{\"err_msg_mode\": \"9\"}";
  try {
    LoadInitConfig(path.c_str());
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kInvalidParam);
    EXPECT_STREQ(error.text_code(), "EH0004");
    EXPECT_THAT(error.message(), HasSubstr("(in \"" + path + "\")"));
  }
  std::ofstream(path) << "{\"err_msg_mode\": \"1\"}";
  EXPECT_EQ(LoadInitConfig(path.c_str()).error_scope, ErrorScope::kProcess);
  std::filesystem::remove_all(directory);
  try {
    LoadInitConfig(path.c_str());
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kInvalidFile);
  }
}

}  // namespace
}  // namespace foothold
