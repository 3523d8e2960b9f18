// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// FOOTHOLD_SCHEDULE=late: a stream that gets work begins with it only when somebody waits for it, or after a
// while, so that a wait the program has forgotten shows every time. Works without the checking mode too.
#pragma once

#include "base/clock.h"
#include "base/watch.h"

namespace foothold::check {

// How long a stream that nobody waits for keeps its work. A program may wait in ways the library does not
// see.
inline constexpr Nanoseconds kLate = 20 * kMillisecond;

inline bool RunsLate() noexcept {
  return watch::Is(watch::kSchedule);
}

// For reports: "late", or null without a schedule.
const char* ScheduleName() noexcept;

}  // namespace foothold::check
