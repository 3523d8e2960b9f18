// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the program has begun with one call and has to end with another, and that has no handle: models,
// subscriptions, ranges, dumps, sessions. What is left when the program ends is reported, if the library was
// finalised before (ACL-LEAK-003, 004, ACL-USE-002, ACL-DUMP-004, GE-LEAK-001). Inside the two calls; any
// thread. Nothing happens unless the program is being checked.
#pragma once

#include <cstdint>

#include "base/watch.h"

namespace foothold::check {

enum class Thing : std::uint8_t {
  kModel,
  kBundle,
  kSubscription,  // of a thread to a stream
  kProfile,
  kRange,
  kModelSubscription,
  kCoresOfThread,
  kDump,
  kDumpCallback,
  kArgumentDump,
  kSession,
  kGraph,           // of a session
  kOutput,          // of a run on a stream, in memory of the library
  kAllocatorBlock,  // of the program's allocator
};

void NoteOpened(Thing thing, std::uint64_t id) noexcept;
void NoteClosed(Thing thing, std::uint64_t id) noexcept;

// `id` tells those of one kind apart; one that is open already counts once.
inline void Opened(Thing thing, std::uint64_t id) noexcept {
  if (watch::Is(watch::kCheck)) NoteOpened(thing, id);
}
inline void Closed(Thing thing, std::uint64_t id) noexcept {
  if (watch::Is(watch::kCheck)) NoteClosed(thing, id);
}
// How many are open now.
std::uint64_t CountOpen(Thing thing) noexcept;

// The Graph Engine was finalised: what is left of its things when the program ends is a leak.
void EngineFinalized() noexcept;
void ReportOpenThings() noexcept;

}  // namespace foothold::check
