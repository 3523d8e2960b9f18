// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/task_log.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace foothold::check {
namespace {

std::vector<Touch> TouchesFrom(std::uintptr_t address, std::size_t count) {
  std::vector<Touch> touches;
  for (std::size_t i = 0; i < count; ++i)
    touches.push_back({.address = address + i, .bytes = i, .serial = 1});
  return touches;
}

void AddTask(TaskLog& log, std::uint32_t number, std::size_t touches, const SyncUse& sync = {}) {
  log.Add(sync, TouchesFrom(number, touches)).number = number;
  log.Publish();
}

TEST(TaskLogs, GiveBackWhatWasAddedInItsOrder) {
  TaskLog log;
  EXPECT_EQ(log.Front(), nullptr);
  SyncUse sync;
  sync.kind = SyncUse::Kind::kTells;
  sync.id = 7;
  AddTask(log, 1, 2);
  AddTask(log, 2, 0, sync);
  ASSERT_NE(log.Front(), nullptr);
  EXPECT_EQ(log.Front()->number, 1u);
  ASSERT_EQ(log.Front()->touches().size(), 2u);
  EXPECT_EQ(log.Front()->touches()[1].address, 2u);
  EXPECT_EQ(log.Front()->sync().kind, SyncUse::Kind::kNone);
  log.Pop();
  EXPECT_EQ(log.Front()->number, 2u);
  EXPECT_EQ(log.Front()->sync().id, 7u);
  EXPECT_TRUE(log.Front()->touches().empty());
  log.Pop();
  EXPECT_EQ(log.Front(), nullptr);
}

TEST(TaskLogs, CarrySumsOfSources) {
  TaskLog log;
  SyncUse sync;
  sync.kind = SyncUse::Kind::kTells;
  for (std::size_t count = 0; count < 200; ++count) {
    std::vector<SourceSums> sources(count);
    for (SourceSums& source : sources)
      source.bytes = count, source.sums.fill(static_cast<std::uint32_t>(count));
    log.Add(count % 2 == 0 ? sync : SyncUse{}, TouchesFrom(1, count % 3), sources);
    log.Publish();
  }
  for (std::size_t count = 0; count < 200; ++count) {
    ASSERT_NE(log.Front(), nullptr);
    EXPECT_EQ(log.Front()->touches().size(), count % 3);
    ASSERT_EQ(log.Front()->sources().size(), count);
    for (const SourceSums& source : log.Front()->sources())
      EXPECT_EQ((source.bytes + source.sums[SourceSums::kPieces - 1]), 2 * count);
    log.Pop();
  }
  EXPECT_EQ(log.Front(), nullptr);
}

TEST(TaskLogs, HideWhatIsNotPublished) {
  TaskLog log;
  log.Add({}, {});
  EXPECT_EQ(log.Front(), nullptr);
  log.Publish();
  EXPECT_NE(log.Front(), nullptr);
}

TEST(TaskLogs, ShowWhatNobodyHasLookedAtYet) {
  TaskLog log;
  std::uint32_t seen = 0;
  log.ForEach([&](const LoggedTask&) { ++seen; });
  EXPECT_EQ(seen, 0u);
  AddTask(log, 1, 1);
  AddTask(log, 2, 1);
  log.ForEach([&](const LoggedTask&) { ++seen; });
  EXPECT_EQ(seen, 2u);
}

TEST(TaskLogs, GrowAndShowAllThatIsLeft) {
  constexpr std::uint32_t kTasks = 1000;
  TaskLog log;
  for (std::uint32_t i = 0; i < kTasks; ++i)
    AddTask(log, i, i % 7 == 0 ? 500 : i % 3);  // some are longer than a piece
  for (std::uint32_t i = 0; i < 10; ++i) {
    EXPECT_EQ(log.Front()->number, i);
    log.Pop();
  }
  std::uint32_t next = 10;
  log.ForEach([&](const LoggedTask& task) {
    EXPECT_EQ(task.number, next++);
    EXPECT_EQ(task.touches().size(), task.number % 7 == 0 ? 500 : task.number % 3);
  });
  EXPECT_EQ(next, kTasks);
}

TEST(TaskLogs, AreFedByOneThreadAndDrainedByAnother) {
  constexpr std::uint32_t kTasks = 20000;
  TaskLog log;
  std::thread adds([&] {
    for (std::uint32_t i = 0; i < kTasks; ++i)
      AddTask(log, i, i % 5);
  });
  for (std::uint32_t i = 0; i < kTasks; ++i) {
    while (log.Front() == nullptr)
      std::this_thread::yield();
    ASSERT_EQ(log.Front()->number, i);
    ASSERT_EQ(log.Front()->touches().size(), i % 5);
    log.Pop();
  }
  adds.join();
  EXPECT_EQ(log.Front(), nullptr);
}

}  // namespace
}  // namespace foothold::check
