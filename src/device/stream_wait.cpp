// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// How host threads wait for a stream: they run what they may themselves, spin a little, then sleep.
#include <mutex>

#include "base/futex.h"
#include "device/completion.h"
#include "device/executor.h"
#include "device/stream.h"
#include "device/user_code.h"
#include "device/wake_cost.h"

namespace foothold {

bool Stream::Wait(Nanoseconds deadline) {
  if (skips_sync()) return true;
  return WaitUntil(queue_.pushed(), deadline);
}

bool Stream::Synchronize(Nanoseconds deadline) {
  if (!Wait(deadline)) return false;
  if (Failure failure = TakeFailure()) throw Error(*failure);
  return true;
}

bool Stream::WaitQuiet(Nanoseconds deadline) {
  const std::uint64_t target = queue_.pushed();
  while (!is_stored() && queue_.done() < target && !in_user_function_.load()) {
    if (deadline != kForever && Now() >= deadline) return false;
    const std::uint32_t word = progress_.load();
    if (queue_.done() < target) FutexWait(progress_, word, Now() + kMillisecond);
  }
  return true;
}

bool Stream::WaitForTask(std::uint32_t id, Nanoseconds deadline) {
  if (skips_sync()) return true;
  // A task's number is the low half of its place in the queue, and it is one of those queued by now.
  const std::uint64_t last = queue_.pushed() - 1;
  const std::uint64_t number = last - static_cast<std::uint32_t>(static_cast<std::uint32_t>(last) - id);
  return WaitUntil(number + 1, deadline);
}

bool Stream::IsIdle() const noexcept {
  return Reached(queue_.pushed());
}

bool Stream::IsStuck() const noexcept {
  const std::uint32_t state = state_.load();
  return state == kBlocked || (state == kReady && (in_inbox[0] || in_inbox[1]));
}

bool Stream::Reached(std::uint64_t target) const noexcept {
  const std::uint64_t done = queue_.done();
  if (done < target) return abort_until_.load() >= target && interrupted_.load();
  return letters_done_.load(std::memory_order_acquire) >= letters_sent_.load(std::memory_order_acquire);
}

bool Stream::WaitUntil(std::uint64_t target, Nanoseconds deadline) {
  if (Reached(target)) return true;
  CheckMayWait();
  bool may_claim = true;
  for (;;) {
    const std::uint64_t done = queue_.done();
    if (may_claim && TryClaim()) may_claim = RunMyself(target, deadline);
    if (Reached(target)) return true;
    if (deadline != kForever && Now() >= deadline) return false;
    if (queue_.done() == done) SleepUntilProgress(target, may_claim, deadline);
    may_claim = may_claim || queue_.done() != done;
    if (Reached(target)) return true;
  }
}

// True if the caller may go on running the stream when it is ready again.
bool Stream::RunMyself(std::uint64_t target, Nanoseconds deadline) {
  Runner runner(deadline == kForever ? Runner::Role::kCaller : Runner::Role::kTimedCaller);
  runner.target = target;
  runner.deadline = deadline;
  Drain(runner);
  // Streams that became ready through this one are run here too, as far as they may be, until it is our turn
  // again.
  while (Stream* next = runner.TakeKept()) {
    if (Reached(target)) {
      next->SubmitReady();
    } else if (next->TryClaim()) {
      Runner other(Runner::Role::kTimedCaller);
      other.deadline = deadline;
      next->Drain(other);
      if (Stream* kept = other.TakeKept()) {
        if (!runner.Keep(*kept)) kept->SubmitReady();
      }
    }
  }
  if (runner.blocked_on != nullptr && runner.blocked_on->thread() == SelfThread()) {
    Fail(kRtParamInvalid,
         "stream {} waits for a callback that this very thread executes: waiting for the stream here would "
         "never end. "
         "Synchronise from another thread, or call aclrtProcessReport first",
         id());
  }
  return !runner.handed_over;
}

void Stream::RunUntilDone(const Completion& completion, Nanoseconds deadline) {
  const std::uint64_t target = queue_.pushed();
  while (!completion.done() && TryClaim()) {
    if (!RunMyself(target, deadline)) return;
  }
}

void Stream::SleepUntilProgress(std::uint64_t target, bool may_claim, Nanoseconds deadline) noexcept {
  const std::uint64_t done = queue_.done();
  if (!TookWakeUp()) {
    for (SpinPlace place; place.Spin();) {
      if (Reached(target) || (may_claim && state_.load(std::memory_order_relaxed) == kReady)) return;
      if (queue_.done() != done) return;
    }
  }
  const std::uint32_t word = progress_.load();
  std::uint64_t nearest = wake_at_.load();
  while (target < nearest && !wake_at_.compare_exchange_weak(nearest, target)) {
  }
  if (!Reached(target)) FutexWait(progress_, word, deadline);
}

void Stream::WakeReached() noexcept {
  if (queue_.done() < wake_at_.load()) return;
  if (letters_done_.load() >= letters_sent_.load()) WakeSleepers();
}

// The cheap look after each task may miss a thread that is just falling asleep; the next task makes up for
// it, unless that one is long.
void Stream::WakeReachedBeforeLongTask() noexcept {
  if (queue_.done() >= wake_at_.fetch_add(0)) WakeReached();
}

void Stream::WakeSleepers() noexcept {
  wake_at_.store(UINT64_MAX);
  progress_.fetch_add(1);
  FutexWakeAll(progress_);
}

void Stream::LetterDone() noexcept {
  letters_done_.fetch_add(1);
  if (wake_at_.load() != UINT64_MAX) WakeReached();
  if (closing_.load()) RecycleIfClosed();
}

void Stream::CheckMayWait() const {
  if (!InsideUserFunctionOf(*this)) return;
  Fail(kRtParamInvalid,
       "this thread is inside a callback or host function of stream {}: waiting for that stream here would "
       "never end",
       id());
}

}  // namespace foothold
