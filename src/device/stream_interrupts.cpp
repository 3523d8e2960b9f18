// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// What ends tasks early: aborts, stops and failures in stop mode.
#include <sched.h>

#include <mutex>

#include "device/stream.h"

namespace foothold {

// The failure that keeps the task at the head from running, or null.
Failure Stream::Interruption() noexcept {
  std::lock_guard<SpinLock> lock(failure_lock_);
  if (stopped_.load()) return stop_failure_;
  if (queue_.done() < abort_until_.load()) return abort_failure_;
  if (queue_.done() == stop_at_.load()) return stop_task_failure_;
  interrupted_.store(false);
  return nullptr;
}

bool Stream::CancelIfInterrupted(Task& task) noexcept {
  if (!interrupted_.load(std::memory_order_acquire)) return false;
  const Failure failure = Interruption();
  if (!failure) return false;
  waits_for_.store(nullptr);
  task.type->cancel(task, failure);
  return true;
}

void Stream::Abort(const Failure& failure) {
  {
    std::lock_guard<SpinLock> push(push_lock_);
    std::lock_guard<SpinLock> lock(failure_lock_);
    const bool idle = queue_.done() == queue_.pushed() && LettersAnswered();
    if (idle || is_stored()) return;
    abort_failure_ = failure;
    abort_until_ = queue_.pushed();
    KeepFirst(failure);
    interrupted_.store(true, std::memory_order_release);
  }
  for (auto kind : {Mailbox::Kind::kReport, Mailbox::Kind::kHostFunction}) {
    if (Mailbox* mailbox = subscription(kind).mailbox) mailbox->DropLetters(*this, nullptr);
  }
  Nudge();
}

void Stream::StopRunningTask(const Failure& failure) {
  {
    std::lock_guard<SpinLock> push(push_lock_);
    std::lock_guard<SpinLock> lock(failure_lock_);
    const std::uint64_t running = queue_.done();
    if (running == queue_.pushed() || is_stored()) return;
    stop_task_failure_ = failure;
    stop_at_.store(running);
    KeepFirst(failure);
    interrupted_.store(true, std::memory_order_release);
  }
  Nudge();
}

void Stream::StopForGood(const Failure& failure) {
  {
    std::lock_guard<SpinLock> push(push_lock_);
    std::lock_guard<SpinLock> lock(failure_lock_);
    if (stopped_.exchange(true)) return;
    stop_failure_ = failure;
    failed_.store(true);
    interrupted_.store(true, std::memory_order_release);
  }
  Nudge();
}

// A blocked or waiting stream looks again at what interrupts it. One that waits for a report thread is taken
// over by the workers.
void Stream::Nudge() noexcept {
  WakeOrSubmit();
  WakeSleepers();
}

// As the one that drains it, not under a lock: memory of a task may go back to an allocator of the program.
void Stream::ClearPersistent(const Failure& failure) {
  if (clearing_.exchange(true)) return;  // another thread does it, or this one, further out
  for (std::uint32_t idle = kIdle; !state_.compare_exchange_strong(idle, kRunning); idle = kIdle)
    sched_yield();  // somebody has just found out that there is nothing to drain
  while (Task* task = queue_.Front()) {
    task->type->cancel(*task, failure);
    queue_.Pop();
  }
  clearing_.store(false);
  GoIdle();
}

}  // namespace foothold
