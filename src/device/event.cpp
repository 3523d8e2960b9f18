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
#include "device/sharing/remote_record.h"
#include "device/sharing/shared_sync.h"
#include "device/stored_events.h"
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
    if (check::On()) check::StreamReaches(NameOf(stream), completion_, check::Point::kReplace);
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

// The same for an event that other processes hold as well.
class SharedEventRecord {
 public:
  static constexpr bool kReplays = false;

  SharedEventRecord(std::shared_ptr<Completion> completion, std::shared_ptr<SharedEvent> shared,
                    std::uint64_t number)
      : completion_(std::move(completion)), shared_(std::move(shared)), number_(number) {}

  Outcome Run(Stream& stream) {
    if (check::On()) check::StreamReaches(NameOf(stream), completion_, check::Point::kReplace);
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

}  // namespace

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
    if (check::On()) check::StreamLearns(NameOf(stream), completion_.get());
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
    if (state_->latest_.completion == completion_) state_->latest_ = {};
    return Outcome::kDone;
  }
  void ListAccesses(std::vector<Access>&) const {}
  std::string Describe() const { return fmt::format("event {}", state_->id()); }

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
    if (completion_ ? !completion_->done() : true) {
      if (deadline_.Expired())
        Fail(kRtWaitTimeout, "event {} was not reached within {} s", state_->id(), deadline_.seconds());
      if (!completion_ || completion_->AddWaiter(stream)) {
        stream.waiting().set_source(completion_ ? completion_->source() : nullptr);
        deadline_.Arm(stream);
        return Outcome::kSuspended;
      }
    }
    stream.waiting().set_source(nullptr);
    if (check::On()) check::StreamLearns(NameOf(stream), completion_.get());
    if (completion_->failure()) stream.Adopt(completion_->failure());
    return Outcome::kDone;
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

EventState::~EventState() {
  device_.events.fetch_sub(1);
}

EventState::EventState(Device& device, std::shared_ptr<SharedEvent> shared, std::uint32_t id)
    : device_(device), kind_(Kind::kExtended), flags_(kEventIpc), id_(id), shared_(std::move(shared)) {}

std::shared_ptr<SharedEvent> EventState::Share() {
  if ((flags_ & kEventIpc) == 0) {
    Fail(kRtParamInvalid,
         "event {} was created with flag {} and cannot be shared; create it with aclrtCreateEventExWithFlag "
         "and ACL_EVENT_IPC (64)",
         id_, flags_);
  }
  std::lock_guard<std::mutex> lock(mutex_);
  if (!shared_) shared_ = std::make_shared<SharedEvent>();
  return shared_;
}

EventState::Latest EventState::latest() const {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!shared_) return latest_;
  const std::uint64_t number = shared_->latest();
  if (number != number_) {
    auto completion = std::make_shared<Completion>(nullptr);
    latest_ = {completion, std::make_shared<RemoteRecord>(shared_, number, completion, id_)};
    number_ = number;
  }
  Latest found = latest_;
  lock.unlock();
  if (found.remote) found.remote->IsOver(false);
  return found;
}

std::shared_ptr<CapturePoint> EventState::point() const {
  if (!captured_.load()) return nullptr;
  std::lock_guard<std::mutex> lock(mutex_);
  return point_ && point_->is_live() ? point_ : nullptr;
}

// Precondition: mutex_ is held.
void EventState::ForgetPoint() noexcept {
  point_ = nullptr;
  captured_.store(false);
}

void EventState::LookWhetherCaptured() const {
  if (!point()) return;
  Fail(kRtEventCaptured,
       "event {} was recorded in a stream that is being captured: its record is kept and not run; end the "
       "capture first",
       id_);
}

bool EventState::IsExternal(const StreamRef& stream, Scope scope) const {
  return stream->is_diverted() && (scope == Scope::kExternal || (flags_ & kEventExternal) != 0);
}

std::uint64_t EventState::Install(const std::shared_ptr<Completion>& completion, Latest& before) {
  std::vector<Stream*> woken;
  std::uint64_t number;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    before = std::exchange(latest_, {completion, nullptr});
    if (captured_.load(std::memory_order_relaxed)) ForgetPoint();
    if (!unrecorded_.empty()) woken.swap(unrecorded_);
    if (shared_) number_ = shared_->BeginRecord();
    number = number_;
  }
  for (Stream* stream : woken)
    stream->Wake();
  return number;
}

void EventState::RecordNow(Stream& stream) {
  const std::shared_ptr<SharedEvent> shared = flags_ & kEventIpc ? Share() : nullptr;
  const Failure failure = stream.failures().Peek();
  auto completion = std::make_shared<Completion>(&stream);
  if (check::On()) check::StreamReaches(NameOf(stream), completion, check::Point::kReplace);
  completion->Complete(failure, Now());
  Latest before;
  const std::uint64_t number = Install(completion, before);
  if (shared) shared->EndRecord(number, failure ? failure->code() : 0);
  mark_.Update([](std::uint32_t& mark) { mark = 1; });
}

std::shared_ptr<Completion> EventState::LatestOrWait(Stream& waiting) {
  if (const auto [completion, remote] = latest(); completion) {
    if (remote) remote->Watch();
    return completion;
  }
  std::lock_guard<std::mutex> lock(mutex_);
  const bool known = std::find(unrecorded_.begin(), unrecorded_.end(), &waiting) != unrecorded_.end();
  if (!latest_.completion && kind_ != Kind::kExtended && !known) unrecorded_.push_back(&waiting);
  return latest_.completion;
}

void EventState::Record(const StreamRef& stream, const char* api, Scope scope) {
  if (stream->device() != device_.id()) {
    BreaksRule("ACL-CTX-002", stream.handle);
    Fail(kRtParamInvalid, "event {} belongs to device {} and cannot be recorded in stream {} of device {}",
         id_, device_.id(), stream->id(), stream->device());
  }
  if (IsExternal(stream, scope)) {
    stream.Push(api, ExternalRecord(shared_from_this()));
    return;
  }
  if (auto point = stream->is_diverted() ? stream->RecordInSink(stream.handle, id_) : nullptr) {
    std::lock_guard<std::mutex> lock(mutex_);
    point_ = std::move(point);
    captured_.store(true);
    return;
  }
  auto completion = std::make_shared<Completion>(stream.stream);
  const std::shared_ptr<SharedEvent> shared = flags_ & kEventIpc ? Share() : nullptr;
  Latest before;
  const std::uint64_t number = Install(completion, before);
  try {
    if (stream->is_stored()) {
      stream.Push(api, StoredEventRecord(shared_from_this(), completion));
    } else if (shared) {
      stream.Push(api, SharedEventRecord(completion, shared, number));
    } else {
      stream.Push(api, EventRecord(completion, id_));
    }
  } catch (...) {
    const Failure failure = foothold::Share(CurrentError());
    completion->Complete(failure, Now());
    if (shared) shared->EndRecord(number, failure->code());
    std::lock_guard<std::mutex> lock(mutex_);
    if (latest_.completion == completion && !shared) latest_ = before;
    throw;
  }
}

void EventState::WaitOn(const StreamRef& stream, const char* api, std::uint32_t timeout, Scope scope) {
  if (kind_ != Kind::kPlain && !(flags_ & (kEventSync | kEventExternal | kEventIpc))) {
    Fail(kRtParamInvalid,
         "event {} was created with flag {} and cannot be waited for in a stream; create it with "
         "ACL_EVENT_SYNC (1)",
         id_, flags_);
  }
  if (IsExternal(stream, scope)) {
    stream.Push(api, ExternalWait(shared_from_this(), timeout));
    return;
  }
  if (stream->is_stored() && !stream->is_diverted()) {
    stream.Push(api, StoredEventWait(shared_from_this(), timeout));
    return;
  }
  if (captured_.load(std::memory_order_relaxed)) {
    if (const auto captured = point()) return captured->Precede(stream, api);
  }
  auto [completion, remote] = latest();
  if (!completion) return;  // never recorded: nothing to wait for
  if (completion->done() && !completion->failure()) {
    if (check::On()) check::StreamWillKnow(NameOf(*stream.stream), completion.get());
    return;
  }
  if (stream->is_diverted()) stream->CheckMayWaitOutside(stream.handle, id_);
  if (remote) remote->Watch();
  stream.Push(api, EventWait(shared_from_this(), std::move(completion), timeout));
}

void EventState::Reset(const StreamRef& stream, const char* api) {
  if (kind_ == Kind::kExtended || (kind_ == Kind::kWithFlag && !(flags_ & (kEventSync | kEventExternal)))) {
    Fail(kRtParamInvalid, "event {} cannot be reset: {}", id_,
         kind_ == Kind::kExtended ? "events of aclrtCreateEventExWithFlag are reset by the next record"
                                  : "it was created without ACL_EVENT_SYNC (1)");
  }
  if (IsExternal(stream, Scope::kInternal)) {
    stream.Push(api, ExternalReset(shared_from_this()));
    return;
  }
  if (stream->is_stored() && !stream->is_diverted()) {
    stream.Push(api, StoredEventReset(shared_from_this()));
    return;
  }
  if (point()) {  // an order between captured tasks that nobody can ask for any more
    std::lock_guard<std::mutex> lock(mutex_);
    ForgetPoint();
    return;
  }
  if (stream->is_diverted()) return;  // nothing of the capture to forget
  stream.Push(api, EventReset(shared_from_this(), latest().completion));
}

void EventState::ResetNow() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    latest_ = {};
  }
  mark_.Update([](std::uint32_t& mark) { mark = 0; });
}

bool EventState::IsComplete() const {
  CheckNotCaptured();
  const auto [completion, remote] = latest();
  if (!completion) return kind_ == Kind::kExtended;
  if (remote) remote->IsOver(true);
  if (!completion->done() && !remote) completion->source()->executor().TryAgain();
  if (completion->done() && check::On()) check::HostLearns(completion.get());
  return completion->done();
}

bool EventState::Synchronize(Nanoseconds deadline) const {
  CheckNotCaptured();
  const auto [completion, remote] = latest();
  if (!completion) return true;
  const bool reached =
      completion->done() || (remote ? remote->Wait(deadline) : WaitFor(*completion, deadline));
  if (!reached) return false;
  if (check::On()) check::HostLearns(completion.get());
  if (completion->failure()) {
    if (check::On() && completion->source() != nullptr) check::FailureSeen(NameOf(*completion->source()));
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
  CheckNotCaptured();
  const auto completion = latest().completion;
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
