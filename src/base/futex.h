// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The kernel's wait-on-address. Callers re-check their condition after every return: wake-ups may be
// spurious.
#pragma once

#include <atomic>
#include <cstddef>
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

// The same for words that several processes have mapped.
void FutexWaitShared(std::atomic<std::uint32_t>& word, std::uint32_t expected, Nanoseconds deadline) noexcept;
void FutexWakeShared(std::atomic<std::uint32_t>& word) noexcept;

// Sleeps until one of several words changes.
class FutexAny {
 public:
  enum Reach { kPrivate, kShared };

  // False if there are too many.
  bool Add(std::atomic<std::uint32_t>& word, std::uint32_t expected, Reach reach) noexcept;
  // False if this system cannot do it: nothing was waited for.
  bool Wait(Nanoseconds deadline) noexcept;

 private:
  static constexpr std::size_t kMost = 128;  // the system's
  // As the system call takes them.
  struct Word {
    std::uint64_t expected;
    std::uint64_t address;
    std::uint32_t flags;
    std::uint32_t reserved;
  };
  Word words_[kMost];
  std::uint32_t count_ = 0;
};

}  // namespace foothold
