// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a forked child finds of its parent. Threads do not come with it, so a lock may be held there for ever
// and what it guards may be half written.
#pragma once

#include <atomic>
#include <mutex>
#include <type_traits>

#include "base/process_events.h"

namespace foothold {

// The one T of the process: made at first use, never destroyed, since programs call from destructors of
// static objects, and made anew in a child, which leaves that of its parent alone. Any thread.
template <typename T>
class PerProcess {
 public:
  static T& Get() {
    T* const made = the_one_.load(std::memory_order_acquire);
    return made != nullptr ? *made : Make();
  }
  // Null before the first use.
  static T* IfMade() { return the_one_.load(std::memory_order_acquire); }

 private:
  static T& Make() {
    (void)at_fork_;
    T* const fresh = new T;
    T* existing = nullptr;
    if (the_one_.compare_exchange_strong(existing, fresh, std::memory_order_acq_rel)) return *fresh;
    delete fresh;
    return *existing;
  }
  static void StartAnewInChild() {
    if (T* const parents = the_one_.exchange(nullptr)) parents_ = parents;
  }

  static inline std::atomic<T*> the_one_{nullptr};
  static inline T* parents_ = nullptr;  // kept so that nothing looks like a leak
  static inline const AtFork at_fork_{ForkStage::kObjects, {.in_child = StartAnewInChild}};
};

// One static object of this holds the lock `mutex()` while the process forks, so that a child gets what it
// guards whole. For locks whose holders never ask for another one. A lock for readers and writers would not
// do: it knows its writer by a thread number, which the child's thread does not have.
template <auto mutex>
requires std::is_same_v<decltype(mutex()), std::mutex&>
class HeldDuringFork {
 public:
  HeldDuringFork() : at_fork_(ForkStage::kTables, {Lock, Unlock, Unlock}) {}

 private:
  static void Lock() { mutex().lock(); }
  static void Unlock() { mutex().unlock(); }

  const AtFork at_fork_;
};

}  // namespace foothold
