// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One word says what of the library is being watched. Hot paths look at it once: while it is 0, that load and
// a branch never taken are all that watching costs. Any thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace foothold::watch {

enum Bit : std::uint32_t {
  kTrace = 1,     // trace/trace.h
  kCheck = 2,     // check/check.h
  kSchedule = 4,  // check/schedule.h
  kFaults = 8,
};

extern std::atomic<std::uint32_t> watching;

inline std::uint32_t Watching() noexcept {
  return watching.load(std::memory_order_relaxed);
}
inline bool Is(Bit bit) noexcept {
  return (Watching() & bit) != 0;
}
inline void Begin(Bit bit) noexcept {
  watching.fetch_or(bit);
}
inline void End(Bit bit) noexcept {
  watching.fetch_and(~static_cast<std::uint32_t>(bit));
}

}  // namespace foothold::watch
