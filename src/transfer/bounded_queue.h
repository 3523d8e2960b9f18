// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A first-in first-out queue with so many places and no more, whose two ends wait for each other. Any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/ring_buffer.h"

namespace foothold {

enum class QueueOutcome {
  kDone,
  kTimedOut,  // full or empty until the deadline
  kClosed,    // nothing goes in any more; what is inside can still be taken
  kUnfit,     // the caller of Pop does not want what comes next: it stays where it is
};

template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) { waiting_.Reserve(capacity); }

  std::size_t capacity() const { return capacity_; }
  std::size_t size() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return waiting_.size();
  }
  bool full() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return NoPlace();
  }
  bool closed() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return closed_;
  }

  // Takes the value only if it goes in.
  QueueOutcome Push(T& value, Nanoseconds deadline) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!closed_ && NoPlace()) {
      if (!Wait(place_, lock, deadline)) return QueueOutcome::kTimedOut;
    }
    if (closed_) return QueueOutcome::kClosed;
    Insert(std::move(value));
    return QueueOutcome::kDone;
  }

  // `fits` looks at what comes next, under the lock: it calls nothing that waits. What it throws goes to the
  // caller, and nothing was taken.
  template <typename Fits>
  QueueOutcome Pop(T& value, Nanoseconds deadline, Fits&& fits) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (waiting_.empty()) {
      if (closed_) return QueueOutcome::kClosed;
      if (!Wait(content_, lock, deadline)) return QueueOutcome::kTimedOut;
    }
    const Offer offer{content_};
    if (!fits(std::as_const(waiting_).front())) return QueueOutcome::kUnfit;
    value = waiting_.Pop();
    place_.notify_one();
    return QueueOutcome::kDone;
  }
  QueueOutcome Pop(T& value, Nanoseconds deadline) {
    return Pop(value, deadline, [](const T&) { return true; });
  }

  // A place kept for a value that is not there yet; false if there is none. One of the other two follows.
  bool ReservePlace() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (closed_ || NoPlace()) return false;
    ++reserved_;
    return true;
  }
  void GiveBackPlace() {
    std::lock_guard<std::mutex> lock(mutex_);
    --reserved_;
    place_.notify_one();
  }
  // False if the queue was closed meanwhile.
  bool PushReserved(const T& value) {
    std::lock_guard<std::mutex> lock(mutex_);
    --reserved_;
    if (!closed_) Insert(value);
    return !closed_;
  }

  // Wakes all who wait.
  void Close() {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    place_.notify_all();
    content_.notify_all();
  }

  // All that is inside: it is the caller's to end.
  std::vector<T> TakeAll() {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<T> all;
    all.reserve(waiting_.size());
    while (!waiting_.empty())
      all.push_back(waiting_.Pop());
    place_.notify_all();
    return all;
  }

 private:
  // Whoever was woken and leaves something behind, wakes the next.
  struct Offer {
    std::condition_variable& content;
    ~Offer() { content.notify_one(); }
  };

  bool NoPlace() const { return waiting_.size() + reserved_ >= capacity_; }

  void Insert(T value) {
    waiting_.Push(std::move(value));
    content_.notify_one();
  }

  // False once the deadline has passed.
  static bool Wait(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
                   Nanoseconds deadline) {
    if (deadline == kForever) {
      changed.wait(lock);
      return true;
    }
    const Nanoseconds left = deadline - Now();
    if (left <= 0) return false;
    changed.wait_for(lock, std::chrono::nanoseconds(left));
    return true;
  }

  const std::size_t capacity_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable place_, content_;
  RingBuffer<T> waiting_;
  std::size_t reserved_ = 0;
  bool closed_ = false;
};

}  // namespace foothold
