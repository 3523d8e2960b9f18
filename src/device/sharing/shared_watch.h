// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Looks after what streams of this process wait for and another process does: one thread for all, asleep on
// the futexes of what is waited for, so that no worker is held. It also looks, a few times a second, whether
// the other process still lives. Started at the first wait. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace foothold {

// A wait for another process.
class SharedWait {
 public:
  virtual ~SharedWait() = default;
  // A futex that changes whenever it is worth looking.
  virtual std::atomic<std::uint32_t>& changes() const noexcept = 0;
  // True if it is over; then those who wait have been told. Any thread, again and again until it is.
  virtual bool IsOver(bool look_for_death) noexcept = 0;
};

class SharedWatch {
 public:
  static SharedWatch& Get();

  // Throws 207005 if there is no thread to be had.
  void EnsureThread();
  void Add(std::shared_ptr<SharedWait> wait);

  // Its thread looks after one wait, or none.
  bool is_alone() const noexcept { return watched_.load(std::memory_order_relaxed) <= 1; }

  // Forgets all waits and ends the thread; the next one starts it again.
  void Stop();

 private:
  void Run(std::uint64_t generation);
  void Sleep(const std::vector<std::shared_ptr<SharedWait>>& waits, const std::vector<std::uint32_t>& seen,
             std::uint32_t own) noexcept;

  std::mutex mutex_;  // guards the three below
  std::vector<std::shared_ptr<SharedWait>> waits_;
  std::thread thread_;
  std::uint64_t generation_ = 0;  // a thread of an older one ends
  std::atomic<std::size_t> watched_{0};
  std::atomic<std::uint32_t> changed_{0};  // futex: there is more to wait for, or an end
};

}  // namespace foothold
