// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How many frames of a channel are on their way, and who waits until there are fewer. Any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace foothold::video {

class InFlight {
 public:
  // As many as programs may send without one coming back.
  static constexpr int kMost = 64;

  // Waits for room as long as `worth_it()`, asked now and then; false if it is not.
  template <typename WorthIt>
  bool Enter(WorthIt&& worth_it) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (count_ >= kMost) {
      lock.unlock();
      if (!worth_it()) return false;
      lock.lock();
      if (count_ >= kMost) room_.wait_for(lock, std::chrono::milliseconds(100));
    }
    ++count_;
    return true;
  }
  // By those that must not wait.
  void EnterAnyway() {
    std::lock_guard<std::mutex> lock(mutex_);
    ++count_;
  }
  int count() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return count_;
  }
  void Leave() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      --count_;
    }
    room_.notify_one();
  }

 private:
  mutable std::mutex mutex_;  // guards count_
  std::condition_variable room_;
  int count_ = 0;
};

}  // namespace foothold::video
