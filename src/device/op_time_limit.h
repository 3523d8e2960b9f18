// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The process-wide limit for the execution of one operator, in microseconds: a whole number of intervals.
// Nothing is interrupted for it here; programs set it and read it back. Any thread.
#pragma once

#include <cstdint>

namespace foothold {

inline constexpr std::uint64_t kOpTimeInterval = 1'000'000;
inline constexpr std::uint64_t kLongestOpTime = 254 * kOpTimeInterval;

// Rounds up to whole intervals; 0 and anything above the maximum mean the maximum. Returns what is in force.
std::uint64_t SetOpTimeLimit(std::uint64_t microseconds);
std::uint64_t OpTimeLimit();

}  // namespace foothold
