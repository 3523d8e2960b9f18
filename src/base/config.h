// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The configuration given to aclInit: a JSON object. Checked completely when it is read. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/dump_config.h"
#include "base/profiler_config.h"
#include "base/recent_errors.h"

namespace foothold {

struct InitConfig {
  std::string text =
      "{}";  // the configuration as given, for callbacks registered with aclInitCallbackRegister
  std::optional<DumpConfig> dump;
  std::optional<ProfilerConfig> profiler;
  std::uint64_t max_operator_models = 20000;  // "max_opqueue_num"
  ErrorScope error_scope = ErrorScope::kThread;
  std::optional<std::int32_t> default_device;
  std::map<std::string, std::string> check;  // keys and texts of "check"
};

// Whether two configurations ask for the same, however they are written.
bool SameSettings(const InitConfig& a, const InitConfig& b);

// Fails with kParseFile, kInvalidDumpConfig, kInvalidProfilingConfig, kInvalidMaxOpQueueNum, or kInvalidParam
// for other values that are not allowed. Keys without an effect are logged.
InitConfig ParseInitConfig(const std::string& text);

// Null and "" mean no configuration. Fails also with kInvalidFile or kInvalidFileSize.
InitConfig LoadInitConfig(const char* path);

}  // namespace foothold
