// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Events and notifies used against their rules (ACL-SYNC-001 to 006): what the library tells of them, and the
// reports. Precondition of all: check::On(). Any thread; outside of all locks.
#pragma once

#include <cstdint>

#include "base/sync_use.h"
#include "check/accesses.h"
#include "check/order.h"

namespace foothold::check {

// Seen when a task begins (order_state.h).
struct SyncFault {
  enum class Kind { kResetUnderWait, kRecordUnderWait, kRecordTwice };
  Kind kind;
  SyncUse use;
  DeedPtr now, before;
};
// True if the finding is to fail the task.
bool ReportSync(const SyncFault& fault);

// Inside the call that makes a stream wait for an event without a record. `extended`: it counts as complete
// by contract.
void WaitsForNoRecord(const StreamName& stream, std::uint32_t event, bool extended);
// The call asks for the time between records of two streams.
void TimesTwoStreams(std::uint32_t start, std::uint32_t end);

// `event` and `notify` are the addresses of what handles stand for. Waits of streams are told as tasks.
void EventLookedAt(const void* event) noexcept;    // queried, synchronised, timed
void EventWaitsKnown(const void* event) noexcept;  // the host has learned that all waits are over
void EventDestroyed(const void* event, std::uint32_t id, bool for_times) noexcept;  // by its handle
void NotifyDestroyed(const void* notify) noexcept;                                  // by its handle
void NotifyCleared(const void* notify) noexcept;
// The address means nothing any more.
void EventGone(const void* event) noexcept;
void NotifyGone(const void* notify) noexcept;

}  // namespace foothold::check
