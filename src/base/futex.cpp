// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace foothold {

void FutexWait(std::atomic<std::uint32_t>& word, std::uint32_t expected, Nanoseconds deadline) noexcept {
  timespec limit;
  timespec* until = nullptr;
  if (deadline != kForever) {
    limit = {deadline / kSecond, deadline % kSecond};
    until = &limit;
  }
  // The bitset form takes an absolute monotonic time, so a re-check after a spurious wake-up does not stretch
  // it.
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, expected, until, nullptr,
          FUTEX_BITSET_MATCH_ANY);
}

void FutexWake(std::atomic<std::uint32_t>& word, int threads) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, threads, nullptr, nullptr, 0);
}

}  // namespace foothold
