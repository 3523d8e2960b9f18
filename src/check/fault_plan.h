// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The language of FOOTHOLD_FAULTS: items separated by semicolons,
//
//   WHERE [#n | %p | every n] [@stream=k | @device=k | @thread=main] [after=t] = WHAT
//
// WHERE is a call of the API ("aclrtMalloc*" for all that begin so), a sort of task (copy, op, model, graph),
// "allocation" for all calls that allocate memory, "device k", "allocator" or "dump". "seed=n" is for %.
// Values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace foothold::check {

struct FaultItem {
  enum class At : std::uint8_t { kCall, kTask, kDevice, kAllocator, kDump };
  At site = At::kCall;
  std::string where;    // "aclrtMalloc", "copy"
  bool prefix = false;  // all calls that begin so
  int device_hit = -1;  // of "device k"
  // Which of them: the n-th, each n-th, or by chance.
  std::uint64_t nth = 0, every = 0;
  std::optional<double> percent;
  std::optional<int> stream, device;
  bool main_thread = false;
  Nanoseconds after = 0;
  std::string what;          // "oom", "delay", ...
  std::uint64_t number = 0;  // of flip and code
  Nanoseconds time = 0;      // of delay
  std::string text;          // as it was written
};

struct FaultPlan {
  std::uint64_t seed = 0;
  bool sweep = false;
  std::vector<FaultItem> items;
};

// Throws Error with what is wrong, and the word that was perhaps meant.
FaultPlan ReadFaultPlan(std::string_view text);

// Whether a call allocates memory of the library.
bool IsAllocation(std::string_view call);

}  // namespace foothold::check
