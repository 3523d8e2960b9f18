// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a program is told of a task it captured or stored, and may change: its kind and, for some kinds, its
// arguments. A task body of a kind has a `static const TaskForm kForm`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "device/joined_tasks.h"
#include "device/task.h"

struct rtExceptionInfo;

namespace foothold {

class EventState;

// The numbers are those of the public enumeration.
enum class TaskKind {
  kOther = 0,
  kKernel = 1,
  kEventRecord = 2,
  kEventWait = 3,
  kEventReset = 4,
  kValueWrite = 5,
  kValueWait = 6,
};

// Each kind has those that mean something for it.
struct TaskParams {
  TaskKind kind = TaskKind::kOther;
  void* address = nullptr;
  std::uint64_t value = 0;
  std::uint32_t flag = 0;
  std::shared_ptr<EventState> event;
};

// What a task that runs a kernel of the program says of it, to whoever hears of its failure. Valid as long as
// the task.
struct TaskKernel {
  void* function;  // the handle the program has, null if it was unloaded
  const void* arguments;
  std::size_t arguments_size;
  // Of its binary, null if there is none: told of the failure before all others.
  void (*exception_callback)(rtExceptionInfo*, void*);
  void* user_data;
};

struct TaskForm {
  TaskKind kind;
  // Null where there is nothing to tell but the kind.
  void (*read)(const Task&, TaskParams&) = nullptr;
  // Makes a change ready: throws if the task cannot be like that, and else answers what makes it so, which
  // does not fail, needs no memory and is called once, while the task does not run. Null where nothing can be
  // changed.
  std::function<void()> (*change)(Task&, const TaskParams&) = nullptr;
  // Of a kernel of the program; null for all other tasks.
  TaskKernel (*kernel)(const Task&) = nullptr;
  // Joins as many of these tasks of one type, which stay where they are, as it can, from the first on. Null
  // if they are fewer than two; a null function where there is nothing to gain.
  std::unique_ptr<JoinedTasks> (*join)(std::span<Task> tasks) = nullptr;
};

// For bodies with `void Read(TaskParams&) const`, and a constructor from params for `change`.
template <typename Body>
void ReadForm(const Task& task, TaskParams& params) {
  task.As<Body>().Read(params);
}

template <typename Body>
std::function<void()> ChangeForm(Task& task, const TaskParams& params) {
  return [&task, body = Body(params)]() mutable {
    task.As<Body>().~Body();
    ::new (task.room) Body(std::move(body));
  };
}

// Nothing for a task that is no kernel of the program.
inline std::optional<TaskKernel> KernelOf(const Task& task) {
  const TaskForm* const form = task.type->form;
  if (form == nullptr || form->kernel == nullptr) return std::nullopt;
  return form->kernel(task);
}

inline bool CanBeJoined(const Task& task) {
  return task.type->form != nullptr && task.type->form->join != nullptr;
}

inline TaskKind KindOf(const Task& task) {
  return task.type->form == nullptr ? TaskKind::kOther : task.type->form->kind;
}

}  // namespace foothold
