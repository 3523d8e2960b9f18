// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tells what was made in this process from what a forked child has of its parent, whose threads may hold its
// locks for ever. Changes with every fork on the way to this process. Any thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/process_events.h"

namespace foothold {

class ProcessNumber {
 public:
  static std::uint64_t Now() noexcept { return now_.load(std::memory_order_relaxed); }

 private:
  static void CountFork() { now_.fetch_add(1, std::memory_order_relaxed); }

  static inline std::atomic<std::uint64_t> now_{0};
  static inline const AtFork at_fork_{ForkStage::kProcess, {.in_child = CountFork}};
};

}  // namespace foothold
