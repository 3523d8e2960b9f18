// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A point of a lane at which the run decides how to go on: a fork, a join, a group that may be updated, a
// condition, a jump. It is queued like any task (ControlTask), so it can be captured or stored, and becomes a
// step of its own when the instance is prepared. Outside of an instance it fails.
//
// What a control may do with the lane that has come to it (lane_run.h):
//   Enter   runs a child next, zero or more times: conditions
//   Jump    goes on at another step of the same lane: labels
//   Leave   ends the lane: switches, the end of a hand-built model
// and with the run of its instance (run.h):
//   Start   starts another lane beside this one: forks, aclrtActiveStream
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/task.h"
#include "device/task_form.h"

namespace foothold {

class LaneRun;

class Control {
 public:
  virtual ~Control() = default;

  // The lane has come here, on the thread that runs it. kSuspended: it comes here again once the stream is
  // woken. May throw: that fails like a task, and the lane goes on behind it.
  virtual Outcome Reach(LaneRun& lane, Stream& stream) = 0;
  virtual std::string Describe() const = 0;
  // Lanes of an instance may be run as one, in the order of capture, if all their controls agree.
  virtual bool fits_line() const { return true; }
  // Where it has to be reached.
  virtual Place place() const { return {}; }
  // What programs are told it is.
  virtual TaskKind kind() const { return TaskKind::kOther; }
  // A fork or join: needless where all lanes are run as one.
  virtual bool orders_lanes() const { return false; }
  virtual void ListAccesses(std::vector<Access>&) const {}
};

class ControlTask {
 public:
  static constexpr bool kReplays = true;

  explicit ControlTask(std::shared_ptr<Control> control) : control_(std::move(control)) {}

  // Null for other tasks.
  static Control* Of(const Task& task) noexcept {
    return task.type == &TaskTypeOf<ControlTask>::kType ? task.As<ControlTask>().control_.get() : nullptr;
  }

  [[noreturn]] Outcome Run(Stream& stream);
  std::string Describe() const { return control_->Describe(); }
  void ListAccesses(std::vector<Access>& list) const { control_->ListAccesses(list); }

 private:
  std::shared_ptr<Control> control_;
};

}  // namespace foothold
