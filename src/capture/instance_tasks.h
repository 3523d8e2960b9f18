// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a program holds of an instance besides the instance itself: streams that stand for its lanes, and its
// tasks. Their handles are made when they are asked for, stay the same, and end with the instance. A task can
// be changed: the runs that begin later have the change. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/handled_state.h"
#include "device/stream.h"
#include "device/task_form.h"

namespace foothold {

class Instance;

// A task of an instance, as its handle means it.
struct InstanceTask {
  std::weak_ptr<Instance> instance;
  Task* task;
  const void* group;                  // the handle of the group it is part of, or null
  std::shared_ptr<const void> owner;  // of the task, if that is not the instance
};

// Of one instance.
class InstanceTasks {
 public:
  explicit InstanceTasks(Instance& instance) : instance_(instance) {}
  ~InstanceTasks() { Retire(); }
  InstanceTasks(const InstanceTasks&) = delete;
  InstanceTasks& operator=(const InstanceTasks&) = delete;

  // A stream for each lane, which only stands for it.
  std::vector<void*> Streams(Context& context);
  // The tasks of a lane in order, those of its groups among them.
  std::vector<void*> Tasks(std::size_t lane);
  // All handles end.
  void Retire() noexcept;

  // Both throw 207000 for what cannot be. The change is made before the next run.
  void Change(Task& task, const TaskParams& params);
  void Disable(Task& task);
  // By whoever has the instance: nothing runs.
  void MakeChanges() noexcept;
  // While it lives, no task changes.
  std::unique_lock<std::mutex> Hold() { return std::unique_lock<std::mutex>(mutex_); }

  // Throws 107000 for what is no task of a live instance.
  static std::shared_ptr<const InstanceTask> Find(const void* handle);
  // What a stream of Streams stands for: its instance and lane. Null for other streams.
  static std::shared_ptr<Instance> InstanceOf(const StreamRef& stream, std::size_t& lane);

 private:
  const TaskForm* FormOf(const Task& task);
  void* HandleOf(Task& task, const void* group, std::shared_ptr<const void> owner);

  Instance& instance_;
  std::atomic<bool> has_changes_{false};
  std::mutex mutex_;  // guards all below
  std::vector<StreamRef> streams_;
  std::vector<std::shared_ptr<StreamBinding>> bindings_;  // of the streams
  std::unordered_map<const Task*, void*> handles_;
  std::vector<std::function<void()>> changes_;
};

}  // namespace foothold
