// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where a failure is thrown because the program broke a rule of docs/rules.md that its number alone does not
// tell, the line before the throw names that rule and the handle or address it is about:
//
//   BreaksRule("ACL-MEM-011", address);
//   Fail(kRtParamInvalid, ...);
//
// The border of the API asks for it and makes a report of it where the program is being checked. Any thread.
#pragma once

#include <utility>

namespace foothold {

struct BrokenRule {
  const char* rule = nullptr;  // a literal, or null
  const void* object = nullptr;
};

namespace broken_rule_detail {
inline constinit thread_local BrokenRule broken;
}

void BreaksRule(const char* rule, const void* object) noexcept;
// What this thread has named since the last call.
inline BrokenRule TakeBrokenRule() noexcept {
  return std::exchange(broken_rule_detail::broken, {});
}

}  // namespace foothold
