// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// For the few things that users have to learn who have asked for no log (base/log.h), such as a setting that
// has no effect. Nothing else in the library prints. Any thread, also in a forked child.
#pragma once

#include <string_view>

#include "base/log.h"

namespace foothold {

// To standard error, with "foothold: " in front, and to the log.
void Tell(LogLevel level, std::string_view text) noexcept;

}  // namespace foothold
