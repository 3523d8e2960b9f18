// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/instance_tasks.h"

#include <utility>

#include "base/error.h"
#include "base/per_process.h"
#include "capture/control.h"
#include "capture/disabled_task.h"
#include "capture/instance.h"
#include "capture/task_group.h"
#include "device/runtime.h"

namespace foothold {
namespace {

class LaneStream final : public StreamBinding {
 public:
  LaneStream(std::weak_ptr<Instance> instance, std::size_t lane)
      : instance(std::move(instance)), lane(lane) {}
  bool owns_stream() const override { return true; }

  const std::weak_ptr<Instance> instance;
  const std::size_t lane;
};

class TaskSlot : public HandledState<const InstanceTask> {};

struct TaskPool {
  HandlePool<TaskSlot> slots{HandleKind::kInstanceTask};
};

HandlePool<TaskSlot>& Slots() {
  return PerProcess<TaskPool>::Get().slots;
}

void RetireTask(const void* handle) noexcept {
  TaskSlot* const slot = Slots().Find(handle);
  if (slot == nullptr || !Slots().Retire(*slot, handle)) return;
  slot->set_state(nullptr);
  Slots().Recycle(*slot);
}

}  // namespace

std::vector<void*> InstanceTasks::Streams(Context& context) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto& lanes = instance_.lanes();
  streams_.reserve(lanes.size());
  bindings_.reserve(lanes.size());
  while (streams_.size() < lanes.size()) {
    const std::size_t lane = streams_.size();
    auto binding = std::make_shared<LaneStream>(instance_.weak_from_this(), lane);
    const StreamRef stream =
        Runtime::Get().OpenHiddenStream(context, lanes[lane]->stream_id, kStreamPersistent);
    stream->BindTo(binding);
    streams_.push_back(stream);
    bindings_.push_back(std::move(binding));
  }
  std::vector<void*> handles;
  for (const StreamRef& stream : streams_)
    handles.push_back(const_cast<void*>(stream.handle));
  return handles;
}

std::vector<void*> InstanceTasks::Tasks(std::size_t lane) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<void*> handles;
  instance_.lanes()[lane]->tasks.ForEach([&](Task& task) {
    auto* const group = dynamic_cast<TaskGroup*>(ControlTask::Of(task));
    if (group == nullptr) {
      handles.push_back(HandleOf(task, nullptr, nullptr));
      return;
    }
    const auto version = group->version();
    version->tasks.ForEach(
        [&](Task& inner) { handles.push_back(HandleOf(inner, group->handle(), version)); });
  });
  return handles;
}

// Precondition: mutex_ is held.
void* InstanceTasks::HandleOf(Task& task, const void* group, std::shared_ptr<const void> owner) {
  void*& handle = handles_[&task];
  if (handle != nullptr) return handle;
  auto state = std::make_shared<const InstanceTask>(
      InstanceTask{instance_.weak_from_this(), &task, group, std::move(owner)});
  TaskSlot& slot = Slots().Take();
  slot.set_state(std::move(state));
  return handle = Slots().Publish(slot);
}

void InstanceTasks::Retire() noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [task, handle] : handles_)
    RetireTask(handle);
  handles_.clear();
  for (const StreamRef& stream : streams_)
    Runtime::Get().CloseHiddenStream(stream, true);
  streams_.clear();
  bindings_.clear();
}

const TaskForm* InstanceTasks::FormOf(const Task& task) {
  std::lock_guard<std::mutex> lock(mutex_);
  return task.type->form;
}

void InstanceTasks::Change(Task& task, const TaskParams& params) {
  const TaskForm* const form = FormOf(task);
  if (form == nullptr || form->change == nullptr) {
    Fail(kRtFeatureNotSupport, "the arguments of {}({}) cannot be changed", task.api,
         task.type->describe(task));
  }
  if (form->kind != params.kind) {
    Fail(kRtParamInvalid, "params->type is {}, but {}({}) is a task of type {}",
         static_cast<int>(params.kind), task.api, task.type->describe(task), static_cast<int>(form->kind));
  }
  auto change = form->change(task, params);
  std::lock_guard<std::mutex> lock(mutex_);
  changes_.push_back(std::move(change));
  has_changes_.store(true);
}

void InstanceTasks::Disable(Task& task) {
  if (ControlTask::Of(task) != nullptr) {
    Fail(kRtFeatureNotSupport, "{}({}) decides on the order of others and cannot be disabled", task.api,
         task.type->describe(task));
  }
  const TaskType& disabled = DisabledTypeOf(*task.type);
  std::lock_guard<std::mutex> lock(mutex_);
  changes_.push_back([&task, &disabled] { task.type = &disabled; });
  has_changes_.store(true);
}

// Under the lock: others may look at the tasks.
void InstanceTasks::MakeChanges() noexcept {
  if (!has_changes_.load(std::memory_order_relaxed)) return;
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& change : changes_)
    change();
  changes_.clear();
  has_changes_.store(false);
}

std::shared_ptr<const InstanceTask> InstanceTasks::Find(const void* handle) {
  if (TaskSlot* const slot = Slots().Find(handle)) {
    auto task = slot->state();
    if (task && slot->IsCurrent(handle)) return task;
  }
  if (handle == nullptr) Fail(kRtParamInvalid, "the task must not be null");
  if (IsHandleOf(HandleKind::kInstanceTask, handle))
    Fail(kRtParamInvalid, "task {} does not exist: its model instance was destroyed or built anew", handle);
  Fail(kRtParamInvalid, "{} is not a task of a model instance", DescribeHandle(handle));
}

std::shared_ptr<Instance> InstanceTasks::InstanceOf(const StreamRef& stream, std::size_t& lane) {
  const auto binding = std::dynamic_pointer_cast<LaneStream>(stream->binding());
  if (!binding) return nullptr;
  lane = binding->lane;
  return binding->instance.lock();
}

}  // namespace foothold
