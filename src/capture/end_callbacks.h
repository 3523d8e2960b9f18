// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of the program that are told once an instance is over: destroyed, and no run of it goes on or
// waits. Any thread.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "device/mailbox.h"

namespace foothold {

class EndCallbacks {
 public:
  EndCallbacks() = default;
  // Those that were not told are told on a thread of their own.
  ~EndCallbacks();
  EndCallbacks(const EndCallbacks&) = delete;
  EndCallbacks& operator=(const EndCallbacks&) = delete;

  // The same function with the same argument is told once.
  void Add(UserFunction function, void* argument);
  // With whatever argument. Harmless for one that is not there.
  void Remove(UserFunction function);
  // Tells them all on this thread, once.
  void Call();

 private:
  using Callback = std::pair<UserFunction, void*>;

  std::mutex mutex_;  // guards callbacks_
  std::vector<Callback> callbacks_;
};

}  // namespace foothold
