// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The "profiler" part of the configuration of aclInit. What measures units of an NPU is checked and kept, and
// has no effect. Any thread.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace foothold {

struct ProfilerConfig {
  bool enabled = false;
  std::string output;  // empty: the working directory
  std::map<std::string, std::string> settings;
  bool operator==(const ProfilerConfig&) const = default;
};

// `profiler` is the value of the key "profiler". Fails with kInvalidProfilingConfig.
ProfilerConfig ParseProfilerConfig(const nlohmann::json& profiler);

}  // namespace foothold
