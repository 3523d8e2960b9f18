// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/timeline_tasks.h"

#include <algorithm>
#include <map>
#include <optional>

#include "capture/built/lane_controls.h"
#include "capture/mark.h"
#include "device/stored_events.h"

namespace foothold {
namespace {

template <typename Kind>
const Kind* As(const Task& task) {
  return dynamic_cast<const Kind*>(ControlTask::Of(task));
}

// What stands for the event of a record or wait, in captures and in built models; null for other tasks.
const void* RecordedBy(const Task& task) {
  if (const auto* record = As<RecordMark>(task)) return &record->mark();
  if (task.type == &TaskTypeOf<StoredEventRecord>::kType) return task.As<StoredEventRecord>().state().get();
  return nullptr;
}

const void* AwaitedBy(const Task& task) {
  if (const auto* wait = As<WaitForMark>(task)) return &wait->mark();
  if (task.type == &TaskTypeOf<StoredEventWait>::kType) return task.As<StoredEventWait>().state().get();
  return nullptr;
}

std::vector<std::size_t> StartedBy(const Task& task) {
  if (const auto* begin = As<BeginModel>(task)) return begin->heads();
  std::optional<std::size_t> lane;
  if (const auto* start = As<StartLane>(task)) lane = start->started();
  if (const auto* choice = As<SwitchLane>(task)) lane = choice->chosen();
  return lane ? std::vector<std::size_t>{*lane} : std::vector<std::size_t>{};
}

}  // namespace

ShownTasks::ShownTasks(const Instance& instance) {
  for (const auto& lane : instance.lanes())
    Flatten(*lane);
  LinkEvents();
  LinkStarts();
  SetTimes();
}

void ShownTasks::Flatten(const Lane& lane) {
  auto& shown = lanes_.emplace_back();
  lane.tasks.ForEach([&](const Task& task) {
    const auto* group = As<TaskGroup>(task);
    if (group == nullptr) {
      shown.push_back({&task});
      return;
    }
    versions_.push_back(group->version());
    versions_.back()->tasks.ForEach([&](const Task& inner) { shown.push_back({&inner, 0, group}); });
  });
}

void ShownTasks::LinkEvents() {
  std::map<const void*, Where> records;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    for (std::size_t i = 0; i < lanes_[lane].size(); ++i) {
      if (const void* event = RecordedBy(*lanes_[lane][i].task)) records[event] = {lane, i};
    }
  }
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    for (std::size_t i = 0; i < lanes_[lane].size(); ++i) {
      const auto record = records.find(AwaitedBy(*lanes_[lane][i].task));
      if (record != records.end()) arrows_.push_back({record->second.lane, record->second.task, lane, i});
    }
  }
}

void ShownTasks::LinkStarts() {
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    for (std::size_t i = 0; i < lanes_[lane].size(); ++i) {
      for (const std::size_t started : StartedBy(*lanes_[lane][i].task)) {
        if (!lanes_[started].empty()) arrows_.push_back({lane, i, started, 0});
      }
    }
  }
}

// As often as there are tasks at most: what waits in a circle, as loops do, stays where it is then.
void ShownTasks::SetTimes() {
  std::size_t tasks = 0;
  for (const auto& lane : lanes_)
    tasks += lane.size();
  bool moved = true;
  for (std::size_t round = 0; moved && round <= std::min<std::size_t>(tasks, 100); ++round) {
    moved = false;
    for (auto& lane : lanes_) {
      for (std::size_t i = 1; i < lane.size(); ++i) {
        if (lane[i].time > lane[i - 1].time) continue;
        lane[i].time = lane[i - 1].time + 1;
        moved = true;
      }
    }
    for (const ShownArrow& arrow : arrows_) {
      const std::size_t end = lanes_[arrow.from_lane][arrow.from_task].time + 1;
      std::size_t& begin = lanes_[arrow.to_lane][arrow.to_task].time;
      if (begin >= end || arrow.from_lane == arrow.to_lane) continue;
      begin = end;
      moved = true;
    }
  }
}

}  // namespace foothold
