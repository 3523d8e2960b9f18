// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Waking a sleeping thread costs more than most tasks, and the kernel puts it back on the core where it fell
// asleep. If that is the waker's own, neither of the two must spin for what the other does: it would only
// keep the other from doing it. And a thread that gets work often had better not sleep at all between pieces:
// calling back a core that halted costs tens of microseconds.
#pragma once

#include <sched.h>

#include <atomic>

#include "base/clock.h"
#include "base/spin.h"

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

// How one thread that serves others waits for the next piece of work.
class Vigil {
 public:
  // Looks for work as long as it is worth it. False if it is better to sleep now.
  template <typename Ready>
  bool Keep(const Ready& ready) noexcept {
    const bool stay = !TakeSharesCore();
    if (stay) {
      for (SpinPlace place; place.Spin();) {
        if (ready()) return true;
      }
    }
    began_ = Now();
    return stay && often_ && began_ >= resume_ && StayUp(ready);
  }
  // After a sleep that followed.
  void WakeUp() noexcept { often_ = Now() - began_ < kLongest; }

 private:
  // More than a thousand pieces a second are worth a core that nobody else wants.
  static constexpr Nanoseconds kLongest = kMillisecond;
  // Somebody wants it if this thread was off it between two looks.
  static constexpr Nanoseconds kTakenAway = 200 * kMicrosecond;
  static constexpr Nanoseconds kRetreat = 100 * kMillisecond;
  static constexpr int kLooks = 64;

  template <typename Ready>
  bool StayUp(const Ready& ready) noexcept {
    const SpinPlace place(1);
    if (!place.taken()) return false;
    for (Nanoseconds last = began_, now = last; now - began_ < kLongest; last = now) {
      for (int i = 0; i < kLooks; ++i) {
        if (ready()) return true;
        CpuRelax();
      }
      now = Now();
      if (now - last > kTakenAway) {
        resume_ = now + kRetreat;
        return false;
      }
    }
    return false;
  }

  Nanoseconds began_ = 0;
  Nanoseconds resume_ = 0;
  bool often_ = false;  // the last piece came within kLongest
};

}  // namespace foothold
