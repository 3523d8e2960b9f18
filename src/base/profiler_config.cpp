// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/profiler_config.h"

#include <nlohmann/json.hpp>

#include "base/config_section.h"
#include "base/environment.h"

namespace foothold {
namespace {

constexpr ConfigSection::TextCodes kTextCodes = {"EK0001", "EK0001", "EK0001", "EK0001"};
constexpr const char* kSwitches[] = {"aicpu", "l2", "hccl", "msproftx", "runtime_api", "task_memory"};
constexpr std::pair<std::string_view, int> kTaskTime[] = {
    {"on", 1}, {"off", 0}, {"l0", 0}, {"l1", 1}, {"l2", 2}};
constexpr std::pair<std::string_view, int> kMetrics[] = {
    {"ArithmeticUtilization", 0}, {"PipeUtilization", 1}, {"Memory", 2},  {"MemoryL0", 3},
    {"ResourceConflictRatio", 4}, {"MemoryUB", 5},        {"L2Cache", 6}, {"PipelineExecuteUtilization", 7},
    {"MemoryAccess", 8}};

void CheckStorageLimit(const ConfigSection& section) {
  const std::string text = section.Text("storage_limit").value_or("200MB");
  const bool megabytes =
      text.size() > 2 && text.substr(text.size() - 2) == "MB" && text[0] >= '0' && text[0] <= '9';
  if (!megabytes || !ParseBytes(text)) {
    section.FailInvalid("storage_limit", ShowJson(text), "a number of megabytes such as \"200MB\"");
  }
}

}  // namespace

ProfilerConfig ParseProfilerConfig(const nlohmann::json& profiler) {
  const ConfigSection section(profiler, "profiler", kInvalidProfilingConfig, kTextCodes);
  section.LogOtherKeys({"switch", "output", "aic_metrics", "storage_limit", "task_time", "aicpu", "l2",
                        "hccl", "msproftx", "runtime_api", "task_memory"});
  ProfilerConfig config{
      .enabled = section.Switch("switch"), .output = section.Text("output").value_or(""), .settings = {}};
  for (const char* key : kSwitches)
    section.Switch(key);
  section.Choose("task_time", kTaskTime, 0);
  section.Choose("aic_metrics", kMetrics, 0);
  CheckStorageLimit(section);
  if (config.enabled && !config.output.empty()) section.CheckDirectory("output", config.output);
  for (const auto& item : profiler.items()) {
    if (item.value().is_string()) config.settings[item.key()] = item.value().get<std::string>();
  }
  return config;
}

}  // namespace foothold
