// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/disabled_task.h"

#include <map>
#include <memory>
#include <mutex>

#include "base/per_process.h"

namespace foothold {
namespace {

struct DisabledType : TaskType {
  const TaskType* original;
};

const TaskType& OriginalOf(const Task& task) {
  return *static_cast<const DisabledType*>(task.type)->original;
}

Outcome DoNothing(Task&, Stream&) {
  return Outcome::kDone;
}

void CloneDisabled(const Task& from, Task& to) {
  OriginalOf(from).clone(from, to);
  to.type = from.type;
}

std::unique_ptr<DisabledType> Make(const TaskType& original) {
  auto type = std::make_unique<DisabledType>();
  type->original = &original;
  type->run = &DoNothing;
  type->cancel = [](Task& task, const Failure& failure) noexcept { OriginalOf(task).cancel(task, failure); };
  type->destroy = [](Task& task) noexcept { OriginalOf(task).destroy(task); };
  type->describe = [](const Task& task) { return "disabled: " + OriginalOf(task).describe(task); };
  type->place = [](const Task&) { return Place{}; };
  type->accesses = [](const Task&, std::vector<Access>&) {};
  type->clone = original.clone == nullptr ? nullptr : &CloneDisabled;
  return type;
}

struct DisabledTypes {
  std::mutex mutex;  // guards types
  std::map<const TaskType*, std::unique_ptr<DisabledType>> types;
};

// A child of a fork has the types that its tasks have, whoever held the lock.
DisabledTypes& Types() {
  static auto* const types = new DisabledTypes;
  return *types;
}

std::mutex& TypesMutex() {
  return Types().mutex;
}
const HeldDuringFork<&TypesMutex> held_during_fork;

}  // namespace

const TaskType& DisabledTypeOf(const TaskType& original) {
  if (original.run == &DoNothing) return original;
  std::lock_guard<std::mutex> lock(Types().mutex);
  auto& type = Types().types[&original];
  if (!type) type = Make(original);
  return *type;
}

const TaskType& EnabledTypeOf(const TaskType& type) {
  return type.run == &DoNothing ? *static_cast<const DisabledType&>(type).original : type;
}

}  // namespace foothold
