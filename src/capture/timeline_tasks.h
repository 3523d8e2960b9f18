// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The tasks of an instance as a timeline shows them: those of groups in place of the group, each with a time
// to begin at, and what leads to what. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "capture/control.h"
#include "capture/instance.h"
#include "capture/task_group.h"

namespace foothold {

struct ShownTask {
  const Task* task;
  std::size_t time = 0;  // in steps of the timeline
  const TaskGroup* group = nullptr;
};

// From the end of one task to the begin of another.
struct ShownArrow {
  std::size_t from_lane, from_task;
  std::size_t to_lane, to_task;
};

class ShownTasks {
 public:
  explicit ShownTasks(const Instance& instance);

  const std::vector<std::vector<ShownTask>>& lanes() const { return lanes_; }
  const std::vector<ShownArrow>& arrows() const { return arrows_; }

 private:
  struct Where {
    std::size_t lane, task;
  };
  void Flatten(const Lane& lane);
  void LinkEvents();
  void LinkStarts();
  void SetTimes();

  std::vector<std::vector<ShownTask>> lanes_;
  std::vector<ShownArrow> arrows_;
  std::vector<std::shared_ptr<TaskGroup::Version>> versions_;  // whose tasks are shown
};

}  // namespace foothold
