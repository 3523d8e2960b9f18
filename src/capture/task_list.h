// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tasks in the order they were kept: they stay where they are, so steps point at them. Filled by one thread
// at a time, then read by any.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "device/task.h"

namespace foothold {

class TaskList {
 public:
  TaskList() = default;
  ~TaskList();
  TaskList(TaskList&&) noexcept = default;
  TaskList(const TaskList&) = delete;
  TaskList& operator=(const TaskList&) = delete;

  // The place for the next task, which counts from Commit on.
  Task& Reserve();
  void Commit() noexcept;

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }

  template <typename Visit>
  void ForEach(Visit&& visit) const {
    for (const Block& block : blocks_) {
      for (std::size_t i = 0; i < block.used; ++i)
        visit(block.tasks[i]);
    }
  }

 private:
  static constexpr std::size_t kFirstBlock = 16;
  static constexpr std::size_t kLargestBlock = 1024;

  struct Block {
    std::unique_ptr<Task[]> tasks;
    std::size_t room = 0;
    std::size_t used = 0;
  };

  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

}  // namespace foothold
