// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A model run instance, what an aclmdlRI handle means: lanes of tasks that were captured, or stored in
// streams bound to it, and how to run them. First it is filled, by a capture or by hand, then prepared once,
// then run as often as wanted.
//
//   filled                  prepared                              run
//   lane 0  a b ─┐  e f     one line: a b c d e f                 a loop on the thread that drains the stream
//   lane 1      c d ┘       or lanes, where several cores help:   each lane a stream, joined at marks
//
// Where the rest plugs in: conditions, labels, switches and ends are controls in the lanes (control.h).
// Children of conditions are instances of their own, which their parent keeps (AddChild). A model built by
// hand has an instance for its handle, which has no lanes, and one for what it runs (built/built_model.h).
//
// Filled and prepared by one thread at a time; then any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "capture/condition_cell.h"
#include "capture/end_callbacks.h"
#include "capture/instance_tasks.h"
#include "capture/run.h"
#include "capture/steps.h"
#include "capture/task_list.h"

namespace foothold {

class BuiltModel;

struct Lane {
  TaskList tasks;
  LaneSteps steps;     // from Prepare on, unless all lanes are run as one
  StreamRef stream{};  // whose tasks they were; may be gone
  std::int32_t stream_id = 0;
  bool starts_at_once = false;  // besides the first, which always does
};

class Instance : public std::enable_shared_from_this<Instance> {
 public:
  enum class State { kEmpty, kFilling, kReady };

  Instance();
  // With the number of another, which it stands for.
  explicit Instance(std::uint32_t id);
  ~Instance();

  std::uint32_t id() const { return id_; }
  std::string name() const;
  void set_name(std::string name);
  State state() const noexcept { return state_.load(std::memory_order_acquire); }
  // Throws 107026 while it is filled, 107045 while a child is, 107000 if it is empty.
  void CheckReady() const;

  // It is to be filled now. Throws 107026 while it is, and 107000 if it was.
  void BeginFilling();
  // Nothing came of that: it is empty again.
  void GiveUp() noexcept;
  // While it is filled.
  Lane& AddLane(const StreamRef& stream);
  // The next number for a task: its place in the order all tasks were queued in.
  std::uint32_t NextTaskId() noexcept { return next_task_.fetch_add(1, std::memory_order_relaxed); }
  // Destroyed with this one.
  void ReserveChildren(std::size_t more);  // so many can be added without fail
  void AddChild(std::shared_ptr<Instance> child);
  bool is_child() const noexcept { return is_child_.load(); }
  // A group of its tasks, whose handle ends with it.
  void KeepGroup(void* handle);
  // Works out order and dependencies; from here on it is ready. Throws if there is no memory, with nothing
  // changed.
  void Prepare();

  // The model built by hand that it is, or null: that has the tasks then, and this one is ready without any.
  BuiltModel* built() const noexcept { return built_.get(); }
  void BeginBuilding(std::shared_ptr<BuiltModel> built);
  void EndBuilding() noexcept { state_.store(State::kReady, std::memory_order_release); }

  ConditionCells& cells() { return cells_; }
  InstanceTasks& tasks() { return tasks_; }
  const std::shared_ptr<EndCallbacks>& end_callbacks() const { return end_callbacks_; }
  void set_end_callbacks(std::shared_ptr<EndCallbacks> callbacks) { end_callbacks_ = std::move(callbacks); }

  // Once it is ready.
  const std::vector<std::unique_ptr<Lane>>& lanes() const { return lanes_; }
  const std::vector<std::shared_ptr<Instance>>& children() const { return children_; }
  bool is_line() const { return is_line_; }
  // What the first lane of a run goes through: its own tasks, or those of all lanes.
  const LaneSteps& first_steps() const { return is_line_ ? line_ : lanes_[0]->steps; }
  const LaneSteps& steps_of(std::size_t lane) const {
    return lane == 0 ? first_steps() : lanes_[lane]->steps;
  }
  Run& run() { return run_; }
  // What the program knows it by; null once it is destroyed. For Instances.
  const void* handle() const noexcept { return handle_.load(); }
  void set_handle(const void* handle) noexcept { handle_.store(handle); }

 private:
  void WriteLine(LaneSteps& line) const;
  void WriteLanes();
  bool FitsLine(const LaneSteps& line) const;

  const std::uint32_t id_;
  std::atomic<bool> is_child_{false};
  std::shared_ptr<BuiltModel> built_;
  std::shared_ptr<EndCallbacks> end_callbacks_ = std::make_shared<EndCallbacks>();
  ConditionCells cells_;
  std::atomic<State> state_{State::kEmpty};
  std::atomic<std::uint32_t> next_task_{0};
  std::atomic<const void*> handle_{nullptr};
  mutable std::mutex mutex_;  // guards the two below
  std::string name_;
  std::vector<const void*> groups_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<std::shared_ptr<Instance>> children_;
  LaneSteps line_;
  bool is_line_ = true;
  Run run_{*this};
  InstanceTasks tasks_{*this};
};

}  // namespace foothold
