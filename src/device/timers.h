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
#include <utility>

#include "base/clock.h"

namespace foothold {

class Stream;

class Timers {
 public:
  // A stream's place among the times, made before it is needed: entering a time takes no memory.
  class Entry {
   public:
    void Prepare();  // once; throws when there is no memory

   private:
    friend class Timers;
    bool prepared_ = false;
    std::set<std::pair<Nanoseconds, Stream*>>::node_type node_;  // empty while it is entered
    Nanoseconds time_ = kForever;                                // kForever: not entered
  };

  ~Timers() { Stop(); }

  // One pending time per stream: the earliest. A wake-up that is no longer needed is harmless. False if there
  // is no thread and none can be started: the stream will not be woken. The entry is prepared.
  bool Arm(Stream& stream, Entry& entry, Nanoseconds time) noexcept;

  // `function` is called once, on the thread of the timers, unless they are stopped before. Throws if it
  // cannot be.
  void CallAt(Nanoseconds time, std::function<void()> function);

  // Ends the thread and forgets all times; the next use starts it again.
  void Stop();

 private:
  using Times = std::set<std::pair<Nanoseconds, Stream*>>;

  void EnsureThread(Nanoseconds time);
  void Leave(Times::iterator place);
  void Run(std::uint64_t generation);
  Nanoseconds Nearest() const;
  void Fire(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;  // guards all below
  Times times_;
  std::multimap<Nanoseconds, std::function<void()>> calls_;
  std::uint64_t generation_ = 0;  // a thread of an older one ends
  std::thread thread_;
  std::condition_variable changed_;
};

}  // namespace foothold
