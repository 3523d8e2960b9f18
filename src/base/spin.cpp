// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/spin.h"

#include "base/environment.h"

namespace foothold {
namespace {

std::atomic<int> spinning{0};

int Places() {
  static const int places = UsableCpus() > 1 ? UsableCpus() : 0;
  return places;
}

// About 40 µs on current x86: longer than a cross-core wake-up, so a wait that spinning could have served
// never costs more than twice what it had to.
constexpr int kRounds = 2000;

}  // namespace

SpinPlace::SpinPlace() noexcept {
  if (spinning.fetch_add(1, std::memory_order_relaxed) < Places()) {
    taken_ = true;
    left_ = kRounds;
  } else {
    spinning.fetch_sub(1, std::memory_order_relaxed);
  }
}

SpinPlace::~SpinPlace() {
  if (taken_) spinning.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace foothold
