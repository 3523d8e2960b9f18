// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The right of one run at a time to memory there is only one of. A state and no lock: functions of the
// program are called during runs, and may run something that wants it too. Any thread; a thread may leave
// what another one has taken. (A futex with three values: free, taken, taken and waited for.)
#pragma once

#include <atomic>
#include <cstdint>

#include "base/futex.h"

namespace foothold {

class RunTurn {
 public:
  bool TryTake() noexcept {
    std::uint32_t expected = kFree;
    return state_.compare_exchange_strong(expected, kTaken, std::memory_order_acquire);
  }
  void Take() noexcept {
    if (TryTake()) return;
    while (state_.exchange(kWaitedFor, std::memory_order_acquire) != kFree)
      FutexWait(state_, kWaitedFor);
  }
  void Leave() noexcept {
    if (state_.exchange(kFree, std::memory_order_release) == kWaitedFor) FutexWake(state_, 1);
  }

 private:
  static constexpr std::uint32_t kFree = 0, kTaken = 1, kWaitedFor = 2;
  std::atomic<std::uint32_t> state_{kFree};
};

// Takes the turn while it lives. Who must not wait may find that it has not got it.
class RunTurnScope {
 public:
  RunTurnScope(RunTurn& turn, bool may_wait) noexcept : turn_(turn), taken_(turn.TryTake()) {
    if (taken_ || !may_wait) return;
    turn_.Take();
    taken_ = true;
  }
  ~RunTurnScope() {
    if (taken_) turn_.Leave();
  }
  RunTurnScope(const RunTurnScope&) = delete;
  RunTurnScope& operator=(const RunTurnScope&) = delete;

  bool taken() const noexcept { return taken_; }

 private:
  RunTurn& turn_;
  bool taken_;
};

}  // namespace foothold
