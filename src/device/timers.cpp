// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/timers.h"

#include <algorithm>
#include <chrono>

#include "base/library_threads.h"
#include "device/stream.h"

namespace foothold {

void Timers::Entry::Prepare() {
  if (prepared_) return;
  Times made;
  made.emplace();
  node_ = made.extract(made.begin());
  prepared_ = true;
}

bool Timers::Arm(Stream& stream, Entry& entry, Nanoseconds time) noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  if (entry.time_ <= time) return true;
  try {
    EnsureThread(time);
  } catch (...) {
    return false;
  }
  if (entry.time_ != kForever) Leave(times_.find({entry.time_, &stream}));
  entry.node_.value() = {time, &stream};
  entry.time_ = time;
  times_.insert(std::move(entry.node_));
  return true;
}

// Precondition: mutex_ is held.
void Timers::Leave(Times::iterator place) {
  Entry& entry = place->second->timer;
  entry.node_ = times_.extract(place);
  entry.time_ = kForever;
}

void Timers::CallAt(Nanoseconds time, std::function<void()> function) {
  std::lock_guard<std::mutex> lock(mutex_);
  EnsureThread(time);
  calls_.emplace(time, std::move(function));
}

// Precondition: mutex_ is held, and `time` is not entered yet.
void Timers::EnsureThread(Nanoseconds time) {
  if (!thread_.joinable()) {
    thread_ = std::thread([this, generation = ++generation_] {
      const LibraryThread counted;
      Run(generation);
    });
  } else if (time < Nearest()) {
    changed_.notify_one();
  }
}

Nanoseconds Timers::Nearest() const {
  Nanoseconds nearest = times_.empty() ? kForever : times_.begin()->first;
  return calls_.empty() ? nearest : std::min(nearest, calls_.begin()->first);
}

void Timers::Run(std::uint64_t generation) {
  std::unique_lock<std::mutex> lock(mutex_);
  while (generation_ == generation) {
    const Nanoseconds nearest = Nearest();
    const Nanoseconds left = nearest == kForever ? kForever : nearest - Now();
    if (left == kForever) {
      changed_.wait(lock);
    } else if (left > 0) {
      changed_.wait_for(lock, std::chrono::nanoseconds(left));
    } else {
      Fire(lock);
    }
  }
}

// Precondition: something is due. No lock is held during the calls.
void Timers::Fire(std::unique_lock<std::mutex>& lock) {
  const bool is_call = !calls_.empty() && (times_.empty() || calls_.begin()->first < times_.begin()->first);
  if (is_call) {
    auto call = calls_.extract(calls_.begin());
    lock.unlock();
    call.mapped()();
  } else {
    Stream* stream = times_.begin()->second;
    Leave(times_.begin());
    lock.unlock();
    stream->OnTimer();
  }
  lock.lock();
}

void Timers::Stop() {
  std::thread thread;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ++generation_;
    while (!times_.empty())
      Leave(times_.begin());
    calls_.clear();
    thread.swap(thread_);
    changed_.notify_all();
  }
  if (thread.joinable()) thread.join();
}

}  // namespace foothold
