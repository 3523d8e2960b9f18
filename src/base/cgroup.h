// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The limits that control groups, v1 and v2, put on this process: the lowest on the way from its own group to
// the root. Used by environment.cpp. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace foothold {

struct CgroupLimits {
  std::optional<double> cpus;
  std::optional<std::uint64_t> memory_bytes;
  std::optional<std::uint64_t> tasks;  // threads and processes
};

// `root` stands before every path that is read (/proc/self/cgroup, ...), so that a test can lay out a machine
// of its own. What cannot be read sets no limit.
CgroupLimits ReadCgroupLimits(const std::string& root = "");

}  // namespace foothold
