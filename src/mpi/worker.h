// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Does what a channel was given, one thing after the other, on threads of the runtime, and knows how much is
// left. Any thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "device/current.h"
#include "mpi/mpi_error.h"

namespace foothold::mpi {

// Room for what a channel has been given and not yet been asked for. Tasks keep it: one that is dropped
// undone may be the last to know of its channel.
class Places {
 public:
  enum class Answer { kIn, kFull, kClosed };

  explicit Places(int most) : most_(most) {}
  Answer Enter(int milliseconds);
  void Leave();
  // Nobody enters any more; who waits to is told.
  void Close();

 private:
  const int most_;
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  int entered_ = 0;
  bool closed_ = false;
};

// One of them, which is free again unless its work was begun: that leaves it by itself, in time.
class TakenPlace {
 public:
  explicit TakenPlace(std::shared_ptr<Places> places) : places_(std::move(places)) {}
  TakenPlace(TakenPlace&&) noexcept = default;
  ~TakenPlace() {
    if (places_ != nullptr) places_->Leave();
  }
  void Begin() { places_ = nullptr; }

 private:
  std::shared_ptr<Places> places_;
};

class Worker {
 public:
  // What is given and neither done nor taken is at most this many.
  static constexpr int kMost = 64;

  // Of the current context; throws without one. `what` waits in this channel, for messages.
  Worker(Module module, const char* what);
  // Drops what is left and waits for what runs.
  ~Worker() { Close(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // A place for something to do. Throws "full" if none became free in time, "missing" if the channel ends.
  TakenPlace Enter(int milliseconds);
  // Of work that was begun.
  void Leave() { places_->Leave(); }
  // `work` must not throw.
  void Do(const char* api, TakenPlace place, std::function<void()> work);
  // For what needs no place.
  void DoAlso(const char* api, std::function<void()> work);
  void Close() noexcept;

 private:
  const Module module_;
  const char* const what_;
  const std::shared_ptr<Places> places_ = std::make_shared<Places>(kMost);
  const StreamRef stream_;
  std::once_flag closed_;
};

}  // namespace foothold::mpi
