// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The kernel's wait-on-address. Callers re-check their condition after every return: wake-ups may be
// spurious.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"

namespace foothold {

// Sleeps while `word` holds `expected`, at most until `deadline`.
void FutexWait(std::atomic<std::uint32_t>& word, std::uint32_t expected,
               Nanoseconds deadline = kForever) noexcept;
void FutexWake(std::atomic<std::uint32_t>& word, int threads) noexcept;
inline void FutexWakeAll(std::atomic<std::uint32_t>& word) noexcept {
  FutexWake(word, INT32_MAX);
}

}  // namespace foothold
