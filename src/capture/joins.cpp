// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/joins.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/error.h"
#include "capture/instance.h"
#include "capture/mark.h"

namespace foothold {
namespace {

using Counts = std::vector<std::size_t>;  // for each lane, how many of its tasks are over

struct QueuedTask {
  Task* task;
  std::size_t lane;
};

std::vector<QueuedTask> InOrder(const Instance& instance) {
  std::vector<QueuedTask> entries;
  for (std::size_t lane = 0; lane < instance.lanes().size(); ++lane)
    instance.lanes()[lane]->tasks.ForEach([&](Task& task) { entries.push_back({&task, lane}); });
  std::sort(entries.begin(), entries.end(),
            [](const QueuedTask& a, const QueuedTask& b) { return a.task->id < b.task->id; });
  return entries;
}

void Learn(Counts& known, const Counts& more) {
  for (std::size_t lane = 0; lane < more.size(); ++lane)
    known[lane] = std::max(known[lane], more[lane]);
}

// What is over behind the last task of each lane.
std::vector<Counts> Follow(const Instance& instance) {
  const std::size_t lanes = instance.lanes().size();
  std::vector<Counts> known(lanes, Counts(lanes));
  for (const QueuedTask& queued : InOrder(instance)) {
    Counts& mine = known[queued.lane];
    const Control* const control = ControlTask::Of(*queued.task);
    if (const auto* const record = dynamic_cast<const RecordMark*>(control)) {
      record->mark().knows = mine;
    } else if (const auto* const wait = dynamic_cast<const WaitForMark*>(control)) {
      Learn(mine, wait->mark().knows);
    } else {
      ++mine[queued.lane];
    }
  }
  return known;
}

}  // namespace

void CheckJoined(const Instance& instance) {
  for (const auto& child : instance.children()) {
    if (child->state() == Instance::State::kFilling)
      Fail(kRtChildCapturing, "child {} of model instance {} is still being captured", child->id(),
           instance.id());
  }
  if (instance.lanes().size() == 1) return;
  const std::vector<Counts> known = Follow(instance);
  for (std::size_t lane = 1; lane < known.size(); ++lane) {
    if (known[0][lane] == known[lane][lane]) continue;
    Fail(
        kRtStreamUnjoined,
        "stream {} was captured and not joined: record an event behind its last task, and let the stream the "
        "capture began on, {}, wait for it",
        instance.lanes()[lane]->stream_id, instance.lanes()[0]->stream_id);
  }
}

}  // namespace foothold
