// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What to look for and what to do with it: FOOTHOLD_CHECK and its sisters, or the section "check" of the file
// of aclInit. What cannot be understood is told once, and the default is used. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "check/rules.h"
#include "check/stacks.h"

namespace foothold::check {

// kError: the call fails as well, or the task does.
enum class OnFinding { kReport, kError, kAbort, kBreak };

struct Settings {
  std::vector<Group> groups;
  bool portability = false, advice = false;
  std::vector<std::string> left_out;  // rules, by id
  OnFinding on = OnFinding::kReport;
  std::vector<std::string> outputs;       // "stderr", or files
  std::vector<std::string> suppressions;  // files
  std::uint64_t limit = 100, limit_per_site = 1;
  StackMode stacks = StackMode::kAuto;
  Nanoseconds hang = 10 * kSecond;  // without progress, before that is told; 0: never

  bool Wants(const Rule& rule) const;
};

// The value of one setting by its name without "FOOTHOLD_": "CHECK", "CHECK_OUTPUT", ...; nothing if not set.
using Lookup = std::function<std::optional<std::string>(const std::string& name)>;
// `tell` is called with what is wrong. Nothing: the mode stays off.
std::optional<Settings> ReadSettings(
    const Lookup& lookup, const std::function<void(const std::string& name, std::string text)>& tell);

}  // namespace foothold::check
