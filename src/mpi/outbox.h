// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a channel has done and the program has not yet asked for, in order, with a file descriptor that can be
// read while there is something. Putting something in does not fail. Any thread.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "base/ring_buffer.h"
#include "mpi/mpi_error.h"
#include "mpi/time_limit.h"

namespace foothold::mpi {

template <typename Result>
class Outbox {
 public:
  // For at most so many at a time.
  Outbox(Module module, std::size_t most) {
    results_.Reserve(most);
    event_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
    if (event_ < 0) Fail(module, Reason::kNoBuffer, "no file descriptor can be had to tell of results");
  }
  ~Outbox() { close(event_); }
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  void Put(Result result) noexcept {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      results_.Push(std::move(result));
      const std::uint64_t one = 1;
      (void)!write(event_, &one, sizeof one);
    }
    changed_.notify_all();
  }

  // Nothing if none came in time, or the channel has ended.
  std::optional<Result> Take(int milliseconds) {
    std::unique_lock<std::mutex> lock(mutex_);
    WaitFor(changed_, lock, milliseconds, [this] { return closed_ || !results_.empty(); });
    if (results_.empty()) return std::nullopt;
    std::optional<Result> result(results_.Pop());
    Read();
    return result;
  }

  // Wakes all that wait, for good.
  void Close() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }

  std::size_t size() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return results_.size();
  }
  template <typename Count>
  std::size_t Sum(Count&& count) const {
    std::lock_guard<std::mutex> lock(mutex_);
    std::size_t sum = 0;
    results_.AnyOf([&](const Result& result) {
      sum += count(result);
      return false;
    });
    return sum;
  }
  int event() const { return event_; }

 private:
  void Read() {
    std::uint64_t one = 0;
    (void)!read(event_, &one, sizeof one);
  }

  mutable std::mutex mutex_;  // guards results_ and closed_
  std::condition_variable changed_;
  RingBuffer<Result> results_;
  bool closed_ = false;
  int event_ = -1;
};

}  // namespace foothold::mpi
