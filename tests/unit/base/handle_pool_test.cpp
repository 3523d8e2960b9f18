// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/handle_pool.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace foothold {
namespace {

struct Thing : Handled {
  int value = 0;
};

TEST(HandlePool, FindsWhatWasPublishedUntilItIsRetired) {
  HandlePool<Thing> pool(HandleKind::kEvent);
  Thing& thing = pool.Take();
  EXPECT_EQ(pool.Find(thing.handle()), nullptr);
  void* const handle = pool.Publish(thing);
  EXPECT_EQ(pool.Find(handle), &thing);
  EXPECT_EQ(pool.in_use(), 1u);
  EXPECT_TRUE(pool.Retire(thing, handle));
  EXPECT_FALSE(pool.Retire(thing, handle)) << "one caller ends it";
  EXPECT_EQ(pool.Find(handle), nullptr);
  pool.Recycle(thing);
  EXPECT_EQ(pool.in_use(), 0u);
}

TEST(HandlePool, GivesARecycledObjectANewHandle) {
  HandlePool<Thing> pool(HandleKind::kEvent);
  Thing& first = pool.Take();
  void* const old_handle = pool.Publish(first);
  pool.Retire(first, old_handle);
  pool.Recycle(first);
  Thing& second = pool.Take();
  EXPECT_EQ(&second, &first);
  void* const handle = pool.Publish(second);
  EXPECT_NE(handle, old_handle);
  EXPECT_EQ(pool.Find(old_handle), nullptr);
  EXPECT_FALSE(second.IsCurrent(old_handle));
  EXPECT_TRUE(second.IsCurrent(handle));
}

TEST(HandlePool, TakesNullForNothing) {
  HandlePool<Thing> pool(HandleKind::kEvent);
  Thing& thing = pool.Take();
  EXPECT_FALSE(thing.IsCurrent(nullptr)) << "not even while it has no handle";
  EXPECT_EQ(pool.Find(nullptr), nullptr);
  EXPECT_FALSE(pool.Retire(thing, nullptr));
}

TEST(HandlePool, TellsOtherKindsAndMadeUpHandlesApart) {
  HandlePool<Thing> events(HandleKind::kEvent);
  HandlePool<Thing> streams(HandleKind::kStream);
  void* const event = events.Publish(events.Take());
  EXPECT_EQ(streams.Find(event), nullptr);
  streams.Publish(streams.Take());
  EXPECT_EQ(streams.Find(event), nullptr);
  const std::uint64_t real = HandleValue(event);
  for (const std::uint64_t value :
       {std::uint64_t{1}, ~std::uint64_t{0}, real + 16, real ^ (std::uint64_t{1} << 40)})
    EXPECT_EQ(events.Find(reinterpret_cast<void*>(value)), nullptr);
}

TEST(HandlePool, TellsKindsApartThatDoNotFitIntoTheTag) {
  HandlePool<Thing> contexts(HandleKind::kContext), options(HandleKind::kGraphDumpOption);
  void* const context = contexts.Publish(contexts.Take());
  void* const option = options.Publish(options.Take());
  EXPECT_EQ(HandleValue(context) >> 56, HandleValue(option) >> 56) << "or the test shows nothing";
  EXPECT_NE(options.Find(option), nullptr);
  EXPECT_EQ(options.Find(context), nullptr);
  EXPECT_EQ(contexts.Find(option), nullptr);
  EXPECT_TRUE(IsHandleOf(HandleKind::kGraphDumpOption, option));
  EXPECT_FALSE(IsHandleOf(HandleKind::kContext, option));
  EXPECT_NE(DescribeHandle(option).find("graph dump option"), std::string::npos);
}

TEST(HandlePool, GrowsWithoutMovingObjects) {
  HandlePool<Thing> pool(HandleKind::kEvent);
  std::vector<void*> handles;
  std::set<Thing*> objects;
  for (int i = 0; i < 5000; ++i) {
    Thing& thing = pool.Take();
    thing.value = i;
    objects.insert(&thing);
    handles.push_back(pool.Publish(thing));
  }
  EXPECT_EQ(objects.size(), 5000u);
  for (int i = 0; i < 5000; ++i)
    EXPECT_EQ(pool.Find(handles[static_cast<std::size_t>(i)])->value, i);
  int visited = 0;
  pool.ForEach([&](Thing&) { ++visited; });
  EXPECT_EQ(visited, 5000);
}

TEST(HandlePool, GrowsWhileOthersSearch) {
  HandlePool<Thing> pool(HandleKind::kEvent);
  Thing& first = pool.Take();
  void* const handle = pool.Publish(first);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        void* const mine = pool.Publish(pool.Take());
        EXPECT_NE(pool.Find(mine), nullptr);
        EXPECT_EQ(pool.Find(handle), &first);
      }
    });
  }
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(pool.in_use(), 6001u);
}

}  // namespace
}  // namespace foothold
