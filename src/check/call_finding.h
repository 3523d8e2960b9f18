// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Reports about the call this thread is in. Any thread.
#pragma once

#include <optional>
#include <string>

#include "check/finding.h"

namespace foothold::check {

// What the call of this thread has done wrong; nothing if the program is not checked for that, or outside of
// calls.
std::optional<Finding> FindingHere(const char* rule, std::string headline);
// The same where the place is another one, remembered before.
std::optional<Finding> FindingAt(const char* rule, const Site& site, std::string headline);

// What was done earlier, for a report.
Act ActAt(const Site& site, std::string does);

// The call this thread is in; empty outside.
Site SiteHere() noexcept;

}  // namespace foothold::check
