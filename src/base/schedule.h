// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// FOOTHOLD_SCHEDULE: when streams run what they have.
//
//   early    a task runs when it is queued, if it can
//   late     a stream begins only when somebody waits for it, or after a while: a wait the program has
//            forgotten shows every time
//   NUMBER   one task at a time, chosen by chance; the same number chooses the same again, as long as one
//            thread of the program makes the calls (device/scheduler.h)
//
// Works without the checking mode too. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/watch.h"

namespace foothold::schedule {

enum class How : std::uint8_t { kNone, kEarly, kLate, kChosen };
extern How chosen;  // set when the library is loaded

inline bool RunsBy(How how) noexcept {
  return watch::Is(watch::kSchedule) && chosen == how;
}
inline bool RunsEarly() noexcept {
  return RunsBy(How::kEarly);
}
inline bool IsChosen() noexcept {
  return RunsBy(How::kChosen);
}
// Streams do not begin by themselves.
inline bool HoldsBack() noexcept {
  return watch::Is(watch::kSchedule) && chosen != How::kEarly;
}

// How long a stream that nobody waits for keeps its work. A program may wait in ways the library does not
// see.
Nanoseconds LongestHold() noexcept;

// With kChosen: the number to begin with, the file to keep the choices in, and the file to take them from;
// empty: none.
std::uint64_t Seed() noexcept;
const std::string& Record() noexcept;
const std::string& Replay() noexcept;

// At the end of every call of the API, with no lock held.
void CallEnds() noexcept;
void SetCallEndListener(void (*listener)()) noexcept;

// For reports: "late", or null without a schedule.
const char* Name() noexcept;

}  // namespace foothold::schedule
