// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a run goes through: the tasks of a lane, in order, gathered into steps so that what can be run without
// a look at anything is run in one loop. Made once, when an instance is prepared or a group updated.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "capture/control.h"
#include "device/joined_tasks.h"
#include "device/task.h"

namespace foothold {

struct LaneStep {
  enum class Kind : unsigned char {
    kTight,    // neighbours that any thread runs to their end
    kAlone,    // one task that may suspend, or that a certain thread has to run
    kControl,  // one control
  };
  Kind kind;
  bool is_long = false;  // kTight: only where a task of Place::kUnhurried may run
  Task* first;
  Task* last;                     // behind the last
  JoinedTasks* joined = nullptr;  // kTight: a better way to run all of them, or null

  Control& control() const { return *ControlTask::Of(*first); }
};

class LaneSteps {
 public:
  // In the order they are to run. The tasks stay where they are, and exist longer than this.
  void Append(Task& task);
  // When all are there: tight steps are divided where neighbours can be run as one. Does nothing if there is
  // no memory for that, or the program does not want it (FOOTHOLD_CAPTURE_JOINS).
  void Join() noexcept;

  std::size_t size() const noexcept { return steps_.size(); }
  const LaneStep& operator[](std::size_t index) const { return steps_[index]; }
  // The index of a control, for jumps; size() if it is none of these.
  std::size_t Find(const Control& control) const noexcept;
  // About how long the tasks take.
  double nanoseconds() const noexcept { return nanoseconds_; }
  // Tight steps that take less time than to tell another thread.
  bool is_short() const noexcept { return is_short_; }
  // No task waits for anything or calls a function of the program: lanes may be run one after the other.
  bool only_tight() const noexcept { return only_tight_; }

 private:
  void Divide(const LaneStep& step, std::vector<LaneStep>& into);

  std::vector<LaneStep> steps_;
  std::vector<std::unique_ptr<JoinedTasks>> joined_;
  std::vector<Access> accesses_;  // room for asking tasks
  double nanoseconds_ = 0;
  bool only_tight_ = true;
  bool is_short_ = false;
};

}  // namespace foothold
