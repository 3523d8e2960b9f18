// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Wakes streams at a given time and calls functions of the library later: one thread, started at the first
// use. Any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>
#include <utility>

#include "base/clock.h"

namespace foothold {

class Stream;

class Timers {
 public:
  ~Timers() { Stop(); }

  // One pending time per stream: the earliest. A wake-up that is no longer needed is harmless.
  void Arm(Stream& stream, Nanoseconds time);

  // `function` is called once, on the thread of the timers, unless they are stopped before.
  void CallAt(Nanoseconds time, std::function<void()> function);

  // Ends the thread and forgets all times; the next use starts it again.
  void Stop();

 private:
  void EnsureThread(Nanoseconds time);
  void Run(std::uint64_t generation);
  Nanoseconds Nearest() const;
  void Fire(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;  // guards all below
  std::set<std::pair<Nanoseconds, Stream*>> times_;
  std::unordered_map<Stream*, Nanoseconds> by_stream_;
  std::multimap<Nanoseconds, std::function<void()>> calls_;
  std::uint64_t generation_ = 0;  // a thread of an older one ends
  std::thread thread_;
  std::condition_variable changed_;
};

}  // namespace foothold
