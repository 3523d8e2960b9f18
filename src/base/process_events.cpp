// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/process_events.h"

#include <pthread.h>

#include <cstdlib>
#include <mutex>

namespace foothold {
namespace {

constinit std::atomic<AtFork*> newest[kForkStages] = {};
constinit std::mutex forking;    // held by the thread that forks, and in the child let go of by it
AtFork* held[kForkStages] = {};  // those whose `before` was called; guarded by it
constinit std::atomic<void (*)()> at_exit[kExitStages] = {};

void CallAtExit(ExitStage stage) {
  if (auto* const function = at_exit[static_cast<int>(stage)].exchange(nullptr)) function();
}

}  // namespace

struct ForkHandlers {
  static void Before() {
    forking.lock();
    for (int stage = kForkStages - 1; stage >= 0; --stage) {
      held[stage] = newest[stage].load(std::memory_order_acquire);
      Call(stage, &AtFork::Does::before);
    }
  }
  static void InParent() { After(&AtFork::Does::in_parent); }
  static void InChild() { After(&AtFork::Does::in_child); }

 private:
  static void After(AtFork::Function AtFork::Does::*does) {
    for (int stage = 0; stage < kForkStages; ++stage)
      Call(stage, does);
    forking.unlock();
  }
  static void Call(int stage, AtFork::Function AtFork::Does::*does) {
    for (const AtFork* one = held[stage]; one != nullptr; one = one->next_)
      if (one->does_.*does != nullptr) (one->does_.*does)();
  }
};

namespace {

[[maybe_unused]] const int registered =
    pthread_atfork(&ForkHandlers::Before, &ForkHandlers::InParent, &ForkHandlers::InChild);

}  // namespace

AtFork::AtFork(ForkStage stage, Does does) noexcept : does_(does) {
  std::atomic<AtFork*>& first = newest[static_cast<int>(stage)];
  next_ = first.load(std::memory_order_relaxed);
  while (!first.compare_exchange_weak(next_, this, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

void AtExit(ExitStage stage, void (*function)()) {
  at_exit[static_cast<int>(stage)].store(function);
  if (stage == ExitStage::kConnections) {
    std::atexit([] { CallAtExit(ExitStage::kConnections); });
    return;
  }
  [[maybe_unused]] static const int asked = std::atexit([] {
    CallAtExit(ExitStage::kTimeline);
    CallAtExit(ExitStage::kFindings);
  });
}

}  // namespace foothold
