// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A record of a shared event that another process has queued: completes a completion of this process when it
// was reached there, or when that process is gone. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "device/completion.h"
#include "device/sharing/shared_sync.h"
#include "device/sharing/shared_watch.h"

namespace foothold {

class RemoteRecord : public SharedWait, public std::enable_shared_from_this<RemoteRecord> {
 public:
  RemoteRecord(std::shared_ptr<SharedEvent> shared, std::uint64_t number,
               std::shared_ptr<Completion> completion, std::uint32_t event)
      : shared_(std::move(shared)), number_(number), completion_(std::move(completion)), event_(event) {}

  std::atomic<std::uint32_t>& changes() const noexcept override { return shared_->changes(); }
  bool IsOver(bool look_for_death) noexcept override;

  // From now on the completion completes by itself. Throws 207005 without a thread for that.
  void Watch();
  // Blocks a host thread; false when the deadline passed first.
  bool Wait(Nanoseconds deadline);

 private:
  Failure FailureOf(SharedEvent::State state, int code) const noexcept;

  const std::shared_ptr<SharedEvent> shared_;
  const std::uint64_t number_;
  const std::shared_ptr<Completion> completion_;
  const std::uint32_t event_;
  std::atomic<bool> watched_{false};
  std::atomic<bool> over_{false};
};

}  // namespace foothold
