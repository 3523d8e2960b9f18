// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How host threads wait for a stream: they run what they may themselves, spin a little, then sleep. A part of
// Stream. Whoever brings the stream on looks here afterwards, and whoever falls asleep says so before its
// last look: one of the two sees the other. Any thread, unless a comment says otherwise.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"
#include "device/wake_cost.h"

namespace foothold {

class Completion;
class Stream;

class StreamWaiting {
 public:
  enum class Result { kDone, kTimedOut, kDropped };

  explicit StreamWaiting(Stream& stream) : stream_(stream) {}

  // Until so many of the tasks ever queued are done, and the callbacks that had left by then. Throws if that
  // could never be, e.g. from inside a task of this stream.
  Result Until(std::uint64_t tasks, Nanoseconds deadline);
  // Until nothing that was queued so far runs any more, dropped or not, functions of the program excepted.
  // False when the deadline passed first.
  bool UntilQuiet(Nanoseconds deadline);
  // Runs the stream on this thread, as far as it may, until `completion` is done or there is nothing it may
  // run.
  void RunUntilDone(const Completion& completion, Nanoseconds deadline);

  // The task being run waits for this stream, or null: for recognising threads that would wait for
  // themselves.
  void set_source(Stream* stream) noexcept { source_.store(stream); }
  // Throws if the stream waits for another stream that needs this thread, or that waits for the function this
  // thread is in.
  void CheckChainForThisThread() const;
  [[noreturn]] void FailNeedsThisThread() const;

  // By the thread that drains the stream, with the number of done tasks.
  // The cheap look after each task may miss a thread that is just falling asleep; the next task makes up for
  // it, unless that one is long.
  void LookAfterTask(std::uint64_t done) noexcept {
    if (done >= wake_at_.load(std::memory_order_relaxed)) WakeReached(done);
  }
  void LookBeforeLongTask(std::uint64_t done) noexcept {
    if (done >= wake_at_.fetch_add(0)) WakeReached(done);
  }
  // Wakes the threads the stream has come far enough for.
  void WakeReached(std::uint64_t done) noexcept;

  // By whoever answers a callback.
  void LookAfterLetter(std::uint64_t answered) noexcept {
    if (answered >= wake_letters_.load()) WakeAll();
  }
  void WakeAll() noexcept;

 private:
  struct Target {
    std::uint64_t tasks;                 // so many done
    std::uint64_t letters = UINT64_MAX;  // then so many callbacks; known once the tasks are done
  };

  Result Look(Target& target) const noexcept;
  bool RunMyself(std::uint64_t tasks, Nanoseconds deadline);
  // True if it slept for a while and nothing has happened.
  bool SleepUntilProgress(Target& target, bool may_claim, Nanoseconds deadline);
  void CheckMayWait() const;
  void CheckNotWaitingForThisThread(std::uint64_t tasks) const;

  // The nearest number of done tasks a sleeping thread waits for.
  alignas(64) std::atomic<std::uint64_t> wake_at_{UINT64_MAX};
  std::atomic<std::uint64_t> wake_letters_{UINT64_MAX};  // the same for answered callbacks
  std::atomic<Stream*> source_{nullptr};
  std::atomic<std::uint32_t> progress_{0};  // futex
  Bed bed_;                                 // of the last one to fall asleep
  Stream& stream_;
};

}  // namespace foothold
