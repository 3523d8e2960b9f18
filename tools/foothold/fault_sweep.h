// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A program run again and again, one of its allocations failing each time: what does it do then?
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "foothold/checked_run.h"

namespace foothold {

struct FaultSweep {
  std::size_t runs = 0;       // in which an allocation failed
  std::size_t crashes = 0;    // ended by a signal
  std::size_t hangs = 0;      // ended by us, at the time limit
  std::size_t unnoticed = 0;  // status 0 all the same
  CheckedRun all;             // what they reported
};

enum class SweepOver {
  kAllocations,  // each one, until a run has no n-th
  kPlaces,       // the first, the second and the last of each place in the program
};

// `run` runs the program with a plan of faults; `failed` says whether its findings count.
FaultSweep SweepFaults(SweepOver over, const std::function<CheckedRun(const std::string& plan)>& run,
                       const std::function<bool(const CheckedRun&)>& failed);

}  // namespace foothold
