// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/stream_waiting.h"

#include <algorithm>
#include <optional>

#include "base/broken_rule.h"
#include "base/futex.h"
#include "base/schedule.h"
#include "device/completion.h"
#include "device/executor.h"
#include "device/observer.h"
#include "device/scheduler.h"
#include "device/stream.h"
#include "device/user_code.h"

namespace foothold {
namespace {

// A sleeping thread looks this often whether it is itself what its stream waits for.
constexpr Nanoseconds kNap = 100 * kMillisecond;
// The same where this thread is the one that runs others' tasks.
constexpr Nanoseconds kShortNap = kMillisecond;
// What a waiting thread spends at most on a stream that is not the one it waits for.
constexpr Nanoseconds kFavour = 200 * kMicrosecond;
constexpr int kDeepestChain = 16;

void LowerTo(std::atomic<std::uint64_t>& least, std::uint64_t value) noexcept {
  std::uint64_t now = least.load();
  while (value < now && !least.compare_exchange_weak(now, value)) {
  }
}

// The host has waited: it knows what the stream has done.
[[gnu::noinline, gnu::cold]] void TellWaited(DeviceObserver& observer, const Stream& stream,
                                             StreamWaiting::Result result) noexcept {
  if (result == StreamWaiting::Result::kDone) observer.OnHostLearns(stream);
  if (result == StreamWaiting::Result::kTimedOut) observer.OnHostTimesOut(stream);
}

// Most waits find everything done: those cost no more than the look.
inline StreamWaiting::Result Waited(Stream& stream, std::uint64_t tasks, Nanoseconds deadline) {
  const bool over = stream.done() >= tasks && stream.callbacks().AllAnswered();
  const auto result = over ? StreamWaiting::Result::kDone : stream.waiting().Until(tasks, deadline);
  if (auto* const observer = Observer()) [[unlikely]]
    TellWaited(*observer, stream, result);
  return result;
}

}  // namespace

bool StreamWaiting::UntilQuiet(Nanoseconds deadline) {
  const std::uint64_t target = stream_.queued();
  while (!stream_.is_stored() && stream_.done() < target && !stream_.callbacks().HoldUpStream()) {
    if (deadline != kForever && Now() >= deadline) return false;
    stream_.executor().TryAgain();
    const std::uint32_t word = progress_.load();
    LowerTo(wake_at_, target);
    if (stream_.done() < target) FutexWait(progress_, word, Now() + kMillisecond);
  }
  return true;
}

// Done when the tasks are, and after them the callbacks that had left the stream by then: later ones do not
// matter.
StreamWaiting::Result StreamWaiting::Look(Target& target) const noexcept {
  if (stream_.done() >= target.tasks) {
    if (target.letters == UINT64_MAX) target.letters = stream_.callbacks().sent();
    if (stream_.callbacks().answered() >= target.letters) return Result::kDone;
  }
  return stream_.failures().IsAllDropped(target.tasks) ? Result::kDropped : Result::kTimedOut;
}

[[gnu::noinline]] StreamWaiting::Result StreamWaiting::Until(std::uint64_t tasks, Nanoseconds deadline) {
  Target target{tasks};
  Result result = Look(target);
  if (result != Result::kTimedOut) return result;
  CheckMayWait();
  std::unique_ptr<DeviceObserver::Wait> watched;
  if (auto* const observer = Observer())
    watched = observer->OnHostWaits(DeviceObserver::WaitsFor::kStream, &stream_, deadline != kForever);
  for (bool may_claim = true; result == Result::kTimedOut;) {
    const std::uint64_t done = stream_.done();
    if (schedule::IsChosen()) {
      while (Look(target) == Result::kTimedOut && Now() < deadline && Scheduler::Get().RunOne()) {
      }
    } else if (may_claim && stream_.TryClaim()) {
      may_claim = RunMyself(tasks, deadline);
    }
    if ((result = Look(target)) != Result::kTimedOut) break;
    CheckNotWaitingForThisThread(tasks);
    if (deadline != kForever && Now() >= deadline) return result;
    // By a schedule it is not for this thread to claim it, though a callback may be due.
    const bool claims = may_claim && !schedule::IsChosen();
    if (stream_.done() == done && SleepUntilProgress(target, claims, deadline) && watched) watched->Look();
    may_claim = may_claim || stream_.done() != done;
    result = Look(target);
  }
  // Dropped tasks count as done; a caller that waited for them learns that they were dropped all the same.
  return stream_.failures().IsAllDropped(tasks) ? Result::kDropped : result;
}

// True if the caller may go on running the stream when it is ready again.
bool StreamWaiting::RunMyself(std::uint64_t tasks, Nanoseconds deadline) {
  Runner runner(deadline == kForever ? Runner::Role::kCaller : Runner::Role::kTimedCaller);
  runner.target = tasks;
  runner.deadline = deadline;
  stream_.Drain(runner);
  // Streams that became ready through this one are run here too, as far as they may be, until it is our turn
  // again.
  while (Stream* next = runner.TakeKept()) {
    if (stream_.done() >= tasks) {
      next->SubmitReady();
    } else if (next->TryClaim()) {
      Runner other(Runner::Role::kTimedCaller);
      other.deadline = std::min(deadline, Now() + kFavour);
      next->Drain(other);
      if (Stream* kept = other.TakeKept()) {
        if (!runner.Keep(*kept)) kept->SubmitReady();
      }
    }
  }
  return !runner.handed_over;
}

void StreamWaiting::RunUntilDone(const Completion& completion, Nanoseconds deadline) {
  if (schedule::IsChosen()) {
    while (!completion.done() && Scheduler::Get().RunOne()) {
    }
    return;
  }
  const std::uint64_t target = stream_.queued();
  while (!completion.done() && stream_.TryClaim()) {
    if (!RunMyself(target, deadline)) return;
  }
}

bool StreamWaiting::SleepUntilProgress(Target& target, bool may_claim, Nanoseconds deadline) {
  const std::uint64_t done = stream_.done();
  if (!TakeSharesCore()) {
    for (SpinPlace place; place.Spin();) {
      if (Look(target) != Result::kTimedOut) return false;
      if (may_claim && stream_.IsReady()) return false;
      if (stream_.done() != done) return false;
    }
  }
  stream_.executor().TryAgain();
  bed_.LieDown();
  const std::uint32_t word = progress_.load();
  LowerTo(done < target.tasks ? wake_at_ : wake_letters_,
          done < target.tasks ? target.tasks : target.letters);
  if (Look(target) != Result::kTimedOut || stream_.done() != done) return false;
  const Nanoseconds nap_end = Now() + (schedule::IsChosen() ? kShortNap : kNap);
  FutexWait(progress_, word, std::min(deadline, nap_end));
  if (Now() < nap_end || stream_.done() != done) return false;
  CheckChainForThisThread();
  return true;
}

void StreamWaiting::WakeReached(std::uint64_t done) noexcept {
  if (done < wake_at_.load()) return;
  if (!stream_.callbacks().AllAnswered()) {
    LowerTo(wake_letters_, stream_.callbacks().sent());
    if (stream_.callbacks().answered() < wake_letters_.load()) return;
  }
  WakeAll();
}

void StreamWaiting::WakeAll() noexcept {
  wake_at_.store(UINT64_MAX);
  wake_letters_.store(UINT64_MAX);
  progress_.fetch_add(1);
  bed_.Disturb();
  FutexWakeAll(progress_);
}

void StreamWaiting::CheckMayWait() const {
  if (!InsideUserFunctionOf(stream_)) return;
  BreaksRule("ACL-CB-003", stream_.handle());
  Fail(kRtParamInvalid,
       "this thread is inside a callback or host function of stream {}: waiting for that stream here would "
       "never end",
       stream_.id());
}

void StreamWaiting::CheckNotWaitingForThisThread(std::uint64_t tasks) const {
  const bool needs = stream_.done() < tasks && stream_.NeedsThisThread();
  if (needs || stream_.callbacks().HaveLetterForThisThread()) FailNeedsThisThread();
}

void StreamWaiting::FailNeedsThisThread() const {
  BreaksRule("ACL-SYNC-007", stream_.handle());
  Fail(kRtParamInvalid,
       "stream {} waits for a callback that this very thread executes: waiting for the stream here would "
       "never end. Synchronise from another thread, or call aclrtProcessReport first",
       stream_.id());
}

// Only for streams that have not moved for a while: then the chain of what waits for what is not just passing
// by.
void StreamWaiting::CheckChainForThisThread() const {
  Stream* stream = &stream_;
  for (int depth = 0; depth < kDeepestChain && stream != nullptr; ++depth) {
    if (stream->NeedsThisThread() || HoldsUp(*stream)) {
      BreaksRule("ACL-SYNC-007", stream_.handle());
      Fail(kRtParamInvalid,
           "stream {} waits for an event of stream {}, which waits for this very thread: waiting for it here "
           "would never end",
           stream_.id(), stream->id());
    }
    stream = stream->IsBlocked() ? stream->waiting().source_.load() : nullptr;
  }
}

// Here so that waiting for a stream that is idle is one call.
bool Stream::Wait(Nanoseconds deadline, Failure* aborted) {
  if (skips_sync()) return true;
  const auto result = Waited(*this, queue_.pushed(), deadline);
  if (result == StreamWaiting::Result::kDropped && aborted != nullptr) *aborted = failures_.dropped_for();
  return result != StreamWaiting::Result::kTimedOut;
}

void Stream::Finish() {
  if (!is_stored()) Waited(*this, queue_.pushed(), kForever);
}

bool Stream::WaitForTask(std::uint32_t id, Nanoseconds deadline) {
  if (skips_sync()) return true;
  // A task's number is the low half of its place in the queue, and it is one of those queued by now.
  const std::uint64_t last = queue_.pushed() - 1;
  const std::uint64_t number = last - static_cast<std::uint32_t>(static_cast<std::uint32_t>(last) - id);
  return Waited(*this, number + 1, deadline) != StreamWaiting::Result::kTimedOut;
}

bool Stream::Synchronize(Nanoseconds deadline) {
  CheckNotDiverted();
  Failure aborted;
  if (!Wait(deadline, &aborted)) return false;
  if (Failure failure = failures_.Take()) throw Error(*failure);
  if (aborted) throw Error(*aborted);
  return true;
}

}  // namespace foothold
