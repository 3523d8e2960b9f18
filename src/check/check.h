// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The mode that checks the program: whether it is on, and for what. Off it costs one relaxed load where a
// timeline does (base/watch.h). Any thread.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/watch.h"
#include "check/rules.h"
#include "check/settings.h"

namespace foothold::check {

inline bool On() noexcept {
  return watch::Is(watch::kCheck);
}

// Precondition: On(). Never changes once the mode is on.
const Settings& TheSettings() noexcept;

// The rule, if the program is checked for it.
const Rule* Wanted(const char* id) noexcept;

// The section "check" of the file of aclInit: keys and texts. No effect if the environment has set the mode.
void BeginFromConfig(const std::map<std::string, std::string>& section);

// What is to be said when the library is finalised.
void WriteReports() noexcept;

}  // namespace foothold::check
