// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What an event puts into streams: records, waits and resets, for one run, shared with other processes, or
// for every run of a capture. Those of stored streams are in stored_events.h. Only event.cpp makes them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "device/event.h"
#include "device/observer.h"
#include "device/sharing/shared_sync.h"
#include "device/stream.h"
#include "device/wait_deadline.h"

namespace foothold {

// Events do not replay: a record, a wait and a reset are of one moment in the life of an event, and their
// completion is over for good once it was reached. Run again, a record would tell nobody and a wait would not
// wait. Where tasks are kept to be run again, a record and the waits for it become an order between tasks.
class EventRecord {
 public:
  static constexpr bool kReplays = false;

  EventRecord(std::shared_ptr<Completion> completion, const EventState& event)
      : completion_(std::move(completion)), event_(event.id()), state_(&event) {}

  Outcome Run(Stream& stream) {
    if (auto* const observer = Observer())
      observer->OnReaches(stream, completion_, DeviceObserver::Point::kReplace);
    completion_->Complete(stream.failures().Peek(), Now());
    return Outcome::kDone;
  }
  void Cancel(const Failure& failure) noexcept { completion_->Complete(failure, Now()); }
  std::string Describe() const { return fmt::format("event {}", event_); }
  void ListAccesses(std::vector<Access>&) const {}
  // Only for a call that has the event in its hands.
  SyncUse Sync() const { return state_->UseFor(SyncUse::Kind::kTells, completion_.get()); }

 private:
  std::shared_ptr<Completion> completion_;
  std::uint32_t event_;
  const EventState* state_;
};

// The same for an event that other processes hold as well.
class SharedEventRecord {
 public:
  static constexpr bool kReplays = false;

  SharedEventRecord(std::shared_ptr<Completion> completion, std::shared_ptr<SharedEvent> shared,
                    std::uint64_t number)
      : completion_(std::move(completion)), shared_(std::move(shared)), number_(number) {}

  Outcome Run(Stream& stream) {
    if (auto* const observer = Observer())
      observer->OnReaches(stream, completion_, DeviceObserver::Point::kReplace);
    End(stream.failures().Peek());
    return Outcome::kDone;
  }
  void Cancel(const Failure& failure) noexcept { End(failure); }
  std::string Describe() const { return fmt::format("record {} of a shared event", number_); }
  void ListAccesses(std::vector<Access>&) const {}

 private:
  void End(const Failure& failure) noexcept {
    completion_->Complete(failure, Now());
    shared_->EndRecord(number_, failure ? failure->code() : 0);
  }

  std::shared_ptr<Completion> completion_;
  std::shared_ptr<SharedEvent> shared_;
  std::uint64_t number_;
};

// By a task that waits for a record, null as long as none was made: then whoever makes one wakes the stream.
inline Outcome WaitForRecord(Completion* record, const EventState& event, WaitDeadline& deadline,
                             Stream& stream) {
  if (record == nullptr || !record->done()) {
    if (deadline.Expired())
      Fail(kRtWaitTimeout, "event {} was not reached within {} s", event.id(), deadline.seconds());
    if (record == nullptr || record->AddWaiter(stream)) {
      stream.waiting().set_source(record != nullptr ? record->source() : nullptr);
      deadline.Arm(stream);
      return Outcome::kSuspended;
    }
  }
  stream.waiting().set_source(nullptr);
  if (auto* const observer = Observer()) observer->OnLearns(stream, record);
  if (record->failure()) stream.Adopt(record->failure());
  return Outcome::kDone;
}

class EventWait {
 public:
  static constexpr bool kReplays = false;
  static constexpr bool kSuspends = true;

  EventWait(std::shared_ptr<EventState> state, std::shared_ptr<Completion> completion, std::uint32_t timeout)
      : state_(std::move(state)), completion_(std::move(completion)), deadline_(timeout) {
    state_->pending_waits_.fetch_add(1);
  }
  EventWait(EventWait&& other) noexcept = default;
  ~EventWait() {
    if (state_) state_->pending_waits_.fetch_sub(1);
  }

  Outcome Run(Stream& stream) { return WaitForRecord(completion_.get(), *state_, deadline_, stream); }
  void ListAccesses(std::vector<Access>&) const {}
  std::string Describe() const { return fmt::format("event {}", state_->id()); }
  SyncUse Sync() const {
    auto use = state_->UseFor(SyncUse::Kind::kWaits, completion_.get());
    use.limited = deadline_.seconds() != 0;
    return use;
  }

 private:
  std::shared_ptr<EventState> state_;
  std::shared_ptr<Completion> completion_;
  WaitDeadline deadline_;
};

class EventReset {
 public:
  static constexpr bool kReplays = false;

  EventReset(std::shared_ptr<EventState> state, std::shared_ptr<Completion> completion)
      : state_(std::move(state)), completion_(std::move(completion)) {}

  // A record that came after the reset was queued stays.
  Outcome Run(Stream&) {
    std::lock_guard<std::mutex> lock(state_->mutex_);
    if (state_->latest_.completion == completion_) state_->latest_ = {};
    return Outcome::kDone;
  }
  void ListAccesses(std::vector<Access>&) const {}
  std::string Describe() const { return fmt::format("event {}", state_->id()); }
  SyncUse Sync() const { return state_->UseFor(SyncUse::Kind::kResets, completion_.get()); }

 private:
  std::shared_ptr<EventState> state_;
  std::shared_ptr<Completion> completion_;
};

// What an external record, wait and reset become in a captured stream: at each run they mean the event as it
// is then, and so work and host threads outside of the capture.
class ExternalRecord {
 public:
  static constexpr bool kReplays = true;

  explicit ExternalRecord(std::shared_ptr<EventState> state) : state_(std::move(state)) {}
  Outcome Run(Stream& stream) {
    state_->RecordNow(stream);
    return Outcome::kDone;
  }
  void ListAccesses(std::vector<Access>&) const {}
  std::string Describe() const { return fmt::format("external event {}", state_->id()); }

 private:
  std::shared_ptr<EventState> state_;
};

class ExternalWait {
 public:
  static constexpr bool kReplays = true;
  static constexpr bool kSuspends = true;

  ExternalWait(std::shared_ptr<EventState> state, std::uint32_t timeout)
      : state_(std::move(state)), deadline_(timeout) {}
  ExternalWait(ExternalWait&&) noexcept = default;
  // One that has not begun to wait.
  ExternalWait(const ExternalWait& other) : state_(other.state_), deadline_(other.deadline_) {}

  Outcome Run(Stream& stream) {
    if (!completion_) completion_ = state_->LatestOrWait(stream);
    // An extended event that was never recorded counts as reached.
    if (!completion_ && state_->kind() == EventState::Kind::kExtended) return Outcome::kDone;
    return WaitForRecord(completion_.get(), *state_, deadline_, stream);
  }
  void ListAccesses(std::vector<Access>&) const {}
  std::string Describe() const { return fmt::format("external event {}", state_->id()); }

 private:
  std::shared_ptr<EventState> state_;
  std::shared_ptr<Completion> completion_;  // once there is one
  WaitDeadline deadline_;
};

class ExternalReset {
 public:
  static constexpr bool kReplays = true;

  explicit ExternalReset(std::shared_ptr<EventState> state) : state_(std::move(state)) {}
  Outcome Run(Stream&) {
    std::lock_guard<std::mutex> lock(state_->mutex_);
    state_->latest_ = {};
    return Outcome::kDone;
  }
  void ListAccesses(std::vector<Access>&) const {}
  std::string Describe() const { return fmt::format("external event {}", state_->id()); }

 private:
  std::shared_ptr<EventState> state_;
};

}  // namespace foothold
