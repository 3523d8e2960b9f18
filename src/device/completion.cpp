// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/completion.h"

#include <mutex>
#include <utility>

#include "base/futex.h"
#include "device/stream.h"

namespace foothold {

void Completion::Complete(Failure failure, Nanoseconds time) noexcept {
  failure_ = std::move(failure);
  time_ = time;
  std::vector<Stream*> waiters;
  std::uint32_t before;
  {
    // Under the lock, so that a stream that was told "not yet" is in the list by now.
    std::lock_guard<SpinLock> lock(lock_);
    before = word_.fetch_or(kDoneBit, std::memory_order_acq_rel);
    waiters.swap(waiters_);
  }
  if (before & kSleepersBit) FutexWakeAll(word_);
  for (Stream* stream : waiters)
    stream->Wake();
}

bool Completion::AddWaiter(Stream& stream) {
  std::lock_guard<SpinLock> lock(lock_);
  if (done()) return false;
  for (Stream* waiting : waiters_) {
    if (waiting == &stream) return true;
  }
  waiters_.push_back(&stream);
  return true;
}

bool Completion::Wait(Nanoseconds deadline) {
  for (SpinPlace place; place.Spin();) {
    if (done()) return true;
  }
  for (;;) {
    const std::uint32_t word = word_.fetch_or(kSleepersBit, std::memory_order_acq_rel);
    if (word & kDoneBit) return true;
    if (deadline != kForever && Now() >= deadline) return false;
    FutexWait(word_, word | kSleepersBit, deadline);
  }
}

}  // namespace foothold
