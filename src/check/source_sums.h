// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Sums of the sources of queued copies, taken when they are queued and again when they run: what the program
// has changed in between is told (ACL-RACE-004). Rewriting the same bytes is harmless and is not; nor is what
// a task or function that comes before the copy may have written. They travel with the task (task_log.h). Any
// thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "check/touches.h"

namespace foothold::check {

struct StreamName;

// A number for each `piece` bytes that changes when they do: of all of them, or of one small strip of `every`
// ones, chosen by `phase`.
using ByteSums = void (*)(const void* bytes, std::size_t count, std::size_t piece, std::size_t every,
                          std::size_t phase, std::uint32_t* sums);

// Of one source. A plain value.
struct SourceSums {
  static constexpr std::size_t kPieces = 16;

  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  std::uint64_t serial = 0;
  const void* kernel = nullptr;  // where the bytes are
  ByteSums sums_of = nullptr;
  std::uint64_t functions = 0;  // that had passed by then
  std::array<std::uint32_t, kPieces> sums;
};

// A copy is about to be queued. Adds nothing if the source is not to be looked at. `kernel` is where the
// bytes of the touch are.
void SumSource(std::uint32_t task, const Touch& touch, const void* kernel, ByteSums sums_of,
               std::vector<SourceSums>& sources) noexcept;
// The task is about to copy.
void SourcesRun(const StreamName& stream, std::uint32_t task, std::span<const SourceSums> sources) noexcept;
// A function of the program begins or ends on behalf of a stream.
void FunctionPasses() noexcept;
// It was told that the program changes these bytes, before the copy: it is not looked at any more.
void ForgetSources(std::span<SourceSums> sources, std::uintptr_t begin, std::uintptr_t end) noexcept;

}  // namespace foothold::check
