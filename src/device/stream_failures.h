// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What went wrong in a stream, and what keeps its tasks from running: a part of Stream that knows nothing of
// it. Tasks are named by their number in the queue. Marks and the reasons they lead to change together, and
// reasons stay until the stream is opened anew. Any thread, unless a comment says otherwise.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/spin.h"
#include "device/task.h"

namespace foothold {

class StreamFailures {
 public:
  enum class Mode : std::uint64_t { kContinue = 0, kStop = 1 };

  // Forgets all but how far tasks were dropped, for numbers go on. Before the stream is published. Throws,
  // with nothing forgotten, if there is no memory for what must not fail later.
  void Open();

  // The first failure since the last call of this function, or null; a stream that was stopped for good stays
  // failed.
  Failure Take() noexcept;
  Failure Peek() const noexcept { return Read(first_); }
  void Keep(const Failure& failure) noexcept;
  // A failure there is no memory to describe, in the words of its cause.
  Failure Undescribed(const Error& cause) noexcept;

  // Under the lock of the queue, so that nobody pushes meanwhile. Keeping tasks from running does not wake
  // anybody.
  // Drops the tasks before this one.
  void Drop(std::uint64_t until, const Failure& failure) noexcept;
  // Ends this one early.
  void StopTask(std::uint64_t number, const Failure& failure) noexcept;
  // Nothing is run or taken any more. False if that is so already.
  bool StopForGood(const Failure& failure) noexcept;

  bool IsDropped(std::uint64_t number) const noexcept { return number < drop_until_.load(); }
  bool IsAllDropped(std::uint64_t until) const noexcept { return until <= drop_until_.load(); }
  Failure dropped_for() const noexcept { return Read(drop_failure_); }
  // Whether tasks are refused, and what for.
  bool stopped() const noexcept { return gate_.load(std::memory_order_relaxed) & kStopped; }
  Failure stopped_for() const noexcept { return Read(stop_failure_); }

  // One look for all that keeps a task from the queue: they are refused, or go elsewhere (task_sink.h).
  bool queues_tasks() const noexcept { return gate_.load(std::memory_order_relaxed) == 0; }
  bool diverted() const noexcept { return gate_.load(std::memory_order_relaxed) & kDiverted; }
  // Under the lock of the queue.
  void set_diverted(bool diverted) noexcept {
    diverted ? gate_.fetch_or(kDiverted) : gate_.fetch_and(static_cast<std::uint8_t>(~kDiverted));
  }

  // By the thread that drains the stream.
  // What keeps the task at the head from running, or null.
  Failure Interruption(std::uint64_t head) noexcept {
    return interrupted_.load(std::memory_order_acquire) ? LookForInterruption(head) : nullptr;
  }
  // Whether a task that takes long had better ask that.
  bool MayBeInterrupted() const noexcept { return interrupted_.load(std::memory_order_relaxed); }
  // Throws if the task that has just run was to end early.
  void CheckNotStopped(std::uint64_t head) const {
    if (stop_at_.load(std::memory_order_relaxed) == head) ThrowStopped();
  }

  Mode mode() const noexcept { return mode_.load(); }
  // Once. False if there was a choice already.
  bool ChooseMode(Mode mode) noexcept;

 private:
  static constexpr std::uint8_t kStopped = 1;   // nothing is run or taken any more
  static constexpr std::uint8_t kDiverted = 2;  // tasks go elsewhere

  Failure Read(const Failure& failure) const noexcept;
  Failure LookForInterruption(std::uint64_t head) noexcept;
  [[noreturn]] void ThrowStopped() const;
  void KeepFirst(const Failure& failure) noexcept;

  // Seldom written, and read for every task by those who push and drain. They come first, and are half a
  // cache line: in a Stream they complete the line of its state.
  std::atomic<std::uint64_t> stop_at_{UINT64_MAX};  // this task ends early
  std::atomic<std::uint64_t> drop_until_{0};        // tasks before this one are dropped
  std::atomic<Mode> mode_{Mode::kContinue};
  std::atomic<bool> mode_chosen_{false};
  std::atomic<bool> interrupted_{false};  // look at the rest before running a task
  std::atomic<std::uint8_t> gate_{0};     // of the bits below
  std::atomic<bool> failed_{false};       // Take has something to take; written under lock_

  Failure first_;
  Failure drop_failure_;
  Failure stop_failure_;
  Failure stop_task_failure_;
  std::shared_ptr<Error> spare_;  // for a failure there is no memory for
  mutable SpinLock lock_;         // guards the five above; not on the line of the marks
};

}  // namespace foothold
