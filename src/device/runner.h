// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A thread that drains streams, and how far it may go: workers run everything that is not bound to a
// subscribed thread; a caller that synchronises runs what is no function of the program, and with a time
// limit only what is short; a report thread runs its own callbacks and what is short.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "device/task.h"

namespace foothold {

class Runner {
 public:
  enum class Role { kWorker, kCaller, kTimedCaller, kReporter };

  explicit Runner(Role role, Mailbox* mailbox = nullptr);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // The runner of this thread, or null.
  static Runner* Current() noexcept;

  // While it lives, this thread has no runner: it is inside a function of the program. What the runner kept
  // goes to the workers.
  class Hidden {
   public:
    Hidden() noexcept;
    ~Hidden();
    Hidden(const Hidden&) = delete;
    Hidden& operator=(const Hidden&) = delete;

   private:
    Runner* const runner_;
  };

  bool MayRun(const Place& place) const noexcept;

  // A stream that became ready on this thread: kept to be run here next, so that hand-overs between streams
  // need no other thread. False if there is one already.
  bool Keep(Stream& stream) noexcept;
  Stream* TakeKept() noexcept;
  // Gives the kept stream to the workers, because this thread is about to be busy.
  void Flush() noexcept;

  const Role role;
  Mailbox* const mailbox;
  bool handed_over = false;           // the last drained stream has a task this thread must not run
  std::uint64_t target = UINT64_MAX;  // stop once the drained stream has done this many tasks
  Nanoseconds deadline = kForever;

 private:
  Stream* kept_ = nullptr;
  Runner* const outer_;
};

}  // namespace foothold
