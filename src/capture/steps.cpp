// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/steps.h"

#include <span>
#include <utility>

#include "base/environment.h"
#include "device/task_form.h"

namespace foothold {
namespace {

constexpr std::ptrdiff_t kMostShortTasks = 64;  // in a step that a hurried thread runs
constexpr double kTask = 50;
constexpr double kLongTask = 5'000;
constexpr double kPerByte = 0.05;
constexpr double kShort = 2'000;

bool IsTight(const Task& task, const Place& place) {
  if (task.type->suspends) return false;
  return place.kind == Place::kUnhurried || (place.kind == Place::kAnywhere && place.mailbox == nullptr);
}

}  // namespace

void LaneSteps::Append(Task& task) {
  is_short_ = false;
  if (Control* const control = ControlTask::Of(task)) {
    only_tight_ = only_tight_ && control->fits_line();
    steps_.push_back({LaneStep::Kind::kControl, false, &task, &task + 1});
    return;
  }
  const Place place = task.type->place(task);
  accesses_.clear();
  task.type->accesses(task, accesses_);
  for (const Access& access : accesses_)
    nanoseconds_ += static_cast<double>(access.bytes) * kPerByte;
  nanoseconds_ += place.kind == Place::kUnhurried ? kLongTask : kTask;
  if (!IsTight(task, place)) {
    only_tight_ = false;
    steps_.push_back({LaneStep::Kind::kAlone, false, &task, &task + 1});
    return;
  }
  const bool continues =
      !steps_.empty() && steps_.back().kind == LaneStep::Kind::kTight && steps_.back().last == &task;
  if (continues) {
    ++steps_.back().last;
  } else {
    steps_.push_back({LaneStep::Kind::kTight, false, &task, &task + 1});
  }
  LaneStep& step = steps_.back();
  step.is_long = step.is_long || place.kind == Place::kUnhurried || step.last - step.first > kMostShortTasks;
  is_short_ = steps_.size() == 1 && !step.is_long && nanoseconds_ < kShort;
}

void LaneSteps::Divide(const LaneStep& step, std::vector<LaneStep>& into) {
  Task* plain = step.first;  // the first that is in no step yet
  const auto add = [&](Task* last, JoinedTasks* joined) {
    if (plain != last) into.push_back({LaneStep::Kind::kTight, step.is_long, plain, last, joined});
    plain = last;
  };
  Task* end = step.first;  // of the tasks of one type
  for (Task* task = step.first; task != step.last;) {
    while (end == task || (end != step.last && end->type == task->type))
      ++end;
    auto joined = CanBeJoined(*task) ? task->type->form->join(std::span<Task>(task, end)) : nullptr;
    if (joined == nullptr) {
      ++task;
      continue;
    }
    joined_.push_back(std::move(joined));
    add(task, nullptr);
    task += joined_.back()->size();
    add(task, joined_.back().get());
  }
  add(step.last, nullptr);
}

void LaneSteps::Join() noexcept {
  static const bool wanted = GetEnvInt("FOOTHOLD_CAPTURE_JOINS", 1, 0, 1) != 0;
  if (!wanted) return;
  try {
    std::vector<LaneStep> divided;
    for (const LaneStep& step : steps_) {
      if (step.kind == LaneStep::Kind::kTight) {
        Divide(step, divided);
      } else {
        divided.push_back(step);
      }
    }
    steps_ = std::move(divided);
  } catch (...) {  // no memory: one by one
  }
}

std::size_t LaneSteps::Find(const Control& control) const noexcept {
  std::size_t index = 0;
  while (index < steps_.size() && ControlTask::Of(*steps_[index].first) != &control)
    ++index;
  return index;
}

}  // namespace foothold
