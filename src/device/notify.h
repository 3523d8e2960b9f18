// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Notifies: semaphores between streams. A plain one is set by a record and cleared by the wait that saw it; a
// counted one holds a 32-bit value that records change and waits compare. Any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/handled_state.h"
#include "base/spin.h"

namespace foothold {

class Device;
class Stream;
struct StreamRef;

// A value that streams change and wait for. Waiters are woken at every change and look for themselves.
class WatchedValue {
 public:
  template <typename Change>
  void Update(Change&& change) {
    std::vector<Stream*> waiters;
    {
      std::lock_guard<SpinLock> lock(lock_);
      change(value_);
      waiters.swap(waiters_);
    }
    WakeAll(waiters);
  }

  // `take` looks at the value, may change it, and says whether the wait is over; if not, `stream` is woken
  // later.
  template <typename Take>
  bool TakeOrWait(Stream& stream, Take&& take) {
    std::lock_guard<SpinLock> lock(lock_);
    if (take(value_)) return true;
    if (std::find(waiters_.begin(), waiters_.end(), &stream) == waiters_.end()) waiters_.push_back(&stream);
    return false;
  }

 private:
  static void WakeAll(const std::vector<Stream*>& waiters) noexcept;

  SpinLock lock_;  // guards the two below
  std::uint32_t value_ = 0;
  std::vector<Stream*> waiters_;
};

class NotifyState : public std::enable_shared_from_this<NotifyState> {
 public:
  NotifyState(Device& device, std::uint32_t id) : device_(device), id_(id) {}
  ~NotifyState();

  void Record(const StreamRef& stream, const char* api);
  void WaitAndReset(const StreamRef& stream, const char* api, std::uint32_t timeout);
  void Reset();  // now

  Device& device() const { return device_; }
  std::uint32_t id() const { return id_; }
  WatchedValue& value() { return value_; }

 private:
  Device& device_;
  const std::uint32_t id_;
  WatchedValue value_;
};

class CountNotifyState : public std::enable_shared_from_this<CountNotifyState> {
 public:
  enum class RecordMode { kSet = 0, kAdd = 1, kOr = 2, kAnd = 4 };
  enum class WaitMode { kLess = 0, kEqual, kBigger, kBiggerOrEqual, kEqualWithMask };

  CountNotifyState(Device& device, std::uint32_t id) : device_(device), id_(id) {}
  ~CountNotifyState();

  void Record(const StreamRef& stream, const char* api, RecordMode mode, std::uint32_t value);
  void Wait(const StreamRef& stream, const char* api, WaitMode mode, std::uint32_t value, bool clear,
            std::uint32_t timeout);
  void Reset(const StreamRef& stream, const char* api);

  Device& device() const { return device_; }
  std::uint32_t id() const { return id_; }
  WatchedValue& value() { return value_; }

 private:
  Device& device_;
  const std::uint32_t id_;
  WatchedValue value_;
};

using Notify = HandledState<NotifyState>;
using CountNotify = HandledState<CountNotifyState>;

}  // namespace foothold
