// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/sharing/remote_record.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/futex.h"
#include "device/sharing/share_codes.h"

namespace foothold {
namespace {

constexpr Nanoseconds kNap = 100 * kMillisecond;

}  // namespace

Failure RemoteRecord::FailureOf(SharedEvent::State state, int code) const noexcept {
  try {
    if (state == SharedEvent::State::kLost) {
      Fail(kRtIpcError, "the process that recorded event {} ended before the record was reached", event_);
    }
    if (code != 0) {
      Fail(static_cast<Code>(code), "event {} was recorded by another process in a stream that failed there",
           event_);
    }
  } catch (...) {
    return Share(CurrentError());
  }
  return nullptr;
}

bool RemoteRecord::IsOver(bool look_for_death) noexcept {
  int code = 0;
  const SharedEvent::State state = shared_->Look(number_, code, look_for_death);
  if (state == SharedEvent::State::kPending) return completion_->done();
  if (!over_.exchange(true)) completion_->Complete(FailureOf(state, code), Now());
  return true;
}

void RemoteRecord::Watch() {
  if (completion_->done() || watched_.exchange(true)) return;
  try {
    SharedWatch::Get().Add(shared_from_this());
  } catch (...) {
    watched_.store(false);
    throw;
  }
}

bool RemoteRecord::Wait(Nanoseconds deadline) {
  for (bool look_for_death = false;; look_for_death = true) {
    const std::uint32_t seen = changes().load();
    if (IsOver(look_for_death) || completion_->done()) return completion_->Wait(kForever);
    if (deadline != kForever && Now() >= deadline) return false;
    FutexWaitShared(changes(), seen, std::min(deadline, Now() + kNap));
  }
}

}  // namespace foothold
