// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where a thread is in a lane: at a step, and inside what the lane has entered, e.g. a child. It goes as far
// as it may and can be taken up again by another thread. One thread at a time: the one that drains the
// stream.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "capture/steps.h"
#include "device/task.h"

namespace foothold {

class Instance;
class Run;

class LaneRun {
 public:
  LaneRun() = default;
  ~LaneRun() { DropScratch(); }
  LaneRun(const LaneRun&) = delete;
  LaneRun& operator=(const LaneRun&) = delete;

  // From the first step, as part of `run`: the lane it begins and ends with, or one that was started. `steps`
  // exist as long as the run.
  enum class Part { kFirst, kStarted };
  void Begin(Run& run, const LaneSteps& steps, Part part);
  // Nothing more is run. What was entered is left.
  void Drop() noexcept;

  // kDone: past the last step, and so are the lanes that were started, if this is the one its run began with.
  // kSuspended: as a task that answers so. Throws nothing but the end of the thread, and what there is no
  // memory for.
  Outcome Go(Stream& stream);
  // Of what comes next.
  Place place() const;

  // For controls, inside Reach, before they answer kDone.
  Run& run() const { return *frames_.back().run; }
  // Runs all of `child` next. `again`: then comes to this control once more.
  void Enter(std::shared_ptr<Instance> child, bool again);
  // Runs these steps next. `owner` keeps them.
  void Enter(std::shared_ptr<const void> owner, const LaneSteps& steps);
  // Goes on at this step of the lane, which may be this one or one before.
  void Jump(std::size_t step);
  // The index of a control in the lane this one is part of.
  std::size_t Find(const Control& control) const { return frames_.back().steps->Find(control); }
  // Ends the lane; inside a child, the child's lane.
  void Leave();

 private:
  struct Frame {
    Run* run;
    const LaneSteps* steps;
    std::size_t at;                     // the step
    Task* task;                         // of a tight step: the next one
    bool ends_run;                      // not left before the lanes that were started
    bool begun;                         // false: a child that has not got its turn yet
    std::shared_ptr<Instance> child;    // whose run it is, if it was entered
    std::shared_ptr<const void> owner;  // of the steps, if they were entered
  };
  // The copy of a task that suspends, while it runs: the original stays as it was captured.
  struct Scratch {
    Task task;
    bool live = false;
  };

  void GoTo(Frame& frame, std::size_t step) noexcept;
  bool LeaveFrame(Stream& stream);
  bool RunStep(const LaneStep& step, Stream& stream);
  bool RunTight(const LaneStep& step, Stream& stream);
  bool RunWatched(const LaneStep& step, Stream& stream);
  bool TellBegins(const Task& task, Stream& stream);
  bool RunJoined(const LaneStep& step, Stream& stream);
  bool RunAlone(const LaneStep& step, Stream& stream);
  bool ReachControl(const LaneStep& step, Stream& stream);
  bool MayRun(const Place& place, Stream& stream) const noexcept;
  bool IsInterrupted(Stream& stream) noexcept;
  Task& TaskToRun(Task& task);
  void DropScratch() noexcept;
  void FailInner(const Task& task, const Error& error, Stream& stream);

  std::vector<Frame> frames_;
  Scratch scratch_;
};

}  // namespace foothold
