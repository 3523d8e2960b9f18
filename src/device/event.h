// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Events: a name for the latest recorded point of a stream. Recording installs a fresh completion; waiting
// takes the one that is current at that moment. So recording again does not disturb earlier waiters, and
// events and streams may be destroyed while others still wait. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "base/handled_state.h"
#include "device/completion.h"
#include "device/notify.h"

namespace foothold {

class Device;
struct StreamRef;

enum EventFlags : std::uint32_t {
  kEventSync = 1,
  kEventStreamProgress = 2,
  kEventTimeLine = 8,
  kEventDeviceUseOnly = 16,
  kEventExternal = 32,
  kEventIpc = 64,
};

// What the tasks of an event share with its handle.
class EventState : public std::enable_shared_from_this<EventState> {
 public:
  enum class Kind { kPlain, kWithFlag, kExtended };

  EventState(Device& device, Kind kind, std::uint32_t flags, std::uint32_t id)
      : device_(device), kind_(kind), flags_(flags), id_(id) {}
  ~EventState();

  // Queue a record, a wait (timeout in seconds, 0 = none) or a reset on `stream`.
  void Record(const StreamRef& stream, const char* api);
  void WaitOn(const StreamRef& stream, const char* api, std::uint32_t timeout);
  void Reset(const StreamRef& stream, const char* api);

  bool IsComplete() const;  // an unrecorded extended event counts as complete
  bool AllWaitsDone() const { return pending_waits_.load() == 0; }

  // Blocks until the latest record is done; false when the deadline passed. Throws what the recorded stream
  // failed with.
  bool Synchronize(Nanoseconds deadline) const;

  // When the latest record was reached. Throws 107006 without a time stamp.
  Nanoseconds Timestamp() const;

  // For the tasks of stored streams, which record the event anew in each run of their model
  // (stored_events.h). The mark says whether that happened in the run that goes on.
  void RecordNow(Stream& by);
  void ResetNow();
  std::shared_ptr<Completion> latest() const;
  WatchedValue& mark() { return mark_; }

  Device& device() const { return device_; }
  Kind kind() const { return kind_; }
  std::uint32_t flags() const { return flags_; }
  std::uint32_t id() const { return id_; }

 private:
  friend class EventWait;
  friend class EventReset;
  bool WaitFor(Completion& completion, Nanoseconds deadline) const;
  void CheckMayWaitFor(const Stream& source) const;

  Device& device_;
  const Kind kind_;
  const std::uint32_t flags_;
  const std::uint32_t id_;
  std::atomic<int> pending_waits_{0};
  WatchedValue mark_;
  mutable std::mutex mutex_;  // guards latest_
  std::shared_ptr<Completion> latest_;
};

// From the latest record of `start` to that of `end`. Throws 107007 if that is negative.
Nanoseconds ElapsedTime(const EventState& start, const EventState& end);

class Event : public HandledState<EventState> {
 public:
  using Kind = EventState::Kind;
};

}  // namespace foothold
