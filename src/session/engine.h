// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What GEInitialize switches on and GEFinalize off: without it sessions do nothing. Never destroyed; any
// thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/per_process.h"
#include "options/options.h"

namespace foothold {

class Session;

class Engine {
 public:
  // A forked child has another one, which is off.
  static Engine& Get() { return PerProcess<Engine>::Get(); }

  // False if it was on already: the options are not looked at then. Throws E10001 for options that cannot be.
  bool Initialize(const OptionMap& options);
  // Waits for all asynchronous runs of all sessions. False if it was not on.
  bool Finalize();
  bool is_initialized() const { return initialized_.load(std::memory_order_acquire); }
  Options options() const;

  void Add(const std::shared_ptr<Session>& session);
  // Calls `end` on a thread of its own: for what waits for runs, where the calling thread is inside one.
  // Finalize waits for that, unless it is called inside a callback, which might be what is waited for. If no
  // thread can be started, `end` is never called; false then.
  bool EndLater(std::function<void()> end);
  // A session of the parent process, in a child: its threads do not exist and its locks may be held for ever.
  void LeaveAlone(Session* session);

 private:
  friend class PerProcess<Engine>;
  Engine() = default;
  ~Engine() = default;
  void WaitForEnding();

  std::atomic<bool> initialized_{false};
  mutable std::mutex mutex_;  // guards all below
  Options options_;
  std::vector<std::weak_ptr<Session>> sessions_;
  std::vector<std::thread> ending_;
  std::vector<Session*> left_alone_;
};

}  // namespace foothold
