// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Options of the engine, a session or a graph. Keys nobody knows are kept and ignored. Values; any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace foothold {

using OptionMap = std::map<std::string, std::string, std::less<>>;

// What is said on several levels; the last that says something counts.
class Options {
 public:
  Options() = default;
  Options(const Options& outer, const OptionMap& inner);
  explicit Options(const OptionMap& map) : map_(map) {}

  std::optional<std::string> Find(std::string_view key) const;
  // "1", "true", "enable" in any case.
  bool IsOn(std::string_view key) const;
  const OptionMap& map() const { return map_; }

 private:
  OptionMap map_;
};

// A folder below which graphs from files may have their weights.
inline constexpr const char* kWeightFolderOption = "ge.externalWeightDir";

// Throws an E10001 naming key, value and what is allowed; warns about keys that change nothing.
void CheckOptions(const OptionMap& options);

}  // namespace foothold
