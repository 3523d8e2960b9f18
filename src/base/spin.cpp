// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/spin.h"

#include "base/crowd.h"
#include "base/environment.h"
#include "base/process_events.h"

namespace foothold {
namespace {

// Written at every wait: what others only read must not share its cache line.
struct alignas(64) Count {
  std::atomic<int> threads{0};
};
constinit Count spinning;

std::atomic<int> places{-1};  // not known yet
std::atomic<int> crowds{0};

// No local static: a fork in the middle of its first use would leave it locked in the child for ever.
int Places() noexcept try {
  int known = places.load(std::memory_order_relaxed);
  if (known < 0) {
    known = UsableCpus() > 1 ? UsableCpus() : 0;
    places.store(known, std::memory_order_relaxed);
  }
  return known;
} catch (...) {  // no memory to find out: the next one will
  return 0;
}

// The threads that were spinning do not exist in a forked child.
const AtFork at_fork(ForkStage::kThreads, {.in_child = [] {
                       spinning.threads.store(0);
                       crowds.store(0);
                     }});

// About 40 µs on current x86: longer than a cross-core wake-up, so a wait that spinning could have served
// never costs more than twice what it had to.
constexpr int kRounds = 2000;

}  // namespace

SpinPlace::SpinPlace(int leave_free) noexcept {
  const int most = crowds.load(std::memory_order_relaxed) > 0 ? 0 : Places();
  if (spinning.threads.fetch_add(1, std::memory_order_relaxed) < most - leave_free) {
    taken_ = true;
    left_ = kRounds;
  } else {
    spinning.threads.fetch_sub(1, std::memory_order_relaxed);
  }
}

Crowd::Crowd() noexcept {
  crowds.fetch_add(1);
}

Crowd::~Crowd() {
  crowds.fetch_sub(1);
}

SpinPlace::~SpinPlace() {
  if (taken_) spinning.threads.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace foothold
