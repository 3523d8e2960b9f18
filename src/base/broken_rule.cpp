// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/broken_rule.h"

namespace foothold {

void BreaksRule(const char* rule, const void* object) noexcept {
  broken_rule_detail::broken = {rule, object};
}

}  // namespace foothold
