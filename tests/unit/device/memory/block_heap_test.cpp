// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory/block_heap.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include "device/memory/poison.h"

namespace foothold {
namespace {

std::uintptr_t Number(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

class BlockHeapTest : public testing::Test {
 protected:
  BlockHeap heap_{{MemoryKind::kDevice, 3, std::size_t{256} << 20}};
};

TEST_F(BlockHeapTest, KnowsABlockAtEveryByte) {
  for (const std::size_t size : {1u, 31u, 64u, 1000u, 32000u, 70000u, 5u << 20}) {
    void* block = heap_.Allocate(size, "first");
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(Number(block) % 64, 0u);
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
      const MemoryInfo info = heap_.Find(Number(block) + at);
      EXPECT_EQ(info.kind, MemoryKind::kDevice);
      EXPECT_EQ(info.device, 3);
      EXPECT_EQ(info.base, Number(block));
      EXPECT_EQ(info.size, size);
      EXPECT_STREQ(info.api, "first");
      EXPECT_NE(info.serial, 0u);
    }
  }
}

TEST_F(BlockHeapTest, TheTailBehindABlockCanBeRead) {
  for (const std::size_t size : {1u, 32u, 33u, 64u, 32736u, 65536u}) {
    const auto* block = static_cast<const volatile char*>(heap_.Allocate(size, "api"));
    for (std::size_t i = 0; i < BlockHeap::kReadableTail; ++i)
      static_cast<void>(block[size + i]);
  }
}

TEST_F(BlockHeapTest, LargeBlocksStartOnHugePages) {
  heap_.Allocate(100, "api");
  EXPECT_EQ(Number(heap_.Allocate(kHugePage, "api")) % kHugePage, 0u);
}

TEST_F(BlockHeapTest, AFreedBlockIsDeadAndRemembered) {
  void* block = heap_.Allocate(100, "maker");
  const std::uint64_t serial = heap_.Find(Number(block)).serial;
  const auto freed = heap_.Free(block, "breaker");
  ASSERT_TRUE(freed);
  EXPECT_EQ(freed->size, 100u);
  EXPECT_EQ(heap_.Find(Number(block)).kind, MemoryKind::kDead);
  EXPECT_FALSE(heap_.Find(Number(block)).alive());
  const auto memory = heap_.FindFreed(Number(block) + 50);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->block.serial, serial);
  EXPECT_STREQ(memory->block.api, "maker");
  EXPECT_STREQ(memory->freed_by, "breaker");
}

TEST_F(BlockHeapTest, FreesOnlyAtTheStartOfALiveBlock) {
  for (const std::size_t size : {100u, 100000u}) {
    char* block = static_cast<char*>(heap_.Allocate(size, "api"));
    EXPECT_FALSE(heap_.Free(block + 1, "api"));
    EXPECT_FALSE(heap_.Free(block + 64, "api"));
    EXPECT_TRUE(heap_.Free(block, "api"));
    EXPECT_FALSE(heap_.Free(block, "api"));
  }
  EXPECT_FALSE(heap_.Free(reinterpret_cast<void*>(heap_.base() + heap_.size() - 64), "api"));
  EXPECT_FALSE(heap_.Free(reinterpret_cast<void*>(heap_.base() + heap_.size()), "api"));
  EXPECT_FALSE(heap_.Free(&heap_, "api"));
}

TEST_F(BlockHeapTest, AReusedPlaceHasANewSerial) {
  void* first = heap_.Allocate(100, "api");
  const std::uint64_t serial = heap_.Find(Number(first)).serial;
  heap_.Free(first, "api");
  void* second = heap_.Allocate(100, "api");
  EXPECT_EQ(first, second) << "freed memory is warm and should be used first";
  EXPECT_GT(heap_.Find(Number(second)).serial, serial);
}

TEST_F(BlockHeapTest, GivesMemoryAboveTheCacheLimitBack) {
  void* block = heap_.Allocate(std::size_t{16} << 20, "api");
  heap_.Free(block, "api");
  EXPECT_GE(heap_.cached_bytes(), std::size_t{16} << 20);
  heap_.set_cache_limit(std::size_t{4} << 20);
  heap_.Free(heap_.Allocate(100, "api"), "api");
  EXPECT_LE(heap_.cached_bytes(), std::size_t{4} << 20);
}

TEST_F(BlockHeapTest, NamesTheLargestBlocks) {
  heap_.Allocate(100, "small");
  heap_.Allocate(1 << 20, "large");
  heap_.Allocate(5000, "middle");
  const auto largest = heap_.Largest(2);
  ASSERT_EQ(largest.size(), 2u);
  EXPECT_STREQ(largest[0].api, "large");
  EXPECT_STREQ(largest[1].api, "middle");
}

TEST_F(BlockHeapTest, FreesAllAtOnce) {
  std::vector<void*> blocks;
  for (int i = 0; i < 1000; ++i)
    blocks.push_back(heap_.Allocate(static_cast<std::size_t>(100 + i * 100), "api", 7));
  std::size_t bytes = 0;
  heap_.FreeAll("reset", [&](const BlockHeap::Freed& freed) {
    bytes += freed.size;
    EXPECT_EQ(freed.tag, 7u);
  });
  EXPECT_EQ(bytes, 1000u * 100 + 999u * 1000 / 2 * 100);
  for (void* block : blocks)
    EXPECT_FALSE(heap_.Find(Number(block)).alive());
  EXPECT_TRUE(heap_.Largest(1).empty());
}

TEST_F(BlockHeapTest, SaysWhenThereIsNoRoom) {
  EXPECT_EQ(heap_.Allocate(std::size_t{1} << 40, "api"), nullptr);
  EXPECT_EQ(heap_.Allocate(SIZE_MAX, "api"), nullptr);
  std::vector<void*> blocks;
  while (void* block = heap_.Allocate(std::size_t{10} << 20, "api"))
    blocks.push_back(block);
  EXPECT_GE(blocks.size(), 20u);
  for (void* block : blocks)
    EXPECT_TRUE(heap_.Free(block, "api"));
  EXPECT_NE(heap_.Allocate(std::size_t{100} << 20, "api"), nullptr);
}

TEST_F(BlockHeapTest, BlocksNeverOverlap) {
  std::mt19937 random(11);
  std::map<std::uintptr_t, std::size_t> live;
  for (int step = 0; step < 20000; ++step) {
    if (live.size() < 300 && random() % 2 == 0) {
      const std::size_t size = 1 + random() % (std::size_t{1} << (4 + random() % 17));
      const std::uintptr_t at = Number(heap_.Allocate(size, "api"));
      ASSERT_NE(at, 0u);
      const auto next = live.lower_bound(at);
      if (next != live.end()) {
        ASSERT_LE(at + size + BlockHeap::kReadableTail, next->first);
      }
      if (next != live.begin()) {
        ASSERT_LE(std::prev(next)->first + std::prev(next)->second + BlockHeap::kReadableTail, at);
      }
      live[at] = size;
    } else if (!live.empty()) {
      auto chosen = std::next(live.begin(), static_cast<long>(random() % live.size()));
      ASSERT_EQ(heap_.Find(chosen->first + random() % chosen->second).base, chosen->first);
      const auto freed = heap_.Free(reinterpret_cast<void*>(chosen->first), "api");
      ASSERT_TRUE(freed);
      ASSERT_EQ(freed->size, chosen->second);
      live.erase(chosen);
    }
  }
}

TEST_F(BlockHeapTest, LooksUpWhileOthersAllocateAndFree) {
  void* steady = heap_.Allocate(100, "steady");
  const MemoryInfo expected = heap_.Find(Number(steady));
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 2; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      for (int round = 0; round < 5000; ++round) {
        void* block = heap_.Allocate(1 + random() % 300000, "churn");
        heap_.Free(block, "churn");
      }
      stop = true;
    });
  }
  std::mt19937 random(9);
  while (!stop) {
    ASSERT_EQ(heap_.Find(Number(steady) + 10).serial, expected.serial);
    const MemoryInfo other = heap_.Find(heap_.base() + random() % (8u << 20));
    ASSERT_TRUE(!other.alive() || other.size >= 1);
  }
  for (auto& thread : threads)
    thread.join();
}

#ifndef NDEBUG
TEST_F(BlockHeapTest, DebugBuildsMarkFreshMemory) {
  const auto* block = static_cast<const unsigned char*>(heap_.Allocate(100, "api"));
  EXPECT_EQ(block[0], kFreshByte);
  EXPECT_EQ(block[99], kFreshByte);
}
#endif

}  // namespace
}  // namespace foothold
