// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/async_runs.h"

namespace foothold {

AsyncRuns::~AsyncRuns() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void AsyncRuns::Queue(std::function<void()> run) {
  bool wake = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    waiting_.push_back(std::move(run));
    if (!thread_.joinable()) thread_ = std::thread([this] { Work(); });
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
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    if (waiting_.empty()) {
      changed_.notify_all();  // for those who wait until it is idle
      if (stopping_) break;
      sleeping_ = true;
      changed_.wait(lock, [&] { return !waiting_.empty() || stopping_; });
      sleeping_ = false;
      continue;
    }
    auto run = std::move(waiting_.front());
    waiting_.pop_front();
    running_ = true;
    lock.unlock();
    run();
    run = nullptr;  // what it holds is the program's, too: no lock
    lock.lock();
    running_ = false;
  }
  lock.unlock();
  end_();
}

}  // namespace foothold
