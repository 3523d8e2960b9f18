// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/order.h"

#include <gtest/gtest.h>

#include <utility>

#include "check/failed_tasks.h"
#include "check/pool_blocks.h"

namespace foothold::check {
namespace {

constexpr std::uint64_t kSerial = 0x7777'7777;

QueuedTask KernelThatWritesToTheHost() {
  QueuedTask task;
  task.call = "aclrtLaunchKernel";
  task.sort = SortOf(task.call);
  task.touches.push_back({.address = 64, .bytes = 64, .serial = kSerial, .write = true, .to_host = true});
  return task;
}

TEST(Order, AwaitsNothingOfAStreamThatHasEnded) {
  for (const bool ignored : {false, true}) {
    const int key = 0;
    const StreamName stream{&key, 1, false};
    if (ignored) Ignore(true);
    TaskQueued(stream, KernelThatWritesToTheHost());
    if (ignored) Ignore(false);
    EXPECT_TRUE(IsHostWriteAwaited(kSerial)) << "it may write anything";
    StreamEnds(stream, false, 0);
    EXPECT_FALSE(IsHostWriteAwaited(kSerial)) << ignored;
  }
}

// Another thread may destroy the stream while a task is looked at.
TEST(Order, KeepsWhatATaskTouchesWhenItsStreamEnds) {
  const int keys[2] = {};
  const StreamName stream{&keys[0], 1, false}, other{&keys[1], 2, false};
  QueuedTask task;
  task.touches.push_back({.address = 64, .bytes = 8});
  SourceSums sums;
  sums.bytes = 8;
  task.sources = {&sums, 1};
  TaskQueued(stream, std::move(task));
  const TaskStart start = TaskBegins(stream, 0);
  ASSERT_EQ(start.touches.size(), 1u);
  StreamEnds(stream, false, 0);
  QueuedTask next;
  next.touches.push_back({.address = 4096, .bytes = 4096});
  TaskQueued(other, std::move(next));
  EXPECT_EQ(start.touches[0].address, 64u);
  ASSERT_EQ(start.sources.size(), 1u);
  EXPECT_EQ(start.sources[0].bytes, 8u);
  TaskEnds(stream, 0);
  StreamEnds(other, false, 0);
}

}  // namespace
}  // namespace foothold::check
