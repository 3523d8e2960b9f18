// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The threads that run streams: as many as the process has cores (FOOTHOLD_THREADS overrides), the first
// started with the first stream, so that no task is accepted that nobody could run, the others when needed. A
// stream with something to do is handed in once; a worker drains it and looks for the next. Functions of the
// program may block for long, so while one runs its worker does not count: another thread takes its place if
// streams are left waiting. Any thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/spin.h"
#include "device/wake_cost.h"

namespace foothold {

class Stream;

class Executor {
 public:
  explicit Executor(int threads);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // `stream` is ready: some worker will drain it. Keeps no second entry for a stream already handed in.
  void Submit(Stream& stream) noexcept;

  // At least one worker exists from now on, until Stop. Throws if there is no memory or thread for it.
  void EnsureWorker();
  // By threads that wait for streams: if there was no thread for a worker before, there may be now.
  void TryAgain() noexcept {
    if (lacks_thread_.load(std::memory_order_relaxed)) WakeOrStartAgain();
  }

  // Whether streams are ready and nobody has taken them: any, of at least this urgency, or more urgent ones.
  // Priorities are 0 to 7, 0 is the most urgent.
  bool OthersWait() const noexcept { return waiting_.load(std::memory_order_relaxed) > 0; }
  bool AsUrgentWait(std::uint32_t priority) const noexcept {
    return ready_mask_.load(std::memory_order_relaxed) & ((2u << priority) - 1);
  }
  bool MoreUrgentWait(std::uint32_t priority) const noexcept {
    return ready_mask_.load(std::memory_order_relaxed) & ((1u << priority) - 1);
  }

  // A ready stream for a thread that would otherwise wait, or null.
  Stream* TryTake() noexcept;

  // Around a function of the program, on a worker.
  class UserCode {
   public:
    UserCode() noexcept;
    ~UserCode();
    UserCode(const UserCode&) = delete;
    UserCode& operator=(const UserCode&) = delete;
  };

  // Ends and joins all workers; streams handed in after that wait until Allow.
  void Stop();
  void Allow() { stopping_.store(false); }

  int threads() const { return threads_; }

 private:
  static constexpr int kPriorities = 8;

  struct Worker {
    explicit Worker(Executor& executor) : executor(executor) {}

    Executor& executor;
    std::atomic<std::uint32_t> parked{0};
    Bed bed;
    Vigil vigil;  // its thread only
    // Counts beginnings and ends of functions of the program: odd while inside one.
    std::atomic<std::uint64_t> user_steps{0};
    std::thread thread;
  };

  static thread_local Worker* current_;

  void Work(Worker& self);
  void RunStreams(Worker& self);
  void Leave(Worker& self) noexcept;
  void Search(Worker& self);
  void Park(Worker& self);
  void LeaveParked(Worker& self);
  void WakeOrStart() noexcept;
  void WakeOrStartAgain() noexcept;
  void StartWorker();
  void TryStartWorker() noexcept;
  bool AllInUserCode(std::uint64_t* steps) const noexcept;
  void WatchForBlockedWorkers() noexcept;
  void Watch();

  const int threads_;
  std::atomic<bool> stopping_{false};
  std::atomic<int> searching_{0};  // workers looking for a stream without sleeping
  std::atomic<int> waiting_{0};    // ready streams in the list
  std::atomic<bool> lacks_thread_{false};

  struct List {
    Stream* first = nullptr;
    Stream* last = nullptr;
  };
  int NextList() noexcept;

  SpinLock ready_lock_;                       // guards the lists and Stream::next_ready
  List ready_[kPriorities];                   // by priority
  unsigned taken_ = 0;                        // streams so far; guarded by ready_lock_
  std::atomic<std::uint32_t> ready_mask_{0};  // which lists hold something; written with ready_lock_

  std::mutex workers_mutex_;  // guards all below
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Worker*> parked_;
  bool watch_ = false;  // somebody waits while all workers are inside functions of the program
  std::thread watcher_;
  std::condition_variable watcher_wake_;
};

}  // namespace foothold
