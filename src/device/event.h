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
#include <vector>

#include "base/handled_state.h"
#include "base/sync_use.h"
#include "device/completion.h"
#include "device/notify.h"
#include "device/task_sink.h"

namespace foothold {

class Device;
class RemoteRecord;
class SharedEvent;
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
  // An event of another process.
  EventState(Device& device, std::shared_ptr<SharedEvent> shared, std::uint32_t id);
  ~EventState();

  // What other processes hold of it; made by the first record, or here. Throws 107000 for an event that was
  // not created to be shared.
  std::shared_ptr<SharedEvent> Share();

  // Queue a record, a wait (timeout in seconds, 0 = none) or a reset on `stream`.
  // In a captured stream a record and the waits for it become an order between tasks, unless they are
  // external: then each run records and waits anew.
  enum class Scope { kInternal, kExternal };
  void Record(const StreamRef& stream, const char* api, Scope scope = Scope::kInternal);
  void WaitOn(const StreamRef& stream, const char* api, std::uint32_t timeout,
              Scope scope = Scope::kInternal);
  void Reset(const StreamRef& stream, const char* api);

  bool IsComplete() const;  // an unrecorded extended event counts as complete
  bool AllWaitsDone() const;

  // Blocks until the latest record is done; false when the deadline passed. Throws what the recorded stream
  // failed with.
  bool Synchronize(Nanoseconds deadline) const;

  // When the latest record was reached. Throws 107006 without a time stamp.
  Nanoseconds Timestamp() const;

  // For the tasks of stored streams, which record the event anew in each run of their model
  // (stored_events.h). The mark says whether that happened in the run that goes on.
  // A record as a run makes it is installed and reached at once; those who wait for one look again.
  void RecordNow(Stream& stream);
  void ResetNow();
  // The latest record; one of another process has no source, and something to look for its end.
  struct Latest {
    std::shared_ptr<Completion> completion;
    std::shared_ptr<RemoteRecord> remote;
  };
  Latest latest() const {
    if ((flags_ & kEventIpc) != 0) return LatestOfAll();
    std::lock_guard<std::mutex> lock(mutex_);
    return {latest_.completion, nullptr};
  }
  WatchedValue& mark() { return mark_; }

  // For the checking mode: what a task does with it, and that its handle was destroyed.
  SyncUse UseFor(SyncUse::Kind kind, const void* record) const;
  void TellDestroyed() const noexcept;

  Device& device() const { return device_; }
  Kind kind() const { return kind_; }
  std::uint32_t flags() const { return flags_; }
  std::uint32_t id() const { return id_; }

 private:
  friend class EventWait;
  friend class EventReset;
  friend class ExternalRecord;
  friend class ExternalWait;
  friend class ExternalReset;
  Latest LatestOfAll() const;  // of processes, where others may have recorded it as well
  bool WaitFor(Completion& completion, Nanoseconds deadline) const;
  void CheckMayWaitFor(const Stream& source) const;
  // Of the record in a capture that goes on, or null.
  std::shared_ptr<CapturePoint> point() const;
  void CheckNotCaptured() const {  // throws 107028
    if (captured_.load(std::memory_order_relaxed)) LookWhetherCaptured();
  }
  void LookWhetherCaptured() const;
  void ForgetPoint() noexcept;
  // Answers the number of the record, 0 for an event that is not shared.
  std::uint64_t Install(const std::shared_ptr<Completion>& completion, std::shared_ptr<Completion>& before);
  bool IsExternal(const StreamRef& stream, Scope scope) const;
  // The latest record; null if there is none, and then `waiting` is woken by the next.
  std::shared_ptr<Completion> LatestOrWait(Stream& waiting);

  Device& device_;
  const Kind kind_;
  const std::uint32_t flags_;
  const std::uint32_t id_;
  std::atomic<int> pending_waits_{0};
  std::atomic<bool> captured_{false};  // there is a point_
  // Guards all below but the mark, which has a lock of its own. What every record touches comes first, close
  // together.
  mutable std::mutex mutex_;
  mutable Latest latest_;
  std::vector<Stream*> unrecorded_;      // streams that wait for a record to be made
  std::shared_ptr<CapturePoint> point_;  // of the latest record, if that was captured
  mutable std::uint64_t number_ = 0;  // of the latest record that is known here, of an event that is shared
  std::shared_ptr<SharedEvent> shared_;
  WatchedValue mark_;
};

// From the latest record of `start` to that of `end`. Throws 107007 if that is negative.
Nanoseconds ElapsedTime(const EventState& start, const EventState& end);

class Event : public HandledState<EventState> {
 public:
  using Kind = EventState::Kind;
};

}  // namespace foothold
