// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The time limit of a wait inside a stream. It starts when the wait reaches the head of its stream, and fits
// the little room of a task: wrapping milliseconds, good for 24 days.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "device/stream.h"

namespace foothold {

class WaitDeadline {
 public:
  // 0 is no limit, and so is what exceeds the range.
  explicit WaitDeadline(std::uint32_t seconds) : seconds_(seconds > kLongest ? 0 : seconds) {}
  // A wait of its own: its time has not started.
  WaitDeadline(const WaitDeadline& other) noexcept : seconds_(other.seconds_) {}

  std::uint32_t seconds() const { return seconds_; }

  // Starts the clock at the first call; true once the limit has passed.
  bool Expired() {
    if (seconds_ == 0) return false;
    if (end_ms_ == 0) end_ms_ = NowMs() + seconds_ * 1000 + 1;
    return LeftMs() <= 0;
  }
  // The suspended task is run again at the limit.
  void Arm(Stream& stream) const {
    if (seconds_ != 0) stream.WakeAt(Now() + LeftMs() * kMillisecond);
  }

 private:
  static constexpr std::uint32_t kLongest = 2'000'000;

  static std::uint32_t NowMs() { return static_cast<std::uint32_t>(Now() / kMillisecond); }
  std::int32_t LeftMs() const { return static_cast<std::int32_t>(end_ms_ - NowMs()); }

  std::uint32_t seconds_;
  std::uint32_t end_ms_ = 0;
};

}  // namespace foothold
