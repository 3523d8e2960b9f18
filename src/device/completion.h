// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The one-shot end of some queued work: pending, then done for ever, with the failure the work carried, if
// any. Events point at the latest one; waiting streams and host threads share it, so events and streams may
// be destroyed while others still wait. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "base/spin.h"
#include "device/task.h"

namespace foothold {

class Completion {
 public:
  // `source` is the stream that will complete it (streams are never freed); null if none in particular.
  explicit Completion(Stream* source) : source_(source) {}

  void Complete(Failure failure, Nanoseconds time) noexcept;

  bool done() const noexcept { return word_.load(std::memory_order_acquire) & kDoneBit; }
  // After done():
  const Failure& failure() const noexcept { return failure_; }
  Nanoseconds time() const noexcept { return time_; }

  // Wakes `stream` when done; false if it already is.
  bool AddWaiter(Stream& stream);

  // Blocks a host thread; false when the deadline passed first. The caller may drain the source stream
  // meanwhile.
  bool Wait(Nanoseconds deadline);

  Stream* source() const noexcept { return source_; }

 private:
  static constexpr std::uint32_t kDoneBit = 1;
  static constexpr std::uint32_t kSleepersBit = 2;

  Stream* const source_;
  std::atomic<std::uint32_t> word_{0};
  Failure failure_;
  Nanoseconds time_ = 0;
  SpinLock lock_;  // guards waiters_
  std::vector<Stream*> waiters_;
};

}  // namespace foothold
