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
using Json = nlohmann::json;

std::string Refused(const Json& profiler) {
  try {
    ParseProfilerConfig(profiler);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kInvalidProfilingConfig) << error.message();
    EXPECT_STREQ(error.text_code(), "EK0001");
    return error.message();
  }
  ADD_FAILURE() << "accepted: " << profiler;
  return "";
}

TEST(ProfilerConfig, IsOffUnlessSwitchedOn) {
  EXPECT_FALSE(ParseProfilerConfig(Json::object()).enabled);
  EXPECT_FALSE(ParseProfilerConfig({{"switch", "off"}}).enabled);
  EXPECT_TRUE(ParseProfilerConfig({{"switch", "on"}}).enabled);
}

TEST(ProfilerConfig, KeepsItsSettings) {
  const ProfilerConfig config = ParseProfilerConfig({{"switch", "on"},
                                                     {"output", "/tmp"},
                                                     {"aic_metrics", "PipeUtilization"},
                                                     {"storage_limit", "300MB"},
                                                     {"task_time", "l1"},
                                                     {"aicpu", "off"}});
  EXPECT_EQ(config.output, "/tmp");
  EXPECT_EQ(config.settings.at("aic_metrics"), "PipeUtilization");
  EXPECT_EQ(config.settings.size(), 6u);
}

TEST(ProfilerConfig, RefusesValuesThatAreNotAllowed) {
  EXPECT_THAT(Refused({{"switch", "yes"}}),
              HasSubstr("\"switch\" in \"profiler\" is \"yes\"; allowed are: \"on\", \"off\""));
  Refused({{"switch", true}});
  Refused({{"aicpu", "1"}});
  Refused({{"task_time", "l9"}});
  Refused({{"aic_metrics", "Speed"}});
  Refused({{"output", 3}});
  for (const char* limit : {"", "MB", "200", "200KB", "-200MB", "xMB"})
    Refused({{"storage_limit", limit}});
  for (const Json& profiler : {Json(nullptr), Json::array(), Json("on")})
    Refused(profiler);
}

TEST(ProfilerConfig, NeedsAnOutputDirectoryOnlyWhenItIsOn) {
  EXPECT_THAT(Refused({{"switch", "on"}, {"output", "/no/such/directory"}}), HasSubstr("No such file"));
  EXPECT_NO_THROW(ParseProfilerConfig({{"switch", "off"}, {"output", "/no/such/directory"}}));
}

}  // namespace
}  // namespace foothold
