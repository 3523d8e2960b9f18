// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/notify.h"

#include <fmt/format.h>

#include <utility>

#include "device/current.h"
#include "device/device.h"
#include "device/observer.h"
#include "device/sharing/shared_sync.h"
#include "device/sharing/shared_watch.h"
#include "device/stream.h"
#include "device/wait_deadline.h"

namespace foothold {
namespace {

SyncUse UseOf(SyncUse::Kind kind, SyncUse::What what, std::uint32_t id, const void* state, bool limited,
              bool outside) {
  SyncUse use;
  use.kind = kind;
  use.what = what;
  use.limited = limited;
  use.outside = outside;
  use.id = id;
  use.point = use.object = state;
  return use;
}

SyncUse UseOf(SyncUse::Kind kind, NotifyState& state, bool limited) {
  return UseOf(kind, SyncUse::What::kNotify, state.id(), &state, limited, state.is_shared());
}

SyncUse UseOf(SyncUse::Kind kind, CountNotifyState& state, bool limited) {
  return UseOf(kind, SyncUse::What::kCountNotify, state.id(), &state, limited, false);
}

// Notifies are values that go up and down, so their tasks do the same again each time they run.
class NotifyRecord {
 public:
  static constexpr bool kReplays = true;

  explicit NotifyRecord(std::shared_ptr<NotifyState> state) : state_(std::move(state)) {}
  Outcome Run(Stream& stream) {
    if (auto* const observer = Observer()) observer->OnReaches(stream, state_, DeviceObserver::Point::kJoin);
    state_->Set(1);
    return Outcome::kDone;
  }
  SyncUse Sync() const { return UseOf(SyncUse::Kind::kTells, *state_, false); }
  std::string Describe() const { return fmt::format("notify {}", state_->id()); }
  void ListAccesses(std::vector<Access>&) const {}

 private:
  std::shared_ptr<NotifyState> state_;
};

class NotifyWait {
 public:
  static constexpr bool kReplays = true;
  static constexpr bool kSuspends = true;

  NotifyWait(std::shared_ptr<NotifyState> state, std::uint32_t timeout)
      : state_(std::move(state)), deadline_(timeout) {}
  Outcome Run(Stream& stream) {
    if (state_->Take(stream)) {
      if (auto* const observer = Observer()) observer->OnLearns(stream, state_.get());
      return Outcome::kDone;
    }
    if (deadline_.Expired()) {
      Fail(kRtWaitTimeout, "notify {} was not recorded within {} s", state_->id(), deadline_.seconds());
    }
    deadline_.Arm(stream);
    return Outcome::kSuspended;
  }
  std::string Describe() const { return fmt::format("notify {}", state_->id()); }
  void ListAccesses(std::vector<Access>&) const {}
  SyncUse Sync() const { return UseOf(SyncUse::Kind::kWaits, *state_, deadline_.seconds() != 0); }

 private:
  std::shared_ptr<NotifyState> state_;
  WaitDeadline deadline_;
};

class CountRecord {
 public:
  static constexpr bool kReplays = true;

  using Mode = CountNotifyState::RecordMode;
  CountRecord(std::shared_ptr<CountNotifyState> state, Mode mode, std::uint32_t value)
      : state_(std::move(state)), mode_(mode), operand_(value) {}
  Outcome Run(Stream& stream) {
    if (auto* const observer = Observer()) observer->OnReaches(stream, state_, DeviceObserver::Point::kJoin);
    state_->value().Update([this](std::uint32_t& value) { value = Combine(value); });
    return Outcome::kDone;
  }
  std::string Describe() const { return fmt::format("counted notify {}, value={}", state_->id(), operand_); }
  void ListAccesses(std::vector<Access>&) const {}
  SyncUse Sync() const { return UseOf(SyncUse::Kind::kTells, *state_, false); }

 private:
  std::uint32_t Combine(std::uint32_t value) const {
    switch (mode_) {
      case Mode::kSet:
        return operand_;
      case Mode::kAdd:
        return value + operand_;
      case Mode::kOr:
        return value | operand_;
      case Mode::kAnd:
        return value & operand_;
    }
    return value;
  }

  std::shared_ptr<CountNotifyState> state_;
  Mode mode_;
  std::uint32_t operand_;
};

class CountWait {
 public:
  static constexpr bool kReplays = true;
  static constexpr bool kSuspends = true;

  using Mode = CountNotifyState::WaitMode;
  CountWait(std::shared_ptr<CountNotifyState> state, Mode mode, std::uint32_t value, bool clear,
            std::uint32_t timeout)
      : state_(std::move(state)), deadline_(timeout), operand_(value), mode_(mode), clear_(clear) {}
  Outcome Run(Stream& stream) {
    const bool taken = state_->value().TakeOrWait(stream, [this](std::uint32_t& value) {
      if (!Holds(value)) return false;
      if (clear_) value = 0;
      return true;
    });
    if (taken) {
      if (auto* const observer = Observer()) observer->OnLearns(stream, state_.get());
      return Outcome::kDone;
    }
    if (deadline_.Expired()) {
      Fail(kRtWaitTimeout, "counted notify {} did not reach the wanted value within {} s", state_->id(),
           deadline_.seconds());
    }
    deadline_.Arm(stream);
    return Outcome::kSuspended;
  }
  std::string Describe() const { return fmt::format("counted notify {}, value={}", state_->id(), operand_); }
  void ListAccesses(std::vector<Access>&) const {}
  SyncUse Sync() const { return UseOf(SyncUse::Kind::kWaits, *state_, deadline_.seconds() != 0); }

 private:
  bool Holds(std::uint32_t value) const {
    switch (mode_) {
      case Mode::kLess:
        return value < operand_;
      case Mode::kEqual:
        return value == operand_;
      case Mode::kBigger:
        return value > operand_;
      case Mode::kBiggerOrEqual:
        return value >= operand_;
      case Mode::kEqualWithMask:
        return (value & operand_) == operand_;
    }
    return false;
  }

  std::shared_ptr<CountNotifyState> state_;
  WaitDeadline deadline_;
  std::uint32_t operand_;
  Mode mode_;
  bool clear_;
};

class CountReset {
 public:
  static constexpr bool kReplays = true;

  explicit CountReset(std::shared_ptr<CountNotifyState> state) : state_(std::move(state)) {}
  Outcome Run(Stream&) {
    state_->value().Update([](std::uint32_t& value) { value = 0; });
    return Outcome::kDone;
  }
  std::string Describe() const { return fmt::format("counted notify {}", state_->id()); }
  void ListAccesses(std::vector<Access>&) const {}

 private:
  std::shared_ptr<CountNotifyState> state_;
};

}  // namespace

void NotifyState::Reset() {
  if (auto* const observer = Observer()) observer->OnNotifyCleared(this);
  Set(0);
}

void NotifyState::TellDestroyed() const noexcept {
  if (auto* const observer = Observer()) observer->OnNotifyDestroyed(this);
}

void CountNotifyState::TellDestroyed() const noexcept {
  if (auto* const observer = Observer()) observer->OnNotifyDestroyed(this);
}

void WatchedValue::WakeAll(const std::vector<Stream*>& waiters) noexcept {
  for (Stream* stream : waiters)
    stream->Wake();
}

NotifyState::~NotifyState() {
  if (auto* const observer = Observer()) observer->OnNotifyGone(this);
  device_.notifies.fetch_sub(1);
}
CountNotifyState::~CountNotifyState() {
  if (auto* const observer = Observer()) observer->OnNotifyGone(this);
  device_.notifies.fetch_sub(1);
}

void NotifyState::Record(const StreamRef& stream, const char* api) {
  stream.Push(api, NotifyRecord(shared_from_this()));
}

void NotifyState::WaitAndReset(const StreamRef& stream, const char* api, std::uint32_t timeout) {
  if (shared()) SharedWatch::Get().EnsureThread();
  stream.Push(api, NotifyWait(shared_from_this(), timeout));
}

void CountNotifyState::Record(const StreamRef& stream, const char* api, RecordMode mode,
                              std::uint32_t value) {
  stream.Push(api, CountRecord(shared_from_this(), mode, value));
}

void CountNotifyState::Wait(const StreamRef& stream, const char* api, WaitMode mode, std::uint32_t value,
                            bool clear, std::uint32_t timeout) {
  stream.Push(api, CountWait(shared_from_this(), mode, value, clear, timeout));
}

void CountNotifyState::Reset(const StreamRef& stream, const char* api) {
  stream.Push(api, CountReset(shared_from_this()));
}

}  // namespace foothold
