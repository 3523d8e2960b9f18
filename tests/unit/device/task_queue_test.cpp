// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/task_queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace foothold {
namespace {

class Number {
 public:
  Number(int value, std::shared_ptr<int> alive) : value_(value), alive_(std::move(alive)) {}
  Outcome Run(Stream&) { return Outcome::kDone; }
  std::string Describe() const { return ""; }
  void ListAccesses(std::vector<Access>&) const {}
  static constexpr bool kReplays = false;
  int value() const { return value_; }

 private:
  int value_;
  std::shared_ptr<int> alive_;
};

void Push(TaskQueue& queue, int value, const std::shared_ptr<int>& alive) {
  Task& task = queue.Reserve();
  task.type = &TaskTypeOf<Number>::kType;
  ::new (task.room) Number(value, alive);
  queue.Publish();
}

TEST(TaskQueue, HandsTasksOverInOrderAcrossChunks) {
  const auto alive = std::make_shared<int>();
  TaskQueue queue;
  EXPECT_EQ(queue.Front(), nullptr);
  constexpr int kCount = 5000;
  std::thread producer([&] {
    for (int i = 0; i < kCount; ++i)
      Push(queue, i, alive);
  });
  for (int i = 0; i < kCount;) {
    Task* task = queue.Front();
    if (task == nullptr) continue;
    ASSERT_EQ(task->As<Number>().value(), i++);
    queue.Pop();
  }
  producer.join();
  EXPECT_EQ(queue.pushed(), static_cast<std::uint64_t>(kCount));
  EXPECT_EQ(queue.done(), static_cast<std::uint64_t>(kCount));
  EXPECT_EQ(alive.use_count(), 1);
}

TEST(TaskQueue, DestroysWhatIsLeft) {
  const auto alive = std::make_shared<int>();
  {
    TaskQueue queue;
    for (int i = 0; i < 200; ++i)
      Push(queue, i, alive);
    ASSERT_NE(queue.Front(), nullptr);
    queue.Pop();
    EXPECT_EQ(alive.use_count(), 200);
  }
  EXPECT_EQ(alive.use_count(), 1);
}

}  // namespace
}  // namespace foothold
