// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/timers.h"

#include <algorithm>
#include <chrono>

#include "device/stream.h"

namespace foothold {

void Timers::Arm(Stream& stream, Nanoseconds time) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto [entry, fresh] = by_stream_.try_emplace(&stream, time);
  if (!fresh) {
    if (entry->second <= time) return;
    times_.erase({entry->second, &stream});
    entry->second = time;
  }
  EnsureThread(time);
  times_.insert({time, &stream});
}

void Timers::CallAt(Nanoseconds time, std::function<void()> function) {
  std::lock_guard<std::mutex> lock(mutex_);
  EnsureThread(time);
  calls_.emplace(time, std::move(function));
}

// Precondition: mutex_ is held, and `time` is not entered yet.
void Timers::EnsureThread(Nanoseconds time) {
  if (!thread_.joinable()) {
    thread_ = std::thread([this, generation = ++generation_] { Run(generation); });
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
    times_.erase(times_.begin());
    by_stream_.erase(stream);
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
    times_.clear();
    by_stream_.clear();
    calls_.clear();
    thread.swap(thread_);
    changed_.notify_all();
  }
  if (thread.joinable()) thread.join();
}

}  // namespace foothold
