// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which bytes of the program's device memory somebody has written (group init: ACL-MEM-008, ACL-MEM-009).
// Copies carry it along, so only a use is told: an operator that reads all of its input, a copy to the host.
// Memory that others may write unseen (managed, mapped, shared) counts as written. Any thread; a lock of its
// own for a moment.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "check/accesses.h"
#include "check/finding.h"
#include "check/history.h"
#include "check/order.h"

namespace foothold::check {

// Whether there is anything to look at.
bool WatchesBytes() noexcept;
void BytesMade(const BlockRecord& block) noexcept;
void BytesGone(std::uint64_t serial) noexcept;
void MarkWritten(std::uintptr_t address, std::size_t bytes) noexcept;
// Somebody has run of whom nobody knows what it touches.
void MarkAllWritten() noexcept;

// A task on its stream is about to touch memory, or the call of this thread, in the order of the list.
// `quiet`: what it reads is nobody's concern.
struct Toucher {
  const char* call;
  std::optional<StreamName> stream = std::nullopt;
  std::uint32_t task = 0;
  bool quiet = false;
  CallSort sort = SortOf(call);
};
void LookAtBytes(const Toucher& toucher, std::span<const Touch> touches) noexcept;

}  // namespace foothold::check
