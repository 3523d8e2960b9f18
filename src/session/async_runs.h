// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs of one graph, one after the other on a thread of their own, in the order they were accepted. The
// thread is started with the first run.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace foothold {

class AsyncRuns {
 public:
  // Called on the new thread before its first run and after its last.
  AsyncRuns(std::function<void()> begin, std::function<void()> end)
      : begin_(std::move(begin)), end_(std::move(end)) {}
  ~AsyncRuns();  // waits for all runs; not on the thread of the runs

  // `run` does not throw. It may queue further runs.
  void Queue(std::function<void()> run);
  // Until nothing is waiting or running. Returns at once on the thread of the runs itself.
  void WaitUntilIdle();
  bool IsOwnThread() const;

 private:
  void Work();

  std::function<void()> begin_, end_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool running_ = false;
  bool sleeping_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace foothold
