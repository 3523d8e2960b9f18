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
#include <optional>
#include <utility>
#include <vector>

#include "base/handled_state.h"
#include "base/spin.h"
#include "device/sharing/share_key.h"

namespace foothold {

class Device;
class SharedNotify;
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

  // `look` must not change it.
  template <typename Inspect>
  void Look(Inspect&& look) {
    std::lock_guard<SpinLock> lock(lock_);
    look(std::as_const(value_));
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
  // One that another process holds as well.
  NotifyState(Device& device, std::uint32_t id, std::shared_ptr<SharedNotify> shared)
      : device_(device), id_(id), shared_(std::move(shared)) {}
  ~NotifyState();

  void Record(const StreamRef& stream, const char* api);
  void WaitAndReset(const StreamRef& stream, const char* api, std::uint32_t timeout);
  void Reset();  // now

  // What other processes hold of it; made by the first call, and from then on it is where the value is.
  std::shared_ptr<SharedNotify> Share();

  // For the checking mode: other processes may set it too; its handle was destroyed.
  bool is_shared() { return shared() != nullptr; }
  void TellDestroyed() const noexcept;

  // For the tasks.
  void Set(std::uint32_t value);
  // Clears it and is true, or `stream` is woken later. Throws 507022 if nobody is left who would set it.
  bool Take(Stream& stream);

  Device& device() const { return device_; }
  std::uint32_t id() const { return id_; }

  std::mutex key_mutex;         // guards key
  std::optional<ShareKey> key;  // under which other processes find it

 private:
  class RemoteSet;

  std::shared_ptr<SharedNotify> shared();
  void WatchOthers(std::shared_ptr<SharedNotify> shared);

  Device& device_;
  const std::uint32_t id_;
  WatchedValue value_;
  std::shared_ptr<SharedNotify> shared_;  // guarded by the lock of value_, whose value means nothing then
  std::atomic<bool> watched_{false};      // somebody looks what other processes do
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
  void TellDestroyed() const noexcept;  // as above

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
