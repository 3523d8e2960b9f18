// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "launch/work_memory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <optional>
#include <thread>

#include "conformance/in_fork.h"

namespace foothold {
namespace {

using Block = WorkMemory::Block;
constexpr std::size_t kMany = 300 * 1024;

// A pool nobody else uses: tests of other parts run on device 0.
WorkMemory& Pool() {
  WorkMemory& pool = WorkMemory::Of(0);
  pool.DropIdle();
  return pool;
}

TEST(WorkMemory, GivesTheSameBlockAgain) {
  WorkMemory& pool = Pool();
  std::byte* first = nullptr;
  {
    const Block block(pool, kMany);
    first = block.address();
    std::memset(first, 1, kMany);
  }
  const Block again(pool, kMany - 100);
  EXPECT_EQ(again.address(), first);
}

TEST(WorkMemory, GivesBlocksThatDoNotMeet) {
  WorkMemory& pool = Pool();
  const Block a(pool, kMany), b(pool, kMany);
  EXPECT_TRUE(a.address() + kMany <= b.address() || b.address() + kMany <= a.address());
}

TEST(WorkMemory, GivesTheSmallestThatIsLargeEnough) {
  WorkMemory& pool = Pool();
  std::byte *small = nullptr, *large = nullptr;
  {
    const Block a(pool, kMany), b(pool, 4 * kMany);
    small = a.address();
    large = b.address();
  }
  const Block a(pool, kMany / 2);
  EXPECT_EQ(a.address(), small);
  const Block b(pool, kMany / 2);
  EXPECT_EQ(b.address(), large);
}

// A thread of the parent may hold the lock of its pool for ever, as a child sees it.
TEST(WorkMemory, BlocksOfAParentGoNowhereInItsChildren) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  SKIP_WHERE_FORKS_KEEP_ALLOCATORS_LOCKED();
  WorkMemory& pool = Pool();
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop)
      const Block block(pool, kMany);
  });
  for (int i = 0; i < 50 && !testing::Test::HasFailure(); ++i) {
    std::optional<Block> block(std::in_place, pool, kMany);
    const auto child = [&] {
      alarm(20);
      block.reset();
      EXPECT_NE(Block(WorkMemory::Of(0), kMany).address(), nullptr);
    };
    EXPECT_EQ(InFork({}, child), 0) << "fork " << i;
  }
  stop = true;
  busy.join();
}

TEST(WorkMemory, GivesNothingForNothing) {
  EXPECT_EQ(Block(Pool(), 0).address(), nullptr);
  EXPECT_EQ(Pool().Share(0), nullptr);
}

TEST(WorkMemory, SharedBlocksGoBackWithTheirLastHolder) {
  WorkMemory& pool = Pool();
  SharedBytes shared = pool.Share(kMany);
  std::byte* const address = shared.get();
  SharedBytes other = shared;
  shared.reset();
  EXPECT_NE(Block(pool, kMany).address(), address);
  pool.DropIdle();
  other.reset();
  EXPECT_EQ(Block(pool, kMany).address(), address);
}

TEST(WorkMemory, IsUsedByManyThreads) {
  WorkMemory& pool = Pool();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 200; ++i) {
        const std::size_t bytes = 1 + (i * 37 + static_cast<std::size_t>(t) * 11) % kMany;
        const Block block(pool, bytes);
        block.address()[0] = static_cast<std::byte>(t);
        block.address()[bytes - 1] = static_cast<std::byte>(t);
        std::this_thread::yield();
        EXPECT_EQ(block.address()[0], static_cast<std::byte>(t));
        EXPECT_EQ(block.address()[bytes - 1], static_cast<std::byte>(t));
      }
    });
  for (std::thread& thread : threads)
    thread.join();
}

}  // namespace
}  // namespace foothold
