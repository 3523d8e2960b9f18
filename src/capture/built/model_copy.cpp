// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/built/model_copy.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/error.h"
#include "capture/built/lane_controls.h"
#include "device/stored_events.h"

namespace foothold {
namespace {

template <typename Body>
Body* As(Task& task) {
  return task.type == &TaskTypeOf<Body>::kType ? &task.As<Body>() : nullptr;
}

template <typename Body>
const Body* As(const Task& task) {
  return As<Body>(const_cast<Task&>(task));
}

}  // namespace

// The lane that begins the run comes first, and is filled last.
ModelCopy::ModelCopy(std::uint32_t id) : instance_(std::make_shared<Instance>(id)) {
  instance_->AddLane({});
}

std::size_t ModelCopy::Add(const StreamRef& stream, bool is_head) {
  const std::size_t lane = instance_->lanes().size();
  streams_.push_back(stream.handle);
  if (is_head) heads_.push_back(lane);
  const TaskList& tasks = instance_->AddLane(stream).tasks;
  const bool is_whole = stream->VisitStored(stream.handle, [&](const Task& task) { Copy(task, lane); });
  if (!is_whole)
    Fail(kRtStreamModel, "stream {} of the model was destroyed, or its tasks are just being dropped",
         stream->id());
  return tasks.size();
}

void ModelCopy::Copy(const Task& task, std::size_t lane) {
  if (task.type->clone == nullptr) {
    Fail(kRtFeatureNotSupport, "{}({}) cannot be run a second time, so it cannot be a part of a model",
         task.api, task.type->describe(task));
  }
  TaskList& tasks = instance_->lanes()[lane]->tasks;
  task.type->clone(task, tasks.Reserve());
  tasks.Commit();
  Note(task, lane);
}

void ModelCopy::Note(const Task& task, std::size_t lane) {
  if (const auto* record = As<StoredEventRecord>(task)) {
    if (!IsRecorded(record->state())) recorded_.push_back(record->state());
  } else if (const auto* mark = dynamic_cast<const LabelMark*>(ControlTask::Of(task))) {
    if (labels_.try_emplace(&mark->label(), LabelPlace{lane, mark}).second) return;
    Fail(kRtStreamModel, "label {} is set twice in the model", mark->label().id());
  }
}

bool ModelCopy::IsRecorded(const std::shared_ptr<EventState>& event) const {
  return std::find(recorded_.begin(), recorded_.end(), event) != recorded_.end();
}

// With all streams known, tasks learn what they could not know by themselves.
void ModelCopy::Settle(Task& task, std::size_t lane) const {
  if (auto* wait = As<StoredEventWait>(task)) {
    if (IsRecorded(wait->state())) wait->AwaitMark();
  } else if (const auto* control = dynamic_cast<const StoredControl*>(ControlTask::Of(task))) {
    auto resolved = control->Resolve(*this, lane);
    if (!resolved) return;
    task.type->destroy(task);
    ::new (task.room) ControlTask(std::move(resolved));
  }
}

std::shared_ptr<Instance> ModelCopy::Finish() {
  const auto& lanes = instance_->lanes();
  for (std::size_t lane = 1; lane < lanes.size(); ++lane)
    lanes[lane]->tasks.ForEach([&](Task& task) { Settle(task, lane); });
  TaskList& first = lanes[0]->tasks;
  Task& begin = first.Reserve();
  begin.type = &TaskTypeOf<ControlTask>::kType;
  begin.api = "aclmdlRIBuildBegin";
  begin.thread = begin.id = 0;
  ::new (begin.room) ControlTask(std::make_shared<BeginModel>(std::move(heads_), std::move(recorded_)));
  first.Commit();
  instance_->Prepare();
  return instance_;
}

std::optional<std::size_t> ModelCopy::LaneOf(const StreamRef& stream) const {
  const auto found = std::find(streams_.begin(), streams_.end(), stream.handle);
  if (found == streams_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - streams_.begin()) + 1;
}

std::optional<LabelPlace> ModelCopy::PlaceOf(const LabelState& label) const {
  const auto found = labels_.find(&label);
  if (found == labels_.end()) return std::nullopt;
  return found->second;
}

}  // namespace foothold
