// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A bound run and what belongs to it: whose it is, what is told afterwards, where it runs. Made on the
// program's thread; run there, or as a task of a stream on any thread, as often as wanted.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/spin.h"
#include "launch/bound_run.h"

namespace foothold {

class Stream;
struct StreamRef;

class Launch : public PortNames {
 public:
  virtual ~Launch() = default;

  // Its arguments, for messages: "modelId=3".
  virtual std::string Describe() const = 0;
  // Once. Throws what kernels throw, and 507013 where memory was freed since it was bound.
  virtual void Run() {
    run.CheckAlive(*this);
    run.Run(scope);
  }
  // After Run: functions of the program that get results of it.
  virtual bool delivers() const { return false; }
  virtual void Deliver() {}
  // What it touches of the program's memory.
  virtual void ListAccesses(std::vector<Access>& to) const {
    run.ListAccesses(to);
    if (scope.workspace) to.push_back(*scope.workspace);
  }
  // Takes less time than another thread needs to hear of it.
  virtual bool is_short() const { return false; }
  // A function of the program may be called while it runs or ends.
  virtual bool calls_program() const { return delivers() || scope.dumps(); }
  // Run does no more than it does here: a run of the same bytes by other means is as good.
  virtual bool only_runs() const { return false; }
  // The same again, in the same memory.
  virtual std::unique_ptr<Launch> Clone() const = 0;
  // Nobody needs it any more.
  virtual void End() noexcept { delete this; }

  // What its scope takes from the stream it is going to run on, as that is now.
  void RunsOn(const Stream& stream);

  BoundRun run;
  RunScope scope;

 private:
  friend class IdleLaunches;
  Launch* next_idle_ = nullptr;
};

struct EndLaunch {
  void operator()(Launch* launch) const noexcept { launch->End(); }
};
template <typename Kind = Launch>
using LaunchPtr = std::unique_ptr<Kind, EndLaunch>;

// Puts it into the stream. `api` is a literal.
void Queue(LaunchPtr<> launch, const StreamRef& stream, const char* api);

// Launches that are over, for the next ones: what one thread makes and another ends would go through the
// allocator's slowest way. Any thread.
class IdleLaunches {
 public:
  IdleLaunches() = default;
  ~IdleLaunches();
  IdleLaunches(const IdleLaunches&) = delete;
  IdleLaunches& operator=(const IdleLaunches&) = delete;

  // Null if there is none.
  std::unique_ptr<Launch> Take() noexcept;
  // Whoever gives one has let go of all that must not wait here.
  void Give(std::unique_ptr<Launch> launch) noexcept;

 private:
  static constexpr int kMost = 4096;

  SpinLock lock_;  // guards both
  Launch* first_ = nullptr;
  int count_ = 0;
};

}  // namespace foothold
