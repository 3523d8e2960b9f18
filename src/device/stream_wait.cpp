// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// How host threads wait for a stream: they run what they may themselves, spin a little, then sleep.
#include <algorithm>
#include <mutex>

#include "base/futex.h"
#include "device/completion.h"
#include "device/executor.h"
#include "device/stream.h"
#include "device/user_code.h"
#include "device/wake_cost.h"

namespace foothold {
namespace {

// A sleeping thread looks this often whether it is itself what its stream waits for.
constexpr Nanoseconds kNap = 100 * kMillisecond;
// What a waiting thread spends at most on a stream that is not the one it waits for.
constexpr Nanoseconds kFavour = 200 * kMicrosecond;
constexpr int kDeepestChain = 16;

void LowerTo(std::atomic<std::uint64_t>& least, std::uint64_t value) noexcept {
  std::uint64_t now = least.load();
  while (value < now && !least.compare_exchange_weak(now, value)) {
  }
}

}  // namespace

bool Stream::Wait(Nanoseconds deadline, Failure* aborted) {
  if (skips_sync()) return true;
  const WaitResult result = WaitUntil(queue_.pushed(), deadline);
  if (result == WaitResult::kAborted && aborted != nullptr) {
    std::lock_guard<SpinLock> lock(failure_lock_);
    *aborted = abort_failure_;
  }
  return result != WaitResult::kTimedOut;
}

void Stream::Finish() {
  if (!is_stored()) WaitUntil(queue_.pushed(), kForever);
}

bool Stream::WaitForTask(std::uint32_t id, Nanoseconds deadline) {
  if (skips_sync()) return true;
  // A task's number is the low half of its place in the queue, and it is one of those queued by now.
  const std::uint64_t last = queue_.pushed() - 1;
  const std::uint64_t number = last - static_cast<std::uint32_t>(static_cast<std::uint32_t>(last) - id);
  return WaitUntil(number + 1, deadline) != WaitResult::kTimedOut;
}

bool Stream::Synchronize(Nanoseconds deadline) {
  Failure aborted;
  if (!Wait(deadline, &aborted)) return false;
  if (Failure failure = TakeFailure()) throw Error(*failure);
  if (aborted) throw Error(*aborted);
  return true;
}

bool Stream::WaitQuiet(Nanoseconds deadline) {
  const std::uint64_t target = queue_.pushed();
  while (!is_stored() && queue_.done() < target && user_tasks_.load() == 0) {
    if (deadline != kForever && Now() >= deadline) return false;
    executor().TryAgain();
    const std::uint32_t word = progress_.load();
    LowerTo(wake_at_, target);
    if (queue_.done() < target) FutexWait(progress_, word, Now() + kMillisecond);
  }
  return true;
}

bool Stream::IsIdle() const noexcept {
  const std::uint64_t target = queue_.pushed();
  executor().TryAgain();
  return is_stored() || abort_until_.load() >= target || (queue_.done() >= target && LettersAnswered());
}

bool Stream::IsStuck() const noexcept {
  if (user_tasks_.load() > 0 || letters_running_.load() > 0) return false;
  const std::uint32_t state = state_.load();
  const bool only_letters_left = state == kIdle && queue_.done() == queue_.pushed();
  return state == kBlocked || (state == kReady && needs_.load() != nullptr) || only_letters_left;
}

// Done when the tasks are, and after them the callbacks that had left the stream by then: later ones do not
// matter.
Stream::WaitResult Stream::Look(Target& target) const noexcept {
  if (queue_.done() < target.tasks)
    return abort_until_.load() >= target.tasks ? WaitResult::kAborted : WaitResult::kTimedOut;
  if (target.letters == UINT64_MAX) target.letters = letters_sent_.load();
  if (letters_done_.load() >= target.letters) return WaitResult::kDone;
  return abort_until_.load() >= target.tasks ? WaitResult::kAborted : WaitResult::kTimedOut;
}

Stream::WaitResult Stream::WaitUntil(std::uint64_t tasks, Nanoseconds deadline) {
  Target target{tasks};
  WaitResult result = Look(target);
  if (result != WaitResult::kTimedOut) return result;
  CheckMayWait();
  for (bool may_claim = true; result == WaitResult::kTimedOut;) {
    const std::uint64_t done = queue_.done();
    if (may_claim && TryClaim()) may_claim = RunMyself(tasks, deadline);
    if ((result = Look(target)) != WaitResult::kTimedOut) break;
    CheckNotWaitingForThisThread(tasks);
    if (deadline != kForever && Now() >= deadline) return result;
    if (queue_.done() == done) SleepUntilProgress(target, may_claim, deadline);
    may_claim = may_claim || queue_.done() != done;
    result = Look(target);
  }
  // Dropped tasks count as done; a caller that waited for them learns that they were dropped all the same.
  return abort_until_.load() >= tasks ? WaitResult::kAborted : result;
}

// True if the caller may go on running the stream when it is ready again.
bool Stream::RunMyself(std::uint64_t tasks, Nanoseconds deadline) {
  Runner runner(deadline == kForever ? Runner::Role::kCaller : Runner::Role::kTimedCaller);
  runner.target = tasks;
  runner.deadline = deadline;
  Drain(runner);
  // Streams that became ready through this one are run here too, as far as they may be, until it is our turn
  // again.
  while (Stream* next = runner.TakeKept()) {
    if (queue_.done() >= tasks) {
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

void Stream::RunUntilDone(const Completion& completion, Nanoseconds deadline) {
  const std::uint64_t target = queue_.pushed();
  while (!completion.done() && TryClaim()) {
    if (!RunMyself(target, deadline)) return;
  }
}

void Stream::SleepUntilProgress(Target& target, bool may_claim, Nanoseconds deadline) {
  const std::uint64_t done = queue_.done();
  if (!TakeSharesCore()) {
    for (SpinPlace place; place.Spin();) {
      if (Look(target) != WaitResult::kTimedOut) return;
      if (may_claim && state_.load(std::memory_order_relaxed) == kReady) return;
      if (queue_.done() != done) return;
    }
  }
  executor().TryAgain();
  bed_.LieDown();
  const std::uint32_t word = progress_.load();
  LowerTo(done < target.tasks ? wake_at_ : wake_letters_,
          done < target.tasks ? target.tasks : target.letters);
  if (Look(target) != WaitResult::kTimedOut || queue_.done() != done) return;
  const Nanoseconds nap_end = Now() + kNap;
  FutexWait(progress_, word, std::min(deadline, nap_end));
  if (Now() >= nap_end && queue_.done() == done) CheckChainForThisThread();
}

void Stream::WakeReached() noexcept {
  if (queue_.done() < wake_at_.load()) return;
  if (!LettersAnswered()) {
    LowerTo(wake_letters_, letters_sent_.load());
    if (letters_done_.load() < wake_letters_.load()) return;
  }
  WakeSleepers();
}

// The cheap look after each task may miss a thread that is just falling asleep; the next task makes up for
// it, unless that one is long.
void Stream::WakeReachedBeforeLongTask() noexcept {
  if (queue_.done() >= wake_at_.fetch_add(0)) WakeReached();
}

void Stream::WakeSleepers() noexcept {
  wake_at_.store(UINT64_MAX);
  wake_letters_.store(UINT64_MAX);
  progress_.fetch_add(1);
  bed_.Disturb();
  FutexWakeAll(progress_);
}

void Stream::LetterDone() noexcept {
  if (letters_done_.fetch_add(1) + 1 >= wake_letters_.load()) WakeSleepers();
  if (closing_.load()) RecycleIfClosed();
}

void Stream::CheckMayWait() const {
  if (!InsideUserFunctionOf(*this)) return;
  Fail(kRtParamInvalid,
       "this thread is inside a callback or host function of stream {}: waiting for that stream here would "
       "never end",
       id());
}

bool Stream::NeedsThisThread() const noexcept {
  const Mailbox* mailbox = needs_.load();
  return mailbox != nullptr && state_.load() == kReady && mailbox->thread() == SelfThread();
}

void Stream::CheckNotWaitingForThisThread(std::uint64_t tasks) const {
  bool waits = queue_.done() < tasks && NeedsThisThread();
  for (auto kind : {Mailbox::Kind::kReport, Mailbox::Kind::kHostFunction}) {
    Mailbox* mailbox = subscription(kind).mailbox;
    if (!waits && mailbox != nullptr && mailbox->thread() == SelfThread())
      waits = mailbox->HoldsLetterOf(*this);
  }
  if (waits) FailWaitsForThisThread();
}

void Stream::FailWaitsForThisThread() const {
  Fail(kRtParamInvalid,
       "stream {} waits for a callback that this very thread executes: waiting for the stream here would "
       "never "
       "end. Synchronise from another thread, or call aclrtProcessReport first",
       id());
}

// Only for streams that have not moved for a while: then the chain of what waits for what is not just passing
// by.
void Stream::CheckChainForThisThread() const {
  const Stream* stream = this;
  for (int depth = 0; depth < kDeepestChain && stream != nullptr; ++depth) {
    if (stream->NeedsThisThread() || HoldsUp(*stream)) {
      Fail(kRtParamInvalid,
           "stream {} waits for an event of stream {}, which waits for this very thread: waiting for it here "
           "would "
           "never end",
           id(), stream->id());
    }
    stream = stream->state_.load() == kBlocked ? stream->waits_for_.load() : nullptr;
  }
}

}  // namespace foothold
