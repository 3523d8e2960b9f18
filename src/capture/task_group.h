// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Captured tasks whose arguments can be changed later (aclmdlRICaptureTaskGrpBegin and
// aclmdlRICaptureTaskUpdateBegin): one step of its lane, which runs the version of the tasks that is there
// when the lane comes to it. So an update and a run need not wait for each other. Any thread.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/handled_state.h"
#include "base/spin.h"
#include "capture/control.h"
#include "capture/steps.h"
#include "capture/task_list.h"
#include "device/stream.h"
#include "device/task_sink.h"

namespace foothold {

class TaskGroup final : public Control {
 public:
  struct Version {
    TaskList tasks;
    LaneSteps steps;
    void Prepare();
  };

  explicit TaskGroup(std::uint32_t instance) : instance_(instance), version_(std::make_shared<Version>()) {}

  // While it is captured.
  TaskList& tasks() { return version_->tasks; }
  void Prepare() { version_->Prepare(); }

  // Throws 107040 unless the tasks are as many and of the same calls as those there are.
  void CheckFits(const TaskList& tasks) const;
  void Replace(std::shared_ptr<Version> version) noexcept;
  std::shared_ptr<Version> version() const;
  // What the program knows it by.
  const void* handle() const noexcept { return handle_.load(); }
  void set_handle(const void* handle) noexcept { handle_.store(handle); }

  Outcome Reach(LaneRun& lane, Stream& stream) override;
  std::string Describe() const override;
  void ListAccesses(std::vector<Access>& list) const override;

 private:
  const std::uint32_t instance_;
  std::atomic<const void*> handle_{nullptr};
  mutable SpinLock lock_;  // guards version_
  std::shared_ptr<Version> version_;
};

// Tasks queued on a stream that will replace those of a group.
class TaskUpdate final : public TaskSink {
 public:
  // The tasks of `stream` go here from now on, until End queues the replacement there. Throw 107027, 107033.
  static void Begin(const StreamRef& stream, std::shared_ptr<TaskGroup> group);
  static void End(const StreamRef& stream, const char* api);

  explicit TaskUpdate(std::shared_ptr<TaskGroup> group);
  Task& Reserve(const TaskType& type) override;
  std::uint32_t Commit(Task& task) noexcept override;
  std::shared_ptr<CapturePoint> Record(std::uint32_t event) override;
  void RefuseOutside(std::uint32_t event) override;
  void Break(const char*) noexcept override {}
  void RefuseToWait(std::int32_t stream) const override;

 private:
  const std::shared_ptr<TaskGroup> group_;
  const std::shared_ptr<TaskGroup::Version> version_;
};

// Groups behind their handles. A forked child starts with none.
class TaskGroups {
 public:
  static TaskGroups& Get();
  void* Add(std::shared_ptr<TaskGroup> group);
  // Throws 107000 for what is no group.
  std::shared_ptr<TaskGroup> Find(const void* handle) const;
  void Remove(const void* handle) noexcept;

 private:
  class Slot : public HandledState<TaskGroup> {};

  HandlePool<Slot> pool_{HandleKind::kTaskGroup};
};

}  // namespace foothold
