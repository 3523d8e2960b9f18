// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs of one graph, one after the other on a thread of their own, in the order they were accepted. The
// thread is started with the first run.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "device/wake_cost.h"

namespace foothold {

class AsyncRuns {
 public:
  class Run {
   public:
    virtual ~Run() = default;
    // May queue further runs. Throws nothing, but a function of the program may end the thread: then another
    // one goes on with the next run.
    virtual void Execute() = 0;
    // False after an Execute that was cut short in that way before all was said: it is called again.
    virtual bool IsOver() const = 0;
    // After an Execute that is over: lets go of what is the program's. True if the object may be used again.
    virtual bool Rest() noexcept { return false; }
  };

  // Called on the new thread before its first run and after its last.
  AsyncRuns(std::function<void()> begin, std::function<void()> end)
      : begin_(std::move(begin)), end_(std::move(end)) {}
  ~AsyncRuns();  // waits for all runs; not on the thread of the runs

  // Throws if there is no thread or memory for it: then it is not kept and never executed.
  void Queue(std::unique_ptr<Run> run);
  // One that rests, to be used again, or null. There are some as long as the thread has not slept.
  std::unique_ptr<Run> TakeSpare() noexcept;
  // Throws if the thread of the runs has ended inside one of them and there is none to go on with the others.
  void CheckGoesOn();
  // Until nothing is waiting or running. Returns at once on the thread of the runs itself. Throws as above.
  void WaitUntilIdle();
  bool IsOwnThread() const;

 private:
  using Batch = std::vector<std::unique_ptr<Run>>;
  static constexpr std::size_t kMostSpare = 256;

  bool nothing_waits() const { return waiting_.empty() && resumed_.empty(); }
  void StartThread();
  void GoOn();
  void Work();
  void Execute(Batch& batch);
  void GoOnElsewhere(Batch& batch, bool begun) noexcept;
  bool Take(Batch& batch);
  void KeepSpare() noexcept;
  void WaitForRuns(std::unique_lock<std::mutex>& lock);
  bool IsCalledSoon() const noexcept;

  std::function<void()> begin_, end_;
  Vigil vigil_;   // the thread's only, and so are
  Batch rested_;  // those that will be spare
  // Runs wait, or the thread is to end: what it looks at without the lock, in a cache line of its own.
  alignas(64) std::atomic<bool> called_{false};
  alignas(64) mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  Batch spare_;
  Batch resumed_;  // before those that wait: left by a thread that was ended
  Batch waiting_;
  bool begins_ = true;    // false after begin_ ended the thread it was called on
  bool running_ = false;  // some, taken and not yet over
  bool sleeping_ = false;
  bool stopping_ = false;
  bool working_ = false;  // there is a thread, and it has not said that it ends
  std::thread thread_;
};

}  // namespace foothold
