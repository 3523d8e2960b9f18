// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Waking a sleeping thread costs more than most tasks, and the kernel puts it back on the core where it fell
// asleep. If that is the waker's own, neither of the two must spin for what the other does: it would only
// keep the other from doing it.
#pragma once

#include <sched.h>

#include <atomic>

namespace foothold {

namespace wake_cost_detail {
inline thread_local bool shares_core = false;
}

// Where a thread sleeps.
class Bed {
 public:
  // By the sleeper, before it counts as asleep.
  void LieDown() noexcept {
    core_.store(sched_getcpu(), std::memory_order_relaxed);
    disturbed_.store(false, std::memory_order_relaxed);
  }
  // By the waker, before the call that wakes.
  void Disturb() noexcept {
    if (core_.load(std::memory_order_relaxed) != sched_getcpu()) return;
    wake_cost_detail::shares_core = true;
    disturbed_.store(true, std::memory_order_relaxed);
  }
  // By a sleeper that will be asleep again soon.
  void GetUp() noexcept {
    if (disturbed_.load(std::memory_order_relaxed)) wake_cost_detail::shares_core = true;
  }

 private:
  std::atomic<int> core_{-1};
  std::atomic<bool> disturbed_{false};
};

// Whether this thread is better asleep than spinning. True once for each time a thread of the same core was
// woken, or did the waking.
inline bool TakeSharesCore() noexcept {
  const bool shares = wake_cost_detail::shares_core;
  wake_cost_detail::shares_core = false;
  return shares;
}

}  // namespace foothold
