// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Time for deadlines and event timestamps: monotonic, in nanoseconds.
#pragma once

#include <time.h>

#include <cstdint>

namespace foothold {

using Nanoseconds = std::int64_t;

inline constexpr Nanoseconds kForever = INT64_MAX;
inline constexpr Nanoseconds kMicrosecond = 1000;
inline constexpr Nanoseconds kMillisecond = 1'000'000;
inline constexpr Nanoseconds kSecond = 1'000'000'000;

inline Nanoseconds Now() noexcept {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

// The moment `milliseconds` from now; negative means never.
inline Nanoseconds DeadlineIn(std::int64_t milliseconds) noexcept {
  return milliseconds < 0 ? kForever : Now() + milliseconds * kMillisecond;
}

}  // namespace foothold
