// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/async_runs.h"

#include <cxxabi.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "base/log.h"

namespace foothold {

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
  bool wake = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!working_) StartThread();
    waiting_.push_back(std::move(run));
    called_.store(true, std::memory_order_relaxed);
    wake = sleeping_;
  }
  if (wake) changed_.notify_all();
}

void AsyncRuns::WaitUntilIdle() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (thread_.get_id() == std::this_thread::get_id()) return;
  changed_.wait(lock, [&] { return waiting_.empty() && !running_; });
}

bool AsyncRuns::IsOwnThread() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return thread_.get_id() == std::this_thread::get_id();
}

// Precondition: the lock.
void AsyncRuns::StartThread() {
  thread_ = std::thread([this] { Work(); });
  working_ = true;
}

void AsyncRuns::Work() {
  Batch batch;
  try {
    begin_();
    for (; Take(batch); batch.clear()) {
      for (auto& run : batch) {
        run->Execute();
        run.reset();  // what it holds is the program's, too: no lock
      }
    }
    end_();
  } catch (const abi::__forced_unwind&) {
    end_();
    GoOnElsewhere(batch);
    throw;
  }
}

// This thread ends inside a run, the first that is left. Those behind it are the next thread's.
void AsyncRuns::GoOnElsewhere(Batch& batch) noexcept {
  std::erase(batch, nullptr);
  if (!batch.empty() && batch.front()->IsOver()) batch.front().reset();
  std::lock_guard<std::mutex> lock(mutex_);
  std::move(waiting_.begin(), waiting_.end(), std::back_inserter(batch));
  std::erase(batch, nullptr);
  waiting_ = std::move(batch);
  running_ = sleeping_ = working_ = false;
  thread_.detach();
  try {
    if (!waiting_.empty()) StartThread();
  } catch (...) {
    Log(LogLevel::kError, "no thread for {} runs of a graph: {}; the next RunGraphAsync tries again",
        waiting_.size(), CurrentError().message());
  }
  changed_.notify_all();
}

// All that waits, at once: the lock is not asked for again while they run. False when it is time to end.
bool AsyncRuns::Take(Batch& batch) {
  std::unique_lock<std::mutex> lock(mutex_);
  running_ = false;
  if (waiting_.empty()) changed_.notify_all();  // for those who wait until it is idle
  while (waiting_.empty()) {
    if (stopping_) {
      working_ = false;
      changed_.notify_all();
      return false;
    }
    WaitForRuns(lock);
  }
  std::swap(batch, waiting_);
  called_.store(stopping_, std::memory_order_relaxed);
  running_ = true;
  return true;
}

void AsyncRuns::WaitForRuns(std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  const bool found = vigil_.Keep([this] { return called_.load(std::memory_order_relaxed); });
  lock.lock();
  if (found) return;
  sleeping_ = true;
  changed_.wait(lock, [&] { return !waiting_.empty() || stopping_; });
  sleeping_ = false;
  vigil_.WakeUp();
}

}  // namespace foothold
