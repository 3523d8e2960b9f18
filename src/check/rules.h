// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The rules programs are checked for: one table, read by reports, `foothold explain`, SARIF files,
// docs/rules.md and the test that wants a program that breaks each and one that does not. Only rules that are
// looked for stand in it. Numbers are never used again. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace foothold::check {

enum class Group : std::uint8_t { kMemory, kInit, kRace, kSync, kHandle, kUsage, kLeak };

enum class Severity : std::uint8_t {
  kError,        // counts for the exit status of `foothold check`
  kWarning,      //
  kPortability,  // works here, documented as wrong for a device; looked for on request
  kAdvice,       // on request
};

struct Rule {
  const char* id;  // API, area, number: "ACL-MEM-004"
  Group group;
  Severity severity;
  const char* sentence;
  const char* causes;   // what programs did that broke it
  const char* fixes;    // one per line
  const char* chapter;  // the page that has what the rule rests on
};

std::span<const Rule> AllRules() noexcept;  // in the order of their ids
const Rule* FindRule(std::string_view id) noexcept;

const char* NameOf(Group group) noexcept;
const char* NameOf(Severity severity) noexcept;
std::span<const Group> AllGroups() noexcept;

}  // namespace foothold::check
