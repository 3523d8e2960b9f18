// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Wakes suspended streams at a given time: one thread, started at the first use, one pending time per stream.
// Any thread.
#pragma once

#include <condition_variable>
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

  // Replaces the stream's earlier time. A wake-up that is no longer needed is harmless.
  void Arm(Stream& stream, Nanoseconds time);

  // Ends the thread and forgets all times; Arm starts it again.
  void Stop();

 private:
  void Run();

  std::mutex mutex_;  // guards all below
  std::set<std::pair<Nanoseconds, Stream*>> times_;
  std::unordered_map<Stream*, Nanoseconds> by_stream_;
  bool stopping_ = false;
  std::thread thread_;
  std::condition_variable changed_;
};

}  // namespace foothold
