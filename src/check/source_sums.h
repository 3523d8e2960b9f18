// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Sums of the sources of queued copies, taken when they are queued and again when they run: what the program
// has changed in between is told (ACL-RACE-004). Rewriting the same bytes is harmless and is not; nor is what
// a task or function that comes before the copy may have written. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/accesses.h"
#include "check/order.h"

namespace foothold::check {

// A number that changes when bytes do: all of them, or one small piece of `every` ones, chosen by `phase`.
using ByteSum = std::uint64_t (*)(const void* bytes, std::size_t count, std::size_t every, std::size_t phase);

// `bytes` is where the bytes of the touch are.
void SourceQueued(const StreamName& stream, std::uint32_t task, const Touch& touch, const void* bytes,
                  ByteSum sum) noexcept;
// The task is about to copy. Only what SourceQueued was told of is looked at.
void SourceRuns(const StreamName& stream, std::uint32_t task) noexcept;
void SourceDropped(const StreamName& stream, std::uint32_t task) noexcept;
// The stream has no more tasks.
void SourcesEnd(const StreamName& stream) noexcept;
// A function of the program begins or ends on behalf of a stream.
void FunctionPasses() noexcept;
// It was told that the program changes these bytes.
void SourceTold(std::uintptr_t begin, std::uintptr_t end) noexcept;

}  // namespace foothold::check
