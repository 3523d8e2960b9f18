// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Frames that are done, on their way to the callback of the program: calls on the subscribed thread take them
// in order. A frame is gone when its callback has returned. Any thread.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "base/ring_buffer.h"

namespace foothold::video {

template <typename Frame>
class ReportQueue {
 public:
  // Room for so many more, without which Add might fail.
  void Reserve(int frames) {
    std::lock_guard<std::mutex> lock(mutex_);
    done_.Reserve(static_cast<std::size_t>(frames));
  }
  void Add(std::unique_ptr<Frame> frame) noexcept {
    std::lock_guard<std::mutex> lock(mutex_);
    done_.Push(std::move(frame));
  }

  // Calls `report(frame)` for each, on this thread. An exception that leaves it holds up no other frame; the
  // first is thrown at the end. `left()` follows each, also if the function ended the thread.
  template <typename Report, typename Left>
  void Deliver(Report&& report, Left&& left) {
    std::optional<Error> first;
    while (const std::unique_ptr<Frame> frame = Take()) {
      const Leaving<Left> leaving{left};
      CallOne(report, *frame, first);
    }
    if (first) throw *first;
  }

 private:
  template <typename Left>
  struct Leaving {
    Left& left;
    ~Leaving() { left(); }
  };

  template <typename Report>
  static void CallOne(Report& report, Frame& frame, std::optional<Error>& first) {
    try {
      report(frame);
    } catch (...) {
      const Error error = CurrentError();
      Log(LogLevel::kError, "the callback of a video channel threw an exception: {}", error.message());
      if (!first)
        first = Error(kRtAicpuException, "the callback of a video channel threw an exception (" +
                                             error.message() + "); callbacks must not let exceptions out");
    }
  }

  std::unique_ptr<Frame> Take() {
    std::lock_guard<std::mutex> lock(mutex_);
    return done_.empty() ? nullptr : done_.Pop();
  }

  std::mutex mutex_;  // guards done_
  RingBuffer<std::unique_ptr<Frame>> done_;
};

}  // namespace foothold::video
