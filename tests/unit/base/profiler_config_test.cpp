// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/profiler_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace foothold {
namespace {

using ::testing::HasSubstr;

ProfilerConfig Parse(const std::string& text) {
  return ParseProfilerConfig(nlohmann::json::parse(text));
}

std::string Refused(const std::string& profiler) {
  try {
    Parse(profiler);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kInvalidProfilingConfig) << error.message();
    EXPECT_STREQ(error.text_code(), "EK0001");
    return error.message();
  }
  ADD_FAILURE() << "accepted: " << profiler;
  return "";
}

TEST(ProfilerConfig, IsOffUnlessSwitchedOn) {
  EXPECT_FALSE(Parse("{}").enabled);
  EXPECT_FALSE(Parse(R"({"switch": "off"})").enabled);
  EXPECT_TRUE(Parse(R"({"switch": "on"})").enabled);
}

TEST(ProfilerConfig, KeepsItsSettings) {
  const ProfilerConfig config = Parse(R"({"switch": "on", "output": "/tmp", "aic_metrics": "PipeUtilization",
                                          "storage_limit": "300MB", "task_time": "l1", "aicpu": "off"})");
  EXPECT_EQ(config.output, "/tmp");
  EXPECT_EQ(config.settings.at("aic_metrics"), "PipeUtilization");
  EXPECT_EQ(config.settings.size(), 6u);
}

TEST(ProfilerConfig, RefusesValuesThatAreNotAllowed) {
  EXPECT_EQ(Refused(R"({"switch": "yes"})"), R"("switch" in "profiler" is "yes"; allowed are: "on", "off")");
  for (const char* text :
       {R"({"switch": true})", R"({"aicpu": "1"})", R"({"task_time": "l9"})", R"({"aic_metrics": "Speed"})",
        R"({"output": 3})", R"({"storage_limit": 200})", "null", "[]", "\"on\""}) {
    Refused(text);
  }
  for (const std::string limit : {"", "MB", "200", "200KB", "-200MB", "xMB"}) {
    EXPECT_THAT(Refused("{\"storage_limit\": \"" + limit + "\"}"),
                HasSubstr("expected a number of megabytes"));
  }
}

TEST(ProfilerConfig, NeedsAnOutputDirectoryOnlyWhenItIsOn) {
  EXPECT_THAT(Refused(R"({"switch": "on", "output": "/no/such/directory"})"), HasSubstr("No such file"));
  EXPECT_NO_THROW(Parse(R"({"switch": "off", "output": "/no/such/directory"})"));
}

}  // namespace
}  // namespace foothold
