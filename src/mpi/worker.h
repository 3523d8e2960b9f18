// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Does what a channel was given, one thing after the other, on threads of the runtime, and knows how much is
// left. Any thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>

#include "device/current.h"

namespace foothold::mpi {

class Worker {
 public:
  // What is given and neither done nor taken is at most this many.
  static constexpr int kMost = 64;

  // Of the current context; throws without one.
  Worker();
  // Drops what is left and waits for what runs.
  ~Worker() { Close(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // A place for something to do. False if none became free in time.
  bool Enter(int milliseconds);
  void Leave();
  // For what has entered: what cannot be queued leaves again. `work` must not throw.
  void Do(const char* api, std::function<void()> work);
  // For what needs no place.
  void DoAlso(const char* api, std::function<void()> work);
  void Close() noexcept;
  int entered() const;

 private:
  const StreamRef stream_;
  mutable std::mutex mutex_;  // guards entered_
  std::condition_variable changed_;
  int entered_ = 0;
  bool closed_ = false;
};

}  // namespace foothold::mpi
