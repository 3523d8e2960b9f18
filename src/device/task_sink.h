// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where the tasks of a stream go in place of its queue while it has one: into a capture, or into the update
// of a group of captured tasks. They are kept there and not run. A stream knows no more of captures than
// this.
#pragma once

#include <cstdint>
#include <memory>

#include "device/task.h"

namespace foothold {

struct StreamRef;

// A recorded event inside a capture: what an event points at in place of a completion. Any thread.
class CapturePoint {
 public:
  virtual ~CapturePoint() = default;
  // Its capture goes on. Afterwards the event counts as never recorded.
  virtual bool is_live() const noexcept = 0;
  // From now on `stream` belongs to the capture, if it did not, and its next task comes after this point.
  // Throws 107031 for a default stream and 107032 for one of another capture.
  virtual void Precede(const StreamRef& stream, const char* api) = 0;
};

// The first four are called under the lock of the stream's queue: one at a time, and they call no function of
// the program and no stream.
class TaskSink {
 public:
  virtual ~TaskSink() = default;

  // The place for the next task. What it throws the call that queues the task returns.
  virtual Task& Reserve(const TaskType& type) = 0;
  // The task is there; its number.
  virtual std::uint32_t Commit(Task& task) noexcept = 0;
  // The event with this number is recorded behind the last task.
  virtual std::shared_ptr<CapturePoint> Record(std::uint32_t event) = 0;
  // A wait for what goes on outside was asked for: throws.
  [[noreturn]] virtual void RefuseOutside(std::uint32_t event) = 0;

  // Tasks kept here come to nothing, e.g. because their stream was destroyed. Any thread, no lock held.
  virtual void Break(const char* why) noexcept = 0;
  // For those who may only look: throws 107027.
  [[noreturn]] virtual void RefuseToWait(std::int32_t stream) const = 0;
};

}  // namespace foothold
