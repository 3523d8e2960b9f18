// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What GEInitialize switches on and GEFinalize off: without it sessions do nothing. Never destroyed; any
// thread.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "session/options.h"

namespace foothold {

class Session;

class Engine {
 public:
  static Engine& Get();

  // False if it was on already: the options are not looked at then. Throws E10001 for options that cannot be.
  bool Initialize(const OptionMap& options);
  // Waits for all asynchronous runs of all sessions. False if it was not on.
  bool Finalize();
  bool is_initialized() const { return initialized_.load(std::memory_order_acquire); }
  Options options() const;

  void Add(const std::shared_ptr<Session>& session);
  // Ends it on a thread of its own. Finalize waits for that, unless it is called inside a callback, which
  // might be what the session waits for.
  void EndLater(std::unique_ptr<Session> session);

 private:
  void WaitForEnding();

  std::atomic<bool> initialized_{false};
  mutable std::mutex mutex_;  // guards all below
  Options options_;
  std::vector<std::weak_ptr<Session>> sessions_;
  std::vector<std::thread> ending_;
};

}  // namespace foothold
