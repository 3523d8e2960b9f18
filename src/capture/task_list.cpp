// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/task_list.h"

#include <algorithm>

#include "device/observer.h"

namespace foothold {

TaskList::~TaskList() {
  ForEach([](Task& task) {
    if (auto* const observer = Observer()) observer->OnForgotten(task);
    task.type->destroy(task);
  });
}

void TaskList::Commit() noexcept {
  Block& block = blocks_.back();
  if (auto* const observer = Observer()) observer->OnCaptured(block.tasks[block.used]);
  ++block.used;
  ++size_;
}

Task& TaskList::Reserve() {
  if (blocks_.empty() || blocks_.back().used == blocks_.back().room) {
    const std::size_t room = blocks_.empty() ? kFirstBlock : std::min(2 * blocks_.back().room, kLargestBlock);
    blocks_.push_back({std::unique_ptr<Task[]>(new Task[room]), room, 0});
  }
  return blocks_.back().tasks[blocks_.back().used];
}

}  // namespace foothold
