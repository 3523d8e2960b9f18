// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/event.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/broken_rule.h"
#include "device/checked_tasks.h"
#include "device/current.h"
#include "device/device.h"
#include "device/executor.h"
#include "device/runtime.h"
#include "device/stream.h"
#include "device/user_code.h"
#include "device/wait_deadline.h"

namespace foothold {
namespace {

// A sleeping thread looks this often whether it is itself what the event waits for.
constexpr Nanoseconds kNap = 100 * kMillisecond;

// Events do not replay: a record, a wait and a reset are of one moment in the life of an event, and their
// completion is over for good once it was reached. Run again, a record would tell nobody and a wait would not
// wait. Where tasks are kept to be run again, a record and the waits for it become an order between tasks.
class EventRecord {
 public:
  static constexpr bool kReplays = false;

  explicit EventRecord(std::shared_ptr<Completion> completion, std::uint32_t event)
      : completion_(std::move(completion)), event_(event) {}

  Outcome Run(Stream& stream) {
    if (check::On()) check::StreamReaches(stream.id(), completion_, check::Point::kReplace);
    completion_->Complete(stream.failures().Peek(), Now());
    return Outcome::kDone;
  }
  void Cancel(const Failure& failure) noexcept { completion_->Complete(failure, Now()); }
  std::string Describe() const { return fmt::format("event {}", event_); }
  void ListAccesses(std::vector<Access>&) const {}

 private:
  std::shared_ptr<Completion> completion_;
  std::uint32_t event_;
};

}  // namespace

class EventWait {
 public:
  static constexpr bool kReplays = false;

  EventWait(std::shared_ptr<EventState> state, std::shared_ptr<Completion> completion, std::uint32_t timeout)
      : state_(std::move(state)), completion_(std::move(completion)), deadline_(timeout) {
    state_->pending_waits_.fetch_add(1);
  }
  EventWait(EventWait&& other) noexcept = default;
  ~EventWait() {
    if (state_) state_->pending_waits_.fetch_sub(1);
  }

  Outcome Run(Stream& stream) {
    if (!completion_->done()) {
      if (deadline_.Expired()) {
        Fail(kRtWaitTimeout, "event {} was not reached within {} s", state_->id(), deadline_.seconds());
      }
      if (completion_->AddWaiter(stream)) {
        stream.waiting().set_source(completion_->source());
        deadline_.Arm(stream);
        return Outcome::kSuspended;
      }
    }
    stream.waiting().set_source(nullptr);
    if (check::On()) check::StreamLearns(stream.id(), completion_.get());
    if (completion_->failure()) stream.Adopt(completion_->failure());
    return Outcome::kDone;
  }
  void ListAccesses(std::vector<Access>&) const {}
  std::string Describe() const { return fmt::format("event {}", state_->id()); }

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
    if (state_->latest_ == completion_) state_->latest_ = nullptr;
    return Outcome::kDone;
  }
  void ListAccesses(std::vector<Access>&) const {}
  std::string Describe() const { return fmt::format("event {}", state_->id()); }

 private:
  std::shared_ptr<EventState> state_;
  std::shared_ptr<Completion> completion_;
};

EventState::~EventState() {
  device_.events.fetch_sub(1);
}

std::shared_ptr<Completion> EventState::latest() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return latest_;
}

void EventState::Record(const StreamRef& stream, const char* api) {
  if (stream->device() != device_.id()) {
    BreaksRule("ACL-CTX-002", stream.handle);
    Fail(kRtParamInvalid, "event {} belongs to device {} and cannot be recorded in stream {} of device {}",
         id_, device_.id(), stream->id(), stream->device());
  }
  auto completion = std::make_shared<Completion>(stream.stream);
  std::shared_ptr<Completion> before;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    before = std::exchange(latest_, completion);
  }
  try {
    stream.Push(api, EventRecord(completion, id_));
  } catch (...) {
    completion->Complete(Share(CurrentError()), Now());
    std::lock_guard<std::mutex> lock(mutex_);
    if (latest_ == completion) latest_ = before;
    throw;
  }
}

void EventState::WaitOn(const StreamRef& stream, const char* api, std::uint32_t timeout) {
  if (kind_ != Kind::kPlain && !(flags_ & (kEventSync | kEventExternal | kEventIpc))) {
    Fail(kRtParamInvalid,
         "event {} was created with flag {} and cannot be waited for in a stream; create it with "
         "ACL_EVENT_SYNC (1)",
         id_, flags_);
  }
  auto completion = latest();
  if (!completion) return;  // never recorded: nothing to wait for
  if (completion->done() && !completion->failure()) {
    if (check::On()) check::StreamWillKnow(stream->id(), completion.get());
    return;
  }
  stream.Push(api, EventWait(shared_from_this(), std::move(completion), timeout));
}

void EventState::Reset(const StreamRef& stream, const char* api) {
  if (kind_ == Kind::kExtended || (kind_ == Kind::kWithFlag && !(flags_ & kEventSync))) {
    Fail(kRtParamInvalid, "event {} cannot be reset: {}", id_,
         kind_ == Kind::kExtended ? "events of aclrtCreateEventExWithFlag are reset by the next record"
                                  : "it was created without ACL_EVENT_SYNC (1)");
  }
  stream.Push(api, EventReset(shared_from_this(), latest()));
}

bool EventState::IsComplete() const {
  auto completion = latest();
  if (!completion) return kind_ == Kind::kExtended;
  if (!completion->done()) completion->source()->executor().TryAgain();
  if (completion->done() && check::On()) check::HostLearns(completion.get());
  return completion->done();
}

bool EventState::Synchronize(Nanoseconds deadline) const {
  auto completion = latest();
  if (!completion) return true;
  if (!completion->done() && !WaitFor(*completion, deadline)) return false;
  if (check::On()) check::HostLearns(completion.get());
  if (completion->failure()) {
    if (check::On()) check::FailureSeen(completion->source()->id());
    throw Error(*completion->failure());
  }
  return true;
}

bool EventState::WaitFor(Completion& completion, Nanoseconds deadline) const {
  Stream& source = *completion.source();
  CheckMayWaitFor(source);
  for (;;) {
    source.executor().TryAgain();
    source.waiting().RunUntilDone(completion, deadline);
    if (completion.done()) return true;
    if (source.NeedsThisThread()) source.waiting().FailNeedsThisThread();
    if (completion.Wait(std::min(deadline, Now() + kNap))) return true;
    if (deadline != kForever && Now() >= deadline) return false;
    source.waiting().CheckChainForThisThread();
  }
}

void EventState::CheckMayWaitFor(const Stream& source) const {
  if (source.is_stored()) {
    Fail(kRtParamInvalid, "event {} was recorded in stream {}, which stores its tasks and does not run them",
         id_, source.id());
  }
  if (HoldsUp(source)) {
    BreaksRule("ACL-CB-003", source.handle());
    Fail(kRtParamInvalid,
         "this thread is inside a callback or host function of stream {}, in which event {} was recorded "
         "later: waiting for it here would never end",
         source.id(), id_);
  }
}

Nanoseconds EventState::Timestamp() const {
  auto completion = latest();
  const bool has_clock = kind_ == Kind::kPlain || (flags_ & kEventTimeLine);
  if (!has_clock) {
    Fail(kRtEventTimestampInvalid,
         "event {} keeps no time: it was created with flag {}; add ACL_EVENT_TIME_LINE (8)", id_, flags_);
  }
  if (!completion || !completion->done()) {
    Fail(kRtEventTimestampInvalid, "event {} has no time yet: {}", id_,
         completion ? "its record was not reached; synchronise first" : "it was never recorded");
  }
  return completion->time();
}

Nanoseconds ElapsedTime(const EventState& start, const EventState& end) {
  const Nanoseconds from = start.Timestamp();
  const Nanoseconds to = end.Timestamp();
  if (to < from) {
    Fail(kRtEventTimestampReversal, "event {} was reached {} ns before event {}; pass the earlier one first",
         end.id(), from - to, start.id());
  }
  return to - from;
}

}  // namespace foothold
