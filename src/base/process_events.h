// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a fork and the end of the process make the library do, in the one order stated here: nothing else of
// it calls pthread_atfork or atexit. docs/architecture.md says what stands where. Any thread, also while the
// library is loaded.
#pragma once

#include <atomic>
#include <cstdint>

namespace foothold {

// From the inside to the outside. Locks are taken from the last stage to the first before a fork: who holds
// one may wait for those of earlier stages, never for those of later ones. Afterwards, in parent and child,
// the first stage comes first.
enum class ForkStage : std::uint8_t {
  kProcess,         // which process this is
  kLog,             // what everybody may write to, its lock held
  kErrors,          // texts of failures, their locks held
  kWatching,        // what is watched, its locks held; a child writes no timeline
  kThreads,         // what threads have left that a child does not have
  kObjects,         // objects of the process: a child makes its own and leaves those of the parent alone
  kTables,          // what a child goes on using, whole since its locks are held
  kInitialization,  // whether the library is in use, its lock held
  kConnections,     // sockets of the parent, closed in a child
};
inline constexpr int kForkStages = 9;

// Has static storage, or is never freed; counts from the next fork on.
class AtFork {
 public:
  using Function = void (*)();
  struct Does {
    Function before = nullptr;
    Function in_parent = nullptr;
    Function in_child = nullptr;
  };

  AtFork(ForkStage stage, Does does) noexcept;
  AtFork(const AtFork&) = delete;
  AtFork& operator=(const AtFork&) = delete;

 private:
  friend struct ForkHandlers;
  const Does does_;
  AtFork* next_ = nullptr;  // of the stage, registered before
};

// In this order; one function each. Connections end when the process begins to end, since what they stand on
// ends soon. The others come behind the destructors of the program, if they are asked for while the library
// is loaded.
enum class ExitStage : std::uint8_t { kConnections, kTimeline, kFindings };
inline constexpr int kExitStages = 3;

void AtExit(ExitStage stage, void (*function)());

}  // namespace foothold
