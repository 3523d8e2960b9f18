// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/task_group.h"

#include <fmt/format.h>

#include <mutex>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/per_process.h"
#include "capture/disabled_task.h"
#include "capture/lane_run.h"

namespace foothold {
namespace {

// Puts the new tasks in place, in the order of the stream.
class ReplaceTask {
 public:
  static constexpr bool kReplays = true;

  ReplaceTask(std::shared_ptr<TaskGroup> group, std::shared_ptr<TaskGroup::Version> version)
      : group_(std::move(group)), version_(std::move(version)) {}
  Outcome Run(Stream&) {
    group_->Replace(version_);
    return Outcome::kDone;
  }
  std::string Describe() const { return group_->Describe(); }
  void ListAccesses(std::vector<Access>&) const {}

 private:
  std::shared_ptr<TaskGroup> group_;
  std::shared_ptr<TaskGroup::Version> version_;
};

struct Call {
  const TaskType* type;
  const char* api;
};

std::vector<Call> CallsOf(const TaskList& tasks) {
  std::vector<Call> calls;
  calls.reserve(tasks.size());
  tasks.ForEach([&](const Task& task) { calls.push_back({&EnabledTypeOf(*task.type), task.api}); });
  return calls;
}

}  // namespace

void TaskGroup::Version::Prepare() {
  tasks.ForEach([this](Task& task) { steps.Append(task); });
  steps.Join();
}

std::shared_ptr<TaskGroup::Version> TaskGroup::version() const {
  const std::lock_guard<SpinLock> lock(lock_);
  return version_;
}

void TaskGroup::Replace(std::shared_ptr<Version> version) noexcept {
  const std::lock_guard<SpinLock> lock(lock_);
  version_.swap(version);
}

void TaskGroup::CheckFits(const TaskList& tasks) const {
  const auto old = CallsOf(version()->tasks);
  const auto fresh = CallsOf(tasks);
  if (old.size() != fresh.size()) {
    Fail(kRtModelUpdateFailed, "the group has {} tasks, and {} were queued to replace them", old.size(),
         fresh.size());
  }
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old[i].type != fresh[i].type || std::string_view(old[i].api) != fresh[i].api) {
      Fail(kRtModelUpdateFailed, "task {} of the group comes from {}, and the one to replace it from {}", i,
           old[i].api, fresh[i].api);
    }
  }
}

Outcome TaskGroup::Reach(LaneRun& lane, Stream&) {
  auto now = version();
  const LaneSteps& steps = now->steps;
  lane.Enter(std::move(now), steps);
  return Outcome::kDone;
}

std::string TaskGroup::Describe() const {
  return fmt::format("a group of {} tasks of model instance {}", version()->tasks.size(), instance_);
}

void TaskGroup::ListAccesses(std::vector<Access>& list) const {
  version()->tasks.ForEach([&](const Task& task) { task.type->accesses(task, list); });
}

TaskUpdate::TaskUpdate(std::shared_ptr<TaskGroup> group)
    : group_(std::move(group)), version_(std::make_shared<TaskGroup::Version>()) {}

Task& TaskUpdate::Reserve(const TaskType& type) {
  if (type.clone == nullptr) Fail(kRtTaskGroupInterrupted, "this call cannot be part of a group of tasks");
  return version_->tasks.Reserve();
}

std::uint32_t TaskUpdate::Commit(Task& task) noexcept {
  task.id = static_cast<std::uint32_t>(version_->tasks.size());
  version_->tasks.Commit();
  return task.id;
}

std::shared_ptr<CapturePoint> TaskUpdate::Record(std::uint32_t event) {
  Fail(kRtTaskGroupInterrupted, "event {} cannot be recorded while the tasks of a group are replaced", event);
}

void TaskUpdate::RefuseOutside(std::uint32_t event) {
  Fail(kRtTaskGroupInterrupted, "the stream cannot wait for event {} while the tasks of a group are replaced",
       event);
}

void TaskUpdate::RefuseToWait(std::int32_t stream) const {
  Fail(kRtStreamCaptured,
       "stream {} collects tasks to replace those of a group; call "
       "aclmdlRICaptureTaskUpdateEnd first",
       stream);
}

void TaskUpdate::Begin(const StreamRef& stream, std::shared_ptr<TaskGroup> group) {
  if (std::dynamic_pointer_cast<TaskUpdate>(stream->sink()))
    Fail(kRtTaskGroupStatus, "stream {} replaces the tasks of a group already", stream->id());
  stream->Attach(stream.handle, std::make_shared<TaskUpdate>(std::move(group)));
}

void TaskUpdate::End(const StreamRef& stream, const char* api) {
  const auto update = std::dynamic_pointer_cast<TaskUpdate>(stream->sink());
  if (!update || !stream->Detach(*update)) {
    Fail(kRtTaskGroupStatus,
         "stream {} does not replace the tasks of a group; call aclmdlRICaptureTaskUpdateBegin first",
         stream->id());
  }
  update->group_->CheckFits(update->version_->tasks);
  update->version_->Prepare();
  stream.Push(api, ReplaceTask(update->group_, update->version_));
}

TaskGroups& TaskGroups::Get() {
  return PerProcess<TaskGroups>::Get();
}

void* TaskGroups::Add(std::shared_ptr<TaskGroup> group) {
  Slot& slot = pool_.Take();
  slot.set_state(std::move(group));
  return pool_.Publish(slot);
}

std::shared_ptr<TaskGroup> TaskGroups::Find(const void* handle) const {
  if (Slot* const slot = pool_.Find(handle)) {
    auto group = slot->state();
    if (group && slot->IsCurrent(handle)) return group;
  }
  Fail(kRtParamInvalid, "{} is no group of tasks{}", DescribeHandle(handle),
       IsHandleOf(HandleKind::kTaskGroup, handle) ? " any more: its model instance was destroyed" : "");
}

void TaskGroups::Remove(const void* handle) noexcept {
  Slot* const slot = pool_.Find(handle);
  if (slot == nullptr || !pool_.Retire(*slot, handle)) return;
  slot->set_state(nullptr);
  pool_.Recycle(*slot);
}

}  // namespace foothold
