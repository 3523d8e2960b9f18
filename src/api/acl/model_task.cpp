// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// The streams and tasks of model run instances.
#include <algorithm>

#include "acl/acl_rt.h"
#include "api/guard.h"
#include "capture/built/built_model.h"
#include "capture/instance_tasks.h"
#include "capture/instances.h"
#include "capture/mark.h"
#include "device/current.h"
#include "device/runtime.h"

namespace foothold {
namespace {

// The two calls of a program that asks for many: how many, and which.
void Give(const std::vector<void*>& found, void** array, std::uint32_t* count, const char* what) {
  const auto number = static_cast<std::uint32_t>(found.size());
  if (array != nullptr && *count < number) {
    const std::uint32_t room = std::exchange(*count, number);
    Fail(kRtInsufficientInputArray, "there are {} {}, but room for {}", number, what, room);
  }
  if (array != nullptr) std::copy(found.begin(), found.end(), array);
  *count = number;
}

std::vector<void*> StreamsOf(const void* handle) {
  const auto instance = Instances::Get().Find(handle);
  if (instance->built() == nullptr) {
    instance->CheckReady();
    return instance->tasks().Streams(CurrentContext());
  }
  std::vector<void*> streams;
  for (const auto& bound : instance->built()->streams())
    streams.push_back(const_cast<void*>(bound.stream.handle));
  return streams;
}

std::vector<void*> TasksOf(const StreamRef& stream) {
  std::size_t lane = 0;
  if (const auto instance = InstanceTasks::InstanceOf(stream, lane)) return instance->tasks().Tasks(lane);
  const auto model = BuiltModel::Of(stream);
  if (model == nullptr) {
    Fail(kRtStreamModel,
         "stream {} belongs to no model instance; aclmdlRIGetStreams tells the streams of one", stream->id());
  }
  const auto content = model->Content();
  for (lane = 0; lane < content->lanes().size(); ++lane) {
    if (content->lanes()[lane]->stream.handle == stream.handle) return content->tasks().Tasks(lane);
  }
  Fail(kRtStreamModel, "stream {} has just left its model", stream->id());
}

// A task and the instance it is part of, kept while it is looked at.
struct FoundTask {
  explicit FoundTask(const void* handle)
      : named(InstanceTasks::Find(handle)), instance(named->instance.lock()) {
    if (!instance) Fail(kRtParamInvalid, "task {} does not exist: its model instance is gone", handle);
  }
  Task& task() const { return *named->task; }
  // Under the hold.
  TaskKind kind() const {
    const Control* const control = ControlTask::Of(task());
    return control != nullptr ? control->kind() : KindOf(task());
  }
  std::unique_lock<std::mutex> Hold() const { return instance->tasks().Hold(); }

  std::shared_ptr<const InstanceTask> named;
  std::shared_ptr<Instance> instance;
};

// Null where the event was destroyed.
void* HandleOfEvent(std::uint32_t id) {
  void* handle = nullptr;
  Runtime::Get().events.ForEach([&](Event& event) {
    const auto state = event.state();
    if (state && state->id() == id) handle = event.handle();
  });
  return handle;
}

TaskParams Read(const Task& task) {
  TaskParams params;
  const TaskForm* const form = task.type->form;
  if (form != nullptr && form->read != nullptr) form->read(task, params);
  return params;
}

std::uint32_t EventIdOf(const Task& task) {
  if (const auto event = Read(task).event) return event->id();
  const Control* const control = ControlTask::Of(task);
  if (const auto* record = dynamic_cast<const RecordMark*>(control)) return record->mark().event;
  if (const auto* wait = dynamic_cast<const WaitForMark*>(control)) return wait->mark().event;
  return UINT32_MAX;
}

void Write(const FoundTask& found, aclmdlRITaskParams& params) {
  params = {};
  params.type = static_cast<aclmdlRITaskType>(found.kind());
  params.taskGrp = const_cast<void*>(found.named->group);
  const TaskParams read = Read(found.task());
  switch (found.kind()) {
    case TaskKind::kValueWrite:
      params.valueWriteTaskParams = {read.address, read.value};
      break;
    case TaskKind::kValueWait:
      params.valueWaitTaskParams = {read.address, read.value, read.flag};
      break;
    case TaskKind::kEventRecord:
      params.eventRecordTaskParams.event = HandleOfEvent(EventIdOf(found.task()));
      break;
    case TaskKind::kEventWait:
      params.eventWaitTaskParams.event = HandleOfEvent(EventIdOf(found.task()));
      break;
    case TaskKind::kEventReset:
      params.eventResetTaskParams.event = HandleOfEvent(EventIdOf(found.task()));
      break;
    case TaskKind::kKernel:
    case TaskKind::kOther:
      break;
  }
}

TaskParams FromProgram(const aclmdlRITaskParams& params) {
  TaskParams read;
  read.kind = static_cast<TaskKind>(params.type);
  if (params.type == ACL_MODEL_RI_TASK_VALUE_WRITE) {
    read.address = params.valueWriteTaskParams.devAddr;
    read.value = params.valueWriteTaskParams.value;
  } else if (params.type == ACL_MODEL_RI_TASK_VALUE_WAIT) {
    read.address = params.valueWaitTaskParams.devAddr;
    read.value = params.valueWaitTaskParams.value;
    read.flag = params.valueWaitTaskParams.flag;
    if (read.flag > ACL_STREAM_WAIT_VALUE_NOR)
      Fail(kRtParamInvalid, "flag must be 0 (greater or equal), 1 (equal), 2 (and) or 3 (nor), not {}",
           read.flag);
  }
  return read;
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclmdlRIGetStreams(aclmdlRI modelRI, aclrtStream* streams, uint32_t* numStreams) {
  return Guard(FOOTHOLD_CALL(modelRI, streams, numStreams), [&] {
    FOOTHOLD_NOT_NULL(numStreams);
    Give(StreamsOf(modelRI), streams, numStreams, "streams");
  });
}

aclError aclmdlRIGetTasksByStream(aclrtStream stream, aclmdlRITask* tasks, uint32_t* numTasks) {
  return Guard(FOOTHOLD_CALL(stream, tasks, numTasks), [&] {
    FOOTHOLD_NOT_NULL(numTasks);
    FOOTHOLD_NOT_NULL(stream);
    Give(TasksOf(FindStreamAnywhere(stream)), tasks, numTasks, "tasks");
  });
}

aclError aclmdlRITaskGetType(aclmdlRITask task, aclmdlRITaskType* type) {
  return Guard(FOOTHOLD_CALL(task, type), [&] {
    FOOTHOLD_NOT_NULL(type);
    const FoundTask found(task);
    const auto hold = found.Hold();
    *type = static_cast<aclmdlRITaskType>(found.kind());
  });
}

aclError aclmdlRITaskGetSeqId(aclmdlRITask task, uint32_t* id) {
  return Guard(FOOTHOLD_CALL(task, id), [&] {
    FOOTHOLD_NOT_NULL(id);
    *id = FoundTask(task).task().id;
  });
}

aclError aclmdlRITaskGetParams(aclmdlRITask task, aclmdlRITaskParams* params) {
  return Guard(FOOTHOLD_CALL(task, params), [&] {
    FOOTHOLD_NOT_NULL(params);
    const FoundTask found(task);
    const auto hold = found.Hold();
    Write(found, *params);
  });
}

aclError aclmdlRITaskSetParams(aclmdlRITask task, aclmdlRITaskParams* params) {
  return Guard(FOOTHOLD_CALL(task, params), [&] {
    FOOTHOLD_NOT_NULL(params);
    const FoundTask found(task);
    found.instance->tasks().Change(found.task(), FromProgram(*params));
  });
}

aclError aclmdlRITaskDisable(aclmdlRITask task) {
  return Guard(FOOTHOLD_CALL(task), [&] {
    const FoundTask found(task);
    found.instance->tasks().Disable(found.task());
  });
}

aclError aclmdlRIUpdate(aclmdlRI modelRI) {
  return Guard(FOOTHOLD_CALL(modelRI), [&] {
    auto instance = Instances::Get().Find(modelRI);
    if (instance->built() != nullptr) instance = instance->built()->Content();
    instance->CheckReady();
    if (!instance->run().TryChange())
      Fail(kRtModelRunning, "model instance {} is running; synchronise the stream it runs on first",
           instance->id());
  });
}

// An attribute that a launch did not set has its default, which is 0 for each of them. No kernel that can be
// captured has others.
aclError aclmdlRIKernelTaskGetAttribute(aclmdlRITask task, aclrtLaunchKernelAttrId attrId,
                                        aclrtLaunchKernelAttrValue* attrValue) {
  return Guard(FOOTHOLD_CALL(task, attrId, attrValue), [&] {
    FOOTHOLD_NOT_NULL(attrValue);
    const FoundTask found(task);
    const auto hold = found.Hold();
    if (found.kind() != TaskKind::kKernel)
      Fail(kRtParamInvalid, "{} is no kernel, so it has no attributes of one", found.task().api);
    if (attrId < ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE || attrId > ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING)
      Fail(kRtParamInvalid, "attrId {} is no aclrtLaunchKernelAttrId", static_cast<int>(attrId));
    *attrValue = {};
  });
}
