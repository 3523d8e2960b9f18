// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Events in stored streams. What such a stream keeps is run again and again, so these tasks record, await and
// reset the event as it is when they are reached. An event that a model records itself is awaited until that
// has happened in the same run; any other is awaited as it was recorded last.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/completion.h"
#include "device/event.h"
#include "device/task.h"
#include "device/task_form.h"
#include "device/wait_deadline.h"

namespace foothold {

class StoredEventRecord {
 public:
  static constexpr bool kReplays = true;
  static const TaskForm kForm;

  // `pending` is what the event points at until the first run.
  StoredEventRecord(std::shared_ptr<EventState> state, std::shared_ptr<Completion> pending)
      : state_(std::move(state)), pending_(std::move(pending)) {}

  Outcome Run(Stream& stream);
  void Cancel(const Failure& failure) noexcept;
  std::string Describe() const;
  void ListAccesses(std::vector<Access>&) const {}
  const std::shared_ptr<EventState>& state() const { return state_; }
  void Read(TaskParams& params) const { params.event = state_; }

 private:
  std::shared_ptr<EventState> state_;
  std::shared_ptr<Completion> pending_;
};

class StoredEventWait {
 public:
  static constexpr bool kReplays = true;
  static const TaskForm kForm;
  static constexpr bool kSuspends = true;

  StoredEventWait(std::shared_ptr<EventState> state, std::uint32_t timeout)
      : state_(std::move(state)), deadline_(timeout) {}

  Outcome Run(Stream& stream);
  std::string Describe() const;
  void ListAccesses(std::vector<Access>&) const {}
  const std::shared_ptr<EventState>& state() const { return state_; }
  void Read(TaskParams& params) const { params.event = state_; }
  // The model records it itself.
  void AwaitMark() { awaits_mark_ = true; }

 private:
  bool IsReached(Stream& stream);

  std::shared_ptr<EventState> state_;
  WaitDeadline deadline_;
  bool awaits_mark_ = false;
};

class StoredEventReset {
 public:
  static constexpr bool kReplays = true;
  static const TaskForm kForm;

  explicit StoredEventReset(std::shared_ptr<EventState> state) : state_(std::move(state)) {}

  Outcome Run(Stream& stream);
  std::string Describe() const;
  void ListAccesses(std::vector<Access>&) const {}
  const std::shared_ptr<EventState>& state() const { return state_; }
  void Read(TaskParams& params) const { params.event = state_; }

 private:
  std::shared_ptr<EventState> state_;
};

}  // namespace foothold
