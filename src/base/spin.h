// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Short waits without the kernel: a lock for sections of a few instructions, and the budget that keeps
// spinning threads from crowding out working ones.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

#include "base/held_locks.h"

namespace foothold {

inline void CpuRelax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// For sections of a few instructions that call nothing. Meets BasicLockable.
class SpinLock {
 public:
  void lock() noexcept {
    for (int tries = 0; taken_.exchange(true, std::memory_order_acquire);) {
      while (taken_.load(std::memory_order_relaxed)) {
        if (++tries < 200) {
          CpuRelax();
        } else {
          sched_yield();  // the owner may have lost its core
        }
      }
    }
    NoteLocked(this);
  }
  bool try_lock() noexcept {
    const bool free = !taken_.exchange(true, std::memory_order_acquire);
    if (free) NoteLocked(this);
    return free;
  }
  void unlock() noexcept {
    NoteUnlocked(this);
    taken_.store(false, std::memory_order_release);
  }

 private:
  std::atomic<bool> taken_{false};
};

// A thread about to wait may spin while it holds a place here. There are as many as cores (none on a single
// one), so two sides of a conversation can both spin, and a crowd of idle threads cannot.
class SpinPlace {
 public:
  // With some left free: for those who spin for long.
  explicit SpinPlace(int leave_free = 0) noexcept;
  ~SpinPlace();
  SpinPlace(const SpinPlace&) = delete;
  SpinPlace& operator=(const SpinPlace&) = delete;

  bool taken() const noexcept { return taken_; }

  // True while the caller should go on spinning instead of sleeping.
  bool Spin() noexcept {
    if (left_ == 0) return false;
    --left_;
    CpuRelax();
    return true;
  }

 private:
  bool taken_ = false;
  int left_ = 0;
};

}  // namespace foothold
