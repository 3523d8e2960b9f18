// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/task_list.h"

#include <algorithm>

namespace foothold {

TaskList::~TaskList() {
  ForEach([](Task& task) { task.type->destroy(task); });
}

Task& TaskList::Reserve() {
  if (blocks_.empty() || blocks_.back().used == blocks_.back().room) {
    const std::size_t room = blocks_.empty() ? kFirstBlock : std::min(2 * blocks_.back().room, kLargestBlock);
    blocks_.push_back({std::unique_ptr<Task[]>(new Task[room]), room, 0});
  }
  return blocks_.back().tasks[blocks_.back().used];
}

}  // namespace foothold
