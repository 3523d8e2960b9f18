// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Fair turns for candidates that are measured by turns in one process.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

#include "report.h"

namespace bench {

// The peer's threads go on spinning for some 50 ms after a run and take a core from whatever runs next. To be
// called between different candidates: each gets all cores to itself.
inline void LetThreadsSleep() {
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

// Seconds of the fastest of some runs in a row: the first ones find cold caches and sleeping threads.
template <typename Run>
double BestInARow(const Run& run) {
  constexpr int kRuns = 3;
  constexpr double kAtLeast = 0.02;
  double best = 1e9, end = Seconds();
  const double first = end;
  for (int i = 0; i < kRuns || end < first + kAtLeast; ++i) {
    const double start = end;
    run();
    end = Seconds();
    best = std::min(best, end - start);
  }
  return best;
}

}  // namespace bench
