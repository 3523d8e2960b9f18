// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/async_runs.h"

#include <sched.h>

#include <chrono>
#include <utility>

#include "base/accept_faults.h"
#include "base/error.h"
#include "base/log.h"
#include "base/thread_end.h"
#include "session/memory_pool.h"

namespace foothold {
namespace {

// A thread that waits until it is idle looks this often whether there is a thread again that was lacking.
constexpr std::chrono::milliseconds kNap(100);
// Costs the thread some microseconds where nobody else wants its core.
constexpr int kYields = 8;

}  // namespace

AsyncRuns::~AsyncRuns() {
  {
    std::unique_lock<std::mutex> lock(mutex_);
    stopping_ = true;
    called_.store(true, std::memory_order_relaxed);
    changed_.notify_all();
    changed_.wait(lock, [this] { return !working_; });
  }
  if (thread_.joinable()) thread_.join();
}

void AsyncRuns::Queue(std::unique_ptr<Run> run) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!working_) StartThread();
  waiting_.push_back(std::move(run));
  if (!called_.load(std::memory_order_relaxed)) called_.store(true, std::memory_order_relaxed);
  // With the lock: once the run is over, all this may be gone.
  if (sleeping_) changed_.notify_all();
}

std::unique_ptr<AsyncRuns::Run> AsyncRuns::TakeSpare() noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  if (spare_.empty()) return nullptr;
  std::unique_ptr<Run> run = std::move(spare_.back());
  spare_.pop_back();
  return run;
}

void AsyncRuns::WaitUntilIdle() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (thread_.get_id() == std::this_thread::get_id()) return;
  do {
    GoOn();
  } while (!changed_.wait_for(lock, kNap, [&] { return nothing_waits() && !running_; }));
}

void AsyncRuns::CheckGoesOn() {
  std::lock_guard<std::mutex> lock(mutex_);
  GoOn();
}

// Precondition: the lock.
void AsyncRuns::GoOn() {
  if (!working_ && !nothing_waits()) StartThread();
}

bool AsyncRuns::IsOwnThread() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return thread_.get_id() == std::this_thread::get_id();
}

// Precondition: the lock.
void AsyncRuns::StartThread() {
  spare_.reserve(kMostSpare);
  rested_.reserve(kMostSpare);  // the last thread is gone, or about to be
  thread_ = std::thread([this] {
    AcceptFaults();
    Work();
  });
  working_ = true;
}

FOOTHOLD_HANDLES_END_OF_THREAD void AsyncRuns::Work() {
  const MemoryPool::Later not_here;
  Batch batch;
  bool begun = false;
  try {
    if (begins_) begin_();
    begun = true;
    for (; Take(batch); batch.clear())
      Execute(batch);
    end_();
  } catch (const EndOfThread&) {
    if (begun) end_();
    GoOnElsewhere(batch, begun);
    throw;
  }
}

void AsyncRuns::Execute(Batch& batch) {
  for (auto& run : batch) {
    run->Execute();
    // What it holds is the program's, too: no lock.
    if (run->Rest() && rested_.size() < kMostSpare) {
      rested_.push_back(std::move(run));
    } else {
      run.reset();
    }
  }
}

// This thread ends inside a run, the first that is left. Those behind it are the next thread's.
void AsyncRuns::GoOnElsewhere(Batch& batch, bool begun) noexcept {
  std::erase(batch, nullptr);
  if (!batch.empty() && batch.front()->IsOver()) batch.erase(batch.begin());
  std::lock_guard<std::mutex> lock(mutex_);
  resumed_ = std::move(batch);
  begins_ = begun;
  running_ = sleeping_ = working_ = false;
  thread_.detach();
  try {
    GoOn();
  } catch (...) {
    Log(LogLevel::kError, "no thread for the queued runs of a graph: {}; the next call tries again",
        CurrentError().message());
  }
  changed_.notify_all();
}

// All that waits, at once: the lock is not asked for again while they run. False when it is time to end.
bool AsyncRuns::Take(Batch& batch) {
  std::unique_lock<std::mutex> lock(mutex_);
  running_ = false;
  KeepSpare();
  if (nothing_waits()) changed_.notify_all();  // for those who wait until it is idle
  while (nothing_waits()) {
    if (stopping_) {
      working_ = false;
      changed_.notify_all();
      return false;
    }
    WaitForRuns(lock);
  }
  std::swap(batch, resumed_.empty() ? waiting_ : resumed_);
  called_.store(stopping_ || !waiting_.empty(), std::memory_order_relaxed);
  running_ = true;
  return true;
}

// Precondition: the lock. There is room for all.
void AsyncRuns::KeepSpare() noexcept {
  if (spare_.empty()) return spare_.swap(rested_);
  for (; !rested_.empty() && spare_.size() < kMostSpare; rested_.pop_back())
    spare_.push_back(std::move(rested_.back()));
}

// The thread that queues runs may be on this core, where it queues none while this one looks for them.
bool AsyncRuns::IsCalledSoon() const noexcept {
  for (int i = 0; i < kYields; ++i) {
    if (called_.load(std::memory_order_relaxed)) return true;
    sched_yield();
  }
  return false;
}

void AsyncRuns::WaitForRuns(std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  const bool found =
      IsCalledSoon() || vigil_.Keep([this] { return called_.load(std::memory_order_relaxed); });
  lock.lock();
  if (found) return;
  Batch unused;
  unused.swap(spare_);
  lock.unlock();
  unused.clear();  // they keep programs
  rested_.clear();
  lock.lock();
  spare_.swap(unused);
  sleeping_ = true;
  changed_.wait(lock, [&] { return !nothing_waits() || stopping_; });
  sleeping_ = false;
  vigil_.WakeUp();
}

}  // namespace foothold
