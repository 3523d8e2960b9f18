// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/timers.h"

#include <chrono>
#include <vector>

#include "device/stream.h"

namespace foothold {

void Timers::Arm(Stream& stream, Nanoseconds time) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto [entry, fresh] = by_stream_.try_emplace(&stream, time);
  if (!fresh) {
    times_.erase({entry->second, &stream});
    entry->second = time;
  }
  const bool nearest = times_.empty() || time < times_.begin()->first;
  times_.insert({time, &stream});
  if (!thread_.joinable()) {
    stopping_ = false;
    thread_ = std::thread([this] { Run(); });
  } else if (nearest) {
    changed_.notify_one();
  }
}

void Timers::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stopping_) {
    if (times_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const auto [time, stream] = *times_.begin();
    const Nanoseconds left = time - Now();
    if (left > 0) {
      changed_.wait_for(lock, std::chrono::nanoseconds(left));
      continue;
    }
    times_.erase(times_.begin());
    by_stream_.erase(stream);
    lock.unlock();
    stream->Wake();
    lock.lock();
  }
}

void Timers::Stop() {
  std::thread thread;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    times_.clear();
    by_stream_.clear();
    thread.swap(thread_);
    changed_.notify_one();
  }
  if (thread.joinable()) thread.join();
}

}  // namespace foothold
