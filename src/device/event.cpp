// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/event.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/broken_rule.h"
#include "base/schedule.h"
#include "device/current.h"
#include "device/device.h"
#include "device/event_tasks.h"
#include "device/executor.h"
#include "device/observer.h"
#include "device/runtime.h"
#include "device/sharing/remote_record.h"
#include "device/stored_events.h"
#include "device/user_code.h"

namespace foothold {
namespace {

// A sleeping thread looks this often whether it is itself what the event waits for.
constexpr Nanoseconds kNap = 100 * kMillisecond;

// What few records and waits meet, out of the way of the others.
[[noreturn, gnu::noinline, gnu::cold]] void FailOtherDevice(const EventState& event,
                                                            const StreamRef& stream) {
  BreaksRule("ACL-CTX-002", stream.handle);
  Fail(kRtParamInvalid, "event {} belongs to device {} and cannot be recorded in stream {} of device {}",
       event.id(), event.device().id(), stream->id(), stream->device());
}

[[noreturn, gnu::noinline, gnu::cold]] void FailNotForWaits(const EventState& event) {
  Fail(kRtParamInvalid,
       "event {} was created with flag {} and cannot be waited for in a stream; create it with "
       "ACL_EVENT_SYNC (1)",
       event.id(), event.flags());
}

[[gnu::noinline, gnu::cold]] void TellNoWait(DeviceObserver& observer, const EventState& event,
                                             const StreamRef& stream, const Completion* completion) {
  if (completion != nullptr) {
    observer.OnPassesWait(*stream.stream, event.UseFor(SyncUse::Kind::kWaits, completion));
  } else if (!stream->is_diverted()) {
    observer.OnWaitsForNoRecord(*stream.stream, event);
  }
}

}  // namespace

EventState::~EventState() {
  if (auto* const observer = Observer()) observer->OnEventGone(*this);
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

EventState::Latest EventState::LatestOfAll() const {
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

// Part of every record, so it is not worth a call.
[[gnu::always_inline]] inline std::uint64_t EventState::Install(const std::shared_ptr<Completion>& completion,
                                                                std::shared_ptr<Completion>& before) {
  std::unique_lock<std::mutex> lock(mutex_);
  before = std::exchange(latest_.completion, completion);
  const bool more =
      (flags_ & kEventIpc) != 0 || captured_.load(std::memory_order_relaxed) || !unrecorded_.empty();
  if (!more) [[likely]]
    return 0;
  std::vector<Stream*> woken;
  std::uint64_t number = 0;
  ForgetPoint();
  woken.swap(unrecorded_);
  if ((flags_ & kEventIpc) != 0 && shared_) {
    latest_.remote = nullptr;
    number = number_ = shared_->BeginRecord();
  }
  lock.unlock();
  for (Stream* stream : woken)
    stream->Wake();
  return number;
}

void EventState::RecordNow(Stream& stream) {
  const std::shared_ptr<SharedEvent> shared = flags_ & kEventIpc ? Share() : nullptr;
  const Failure failure = stream.failures().Peek();
  auto completion = std::make_shared<Completion>(&stream);
  if (auto* const observer = Observer())
    observer->OnReaches(stream, completion, DeviceObserver::Point::kReplace);
  completion->Complete(failure, Now());
  std::shared_ptr<Completion> before;
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
  if (stream->device() != device_.id()) [[unlikely]]
    FailOtherDevice(*this, stream);
  if (stream->is_diverted()) [[unlikely]] {
    if (IsExternal(stream, scope)) {
      stream.Push(api, ExternalRecord(shared_from_this()));
      return;
    }
    if (auto point = stream->RecordInSink(stream.handle, id_)) {
      std::lock_guard<std::mutex> lock(mutex_);
      point_ = std::move(point);
      captured_.store(true);
      return;
    }
  }
  auto completion = std::make_shared<Completion>(stream.stream);
  const std::shared_ptr<SharedEvent> shared = flags_ & kEventIpc ? Share() : nullptr;
  std::shared_ptr<Completion> before;
  const std::uint64_t number = Install(completion, before);
  try {
    if (!stream->is_stored() && !shared) [[likely]] {
      stream.Push(api, EventRecord(completion, *this));
    } else if (stream->is_stored()) {
      stream.Push(api, StoredEventRecord(shared_from_this(), completion));
    } else {
      stream.Push(api, SharedEventRecord(completion, shared, number));
    }
  } catch (...) {
    const Failure failure = foothold::Share(CurrentError());
    completion->Complete(failure, Now());
    if (shared) shared->EndRecord(number, failure->code());
    std::lock_guard<std::mutex> lock(mutex_);
    if (latest_.completion == completion && !shared) latest_.completion = before;
    throw;
  }
}

void EventState::WaitOn(const StreamRef& stream, const char* api, std::uint32_t timeout, Scope scope) {
  if (kind_ != Kind::kPlain && !(flags_ & (kEventSync | kEventExternal | kEventIpc))) [[unlikely]]
    FailNotForWaits(*this);
  const bool diverted = stream->is_diverted();
  if (diverted || stream->is_stored()) [[unlikely]] {
    if (IsExternal(stream, scope)) {
      stream.Push(api, ExternalWait(shared_from_this(), timeout));
      return;
    }
    if (!diverted) {
      stream.Push(api, StoredEventWait(shared_from_this(), timeout));
      return;
    }
  }
  if (captured_.load(std::memory_order_relaxed)) [[unlikely]] {
    if (const auto captured = point()) return captured->Precede(stream, api);
  }
  std::shared_ptr<Completion> completion;
  if ((flags_ & kEventIpc) == 0) {
    std::lock_guard<std::mutex> lock(mutex_);
    completion = latest_.completion;
  } else {
    const Latest found = LatestOfAll();
    completion = found.completion;
    if (found.remote && (!completion->done() || completion->failure())) found.remote->Watch();
  }
  // Never recorded, or reached: nothing to wait for.
  if (!completion || (completion->done() && !completion->failure())) {
    if (auto* const observer = Observer()) [[unlikely]]
      TellNoWait(*observer, *this, stream, completion.get());
    return;
  }
  if (diverted) [[unlikely]]
    stream->CheckMayWaitOutside(stream.handle, id_);
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

SyncUse EventState::UseFor(SyncUse::Kind kind, const void* record) const {
  SyncUse use;
  use.kind = kind;
  use.what = SyncUse::What::kEvent;
  use.outside = (flags_ & kEventIpc) != 0;
  use.plain = kind_ == Kind::kPlain;
  use.id = id_;
  use.point = record;
  use.object = this;
  return use;
}

void EventState::TellDestroyed() const noexcept {
  if (auto* const observer = Observer()) observer->OnEventDestroyed(*this);
}

bool EventState::IsComplete() const {
  CheckNotCaptured();
  if (auto* const observer = Observer()) observer->OnEventLookedAt(*this);
  const auto [completion, remote] = latest();
  if (!completion) return kind_ == Kind::kExtended;
  if (remote) remote->IsOver(true);
  if (!completion->done() && !remote) completion->source()->executor().TryAgain();
  if (!completion->done()) return false;
  if (auto* const observer = Observer()) observer->OnHostLearns(completion.get());
  return true;
}

bool EventState::AllWaitsDone() const {
  const bool done = pending_waits_.load() == 0;
  if (!done) return false;
  if (auto* const observer = Observer()) observer->OnEventWaitsKnown(*this);
  return true;
}

bool EventState::Synchronize(Nanoseconds deadline) const {
  CheckNotCaptured();
  DeviceObserver* const observer = Observer();
  if (observer != nullptr) observer->OnEventLookedAt(*this);
  const auto [completion, remote] = latest();
  if (!completion) return true;
  const bool reached =
      completion->done() || (remote ? remote->Wait(deadline) : WaitFor(*completion, deadline));
  if (!reached) {
    if (observer != nullptr && completion->source() != nullptr)
      observer->OnHostTimesOut(*completion->source());
    return false;
  }
  if (observer != nullptr) observer->OnHostLearns(completion.get());
  if (completion->failure()) {
    if (observer != nullptr && completion->source() != nullptr)
      observer->OnFailureSeen(*completion->source());
    throw Error(*completion->failure());
  }
  return true;
}

bool EventState::WaitFor(Completion& completion, Nanoseconds deadline) const {
  Stream& source = *completion.source();
  CheckMayWaitFor(source);
  std::unique_ptr<DeviceObserver::Wait> watched;
  if (auto* const observer = Observer())
    watched = observer->OnHostWaits(DeviceObserver::WaitsFor::kPoint, &completion, deadline != kForever);
  for (;;) {
    source.executor().TryAgain();
    source.waiting().RunUntilDone(completion, deadline);
    if (completion.done()) return true;
    if (source.NeedsThisThread()) source.waiting().FailNeedsThisThread();
    if (completion.Wait(std::min(deadline, Now() + (schedule::IsChosen() ? kMillisecond : kNap))))
      return true;
    if (deadline != kForever && Now() >= deadline) return false;
    source.waiting().CheckChainForThisThread();
    if (watched) watched->Look();
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
  if (auto* const observer = Observer()) observer->OnEventLookedAt(*this);
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
  if (auto* const observer = Observer()) {
    const auto first = start.latest().completion, last = end.latest().completion;
    if (first && last && first->source() != last->source()) observer->OnTimesOfTwoStreams(start, end);
  }
  return to - from;
}

}  // namespace foothold
