// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// For what is worth saying once in the life of a process: things that are accepted and have no effect,
// settings that are wrong. Any thread, also in a forked child, which has heard what its parent had.
#pragma once

#include <fmt/core.h>

#include <string_view>
#include <utility>

#include "base/log.h"

namespace foothold {

// True for the first caller that names `what`. There is room for a thousand names; none after them is new.
bool FirstTime(std::string_view what) noexcept;

// A warning in the log, once for each `what`.
template <typename... Args>
void WarnOnce(std::string_view what, fmt::format_string<Args...> format, Args&&... args) noexcept {
  if (FirstTime(what)) Log(LogLevel::kWarning, format, std::forward<Args>(args)...);
}

}  // namespace foothold
