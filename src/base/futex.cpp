// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

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

void FutexWaitShared(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                     Nanoseconds deadline) noexcept {
  const timespec limit{deadline / kSecond, deadline % kSecond};
  const timespec* const until = deadline == kForever ? nullptr : &limit;
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, expected, until, nullptr, FUTEX_BITSET_MATCH_ANY);
}

void FutexWakeShared(std::atomic<std::uint32_t>& word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

bool FutexAny::Add(std::atomic<std::uint32_t>& word, std::uint32_t expected, Reach reach) noexcept {
  constexpr std::uint32_t kFourBytes = 2;
  if (count_ == kMost) return false;
  words_[count_++] = {expected, reinterpret_cast<std::uintptr_t>(&word),
                      kFourBytes | (reach == kPrivate ? FUTEX_PRIVATE_FLAG : 0u), 0};
  return true;
}

bool FutexAny::Wait(Nanoseconds deadline) noexcept {
  constexpr long kWaitForAny = 449;  // futex_waitv, which older headers do not name
  const timespec limit{deadline / kSecond, deadline % kSecond};
  if (syscall(kWaitForAny, words_, count_, 0, &limit, CLOCK_MONOTONIC) >= 0) return true;
  return errno == EAGAIN || errno == EINTR || errno == ETIMEDOUT;
}

}  // namespace foothold
