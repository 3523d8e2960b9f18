// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/async_runs.h"

#include <utility>

namespace foothold {

AsyncRuns::~AsyncRuns() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    called_.store(true, std::memory_order_relaxed);
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void AsyncRuns::Queue(std::unique_ptr<Run> run) {
  bool wake = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!thread_.joinable()) thread_ = std::thread([this] { Work(); });
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

void AsyncRuns::Work() {
  begin_();
  for (Batch batch; Take(batch); batch.clear()) {
    for (auto& run : batch) {
      run->Execute();
      run.reset();  // what it holds is the program's, too: no lock
    }
  }
  end_();
}

// All that waits, at once: the lock is not asked for again while they run. False when it is time to end.
bool AsyncRuns::Take(Batch& batch) {
  std::unique_lock<std::mutex> lock(mutex_);
  running_ = false;
  if (waiting_.empty()) changed_.notify_all();  // for those who wait until it is idle
  while (waiting_.empty()) {
    if (stopping_) return false;
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
