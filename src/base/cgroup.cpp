// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/cgroup.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/environment.h"

namespace foothold {
namespace {

constexpr std::string_view kUnified = "";  // the name the kernel gives the controller list of cgroup v2

struct Mount {
  std::string group;  // the group that is visible at `path`
  std::string path;
};

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(part);
  return parts;
}

bool Contains(const std::vector<std::string>& parts, std::string_view wanted) {
  return std::find(parts.begin(), parts.end(), wanted) != parts.end();
}

// Lines of /proc/self/cgroup: "4:cpu,cpuacct:/path", for v2 "0::/path".
std::optional<std::string> GroupOf(const std::string& root, std::string_view controller) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool found =
        controller == kUnified ? controllers.empty() : Contains(Split(controllers, ','), controller);
    if (found) return line.substr(second + 1);
  }
  return std::nullopt;
}

// Lines of /proc/self/mountinfo: "36 35 98:0 /group /path options [optional fields] - type source
// super-options".
std::optional<Mount> MountOf(const std::string& root, std::string_view controller) {
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const auto dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const std::vector<std::string> left = Split(line.substr(0, dash), ' ');
    const std::vector<std::string> right = Split(line.substr(dash + 3), ' ');
    if (left.size() < 5 || right.size() < 3) continue;
    const bool found = controller == kUnified
                           ? right[0] == "cgroup2"
                           : right[0] == "cgroup" && Contains(Split(right[2], ','), controller);
    if (found) return Mount{left[3], left[4]};
  }
  return std::nullopt;
}

// The directories of this process's group and of those above it. A group outside of what is mounted (a
// container that does not see its own) leaves only the mount point.
std::vector<std::string> Directories(const std::string& root, std::string_view controller) {
  const std::optional<std::string> group = GroupOf(root, controller);
  const std::optional<Mount> mount = MountOf(root, controller);
  if (!group || !mount) return {};
  std::string below = *group;
  if (mount->group != "/") {
    const bool inside = below.compare(0, mount->group.size(), mount->group) == 0;
    below = inside ? below.substr(mount->group.size()) : "";
  }
  std::vector<std::string> directories;
  while (below.size() > 1) {
    directories.push_back(root + mount->path + below);
    below.resize(below.find_last_of('/') == std::string::npos ? 0 : below.find_last_of('/'));
  }
  directories.push_back(root + mount->path);
  return directories;
}

std::vector<std::string> ReadWords(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> words;
  for (std::string word; words.size() < 2 && file >> word;)
    words.push_back(word);
  return words;
}

std::optional<std::int64_t> ReadInt(const std::string& path) {
  const std::vector<std::string> words = ReadWords(path);
  return words.empty() ? std::nullopt : ParseInt(words[0]);
}

std::optional<double> Ratio(std::optional<std::int64_t> quota, std::optional<std::int64_t> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

template <typename T>
void Lower(std::optional<T>& limit, std::optional<T> other) {
  if (other && (!limit || *other < *limit)) limit = other;
}

// "max" for no limit in v2, a number near the greatest in v1: neither lowers anything.
std::optional<std::uint64_t> ReadCount(const std::string& path) {
  const std::optional<std::int64_t> value = ReadInt(path);
  if (!value || *value <= 0) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

}  // namespace

CgroupLimits ReadCgroupLimits(const std::string& root) {
  CgroupLimits limits;
  for (const std::string& directory : Directories(root, kUnified)) {
    const std::vector<std::string> words =
        ReadWords(directory + "/cpu.max");  // "max 100000" or "150000 100000"
    if (words.size() == 2) Lower(limits.cpus, Ratio(ParseInt(words[0]), ParseInt(words[1])));
    Lower(limits.memory_bytes, ReadCount(directory + "/memory.max"));
    Lower(limits.tasks, ReadCount(directory + "/pids.max"));
  }
  for (const std::string& directory : Directories(root, "cpu")) {
    Lower(limits.cpus,
          Ratio(ReadInt(directory + "/cpu.cfs_quota_us"), ReadInt(directory + "/cpu.cfs_period_us")));
  }
  for (const std::string& directory : Directories(root, "memory")) {
    Lower(limits.memory_bytes, ReadCount(directory + "/memory.limit_in_bytes"));
  }
  for (const std::string& directory : Directories(root, "pids")) {
    Lower(limits.tasks, ReadCount(directory + "/pids.max"));
  }
  return limits;
}

}  // namespace foothold
