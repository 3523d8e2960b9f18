// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Device memory: aclrtMalloc and its like, aclrtFree, aclrtFreeWithDevSync, aclrtMemFlush,
// aclrtMemInvalidate.
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "acl/acl_rt.h"
#include "conformance/device_fixture.h"
#include "conformance/in_fork.h"

namespace {

constexpr aclrtMemMallocPolicy kPolicy = ACL_MEM_MALLOC_HUGE_FIRST;

void* Allocate(size_t size) {
  void* block = nullptr;
  EXPECT_OK(aclrtMalloc(&block, size, kPolicy));
  return block;
}

size_t FreeBytes() {
  size_t free = 0;
  size_t total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  return free;
}

TEST(aclrtMalloc, GivesAlignedDistinctBlocksThatHoldData) {
  Session session;
  std::vector<std::pair<char*, size_t>> blocks;
  for (const size_t size : {1, 31, 32, 64, 1000, 4096, 100000, 3000000}) {
    auto* block = static_cast<char*>(Allocate(size));
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0u);
    std::vector<char> data(size, static_cast<char>(blocks.size() + 1));
    EXPECT_OK(aclrtMemcpy(block, size, data.data(), size, ACL_MEMCPY_HOST_TO_DEVICE));
    blocks.emplace_back(block, size);
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    const auto [block, size] = blocks[i];
    std::vector<char> data(size);
    EXPECT_OK(aclrtMemcpy(data.data(), size, block, size, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_EQ(data, std::vector<char>(size, static_cast<char>(i + 1)));
    EXPECT_OK(aclrtFree(block));
  }
}

TEST(aclrtMalloc, TakesEveryPolicy) {
  Session session;
  for (const int policy : {0, 1, 2, 3, 4, 5, 6, 7, 0x100, 0x1000, 0x1002, 77, -1}) {
    void* block = nullptr;
    EXPECT_OK(aclrtMalloc(&block, 100, static_cast<aclrtMemMallocPolicy>(policy)));
    EXPECT_OK(aclrtFree(block));
  }
}

TEST(aclrtMalloc, RefusesNothingAndNullAndLeavesTheOutputAlone) {
  Session session;
  void* block = &session;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMalloc(&block, 0, kPolicy));
  EXPECT_EQ(block, &session);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMalloc(nullptr, 10, kPolicy));
}

TEST(aclrtMalloc, NeedsADevice) {
  Session session;
  std::thread([] {
    void* block = nullptr;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, aclrtMalloc(&block, 10, kPolicy));
  }).join();
}

TEST(aclrtMalloc, SaysWhatIsThereWhenTheDeviceIsFull) {
  InChild({{"FOOTHOLD_DEVICE_MEMORY", "8M"}}, [] {
    Session session;
    void* large = Allocate(5 << 20);
    void* block = nullptr;
    RecentError();
    EXPECT_EQ(aclrtMalloc(&block, 4 << 20, kPolicy), ACL_ERROR_RT_MEMORY_ALLOCATION);
    EXPECT_EQ(block, nullptr);
    const std::string text = RecentError();
    for (const char* part :
         {"4194304", "3145728", "8388608", "5242880", "aclrtMalloc", "FOOTHOLD_DEVICE_MEMORY"}) {
      EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in: " << text;
    }
    EXPECT_OK(aclrtFree(large));
    EXPECT_OK(aclrtMalloc(&block, 8 << 20, kPolicy));
    EXPECT_EQ(FreeBytes(), 0u);
  });
}

TEST(aclrtMalloc, RefusesMoreThanAnyDeviceHas) {
  Session session;
  void* block = nullptr;
  for (const size_t size : {SIZE_MAX, SIZE_MAX - 63, SIZE_MAX / 2}) {
    EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, aclrtMalloc(&block, size, kPolicy));
  }
}

TEST(aclrtMalloc, WhatIsFreeCanBeAllocatedInOnePiece) {
  InChild({{"FOOTHOLD_DEVICE_MEMORY", "32M"}}, [] {
    Session session;
    void* small = Allocate(100);
    void* rest = nullptr;
    EXPECT_OK(aclrtMalloc(&rest, FreeBytes(), kPolicy));
    EXPECT_EQ(FreeBytes(), 0u);
    EXPECT_OK(aclrtFree(small));
    EXPECT_OK(aclrtFree(rest));
  });
}

TEST(aclrtMalloc, GivesFreedMemoryOutAgain) {
  InChild({{"FOOTHOLD_DEVICE_MEMORY", "64M"}}, [] {
    Session session;
    const size_t before = FreeBytes();
    for (int round = 0; round < 200; ++round) {
      std::vector<void*> blocks;
      for (const size_t size : {10u << 20, 3u << 20, 100u << 10, 500u})
        blocks.push_back(Allocate(size + round * 64u));
      for (void* block : blocks)
        EXPECT_OK(aclrtFree(block));
    }
    EXPECT_EQ(FreeBytes(), before);
  });
}

TEST(aclrtMalloc, ServesManyThreads) {
  Session session;
  const size_t before = FreeBytes();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      std::vector<int*> blocks;
      for (int i = 0; i < 500; ++i) {
        void* block = nullptr;
        ASSERT_OK(aclrtMalloc(&block, static_cast<size_t>(4 + i * 37), kPolicy));
        const int mark = t * 1000 + i;
        ASSERT_OK(aclrtMemcpy(block, 4, &mark, 4, ACL_MEMCPY_HOST_TO_DEVICE));
        blocks.push_back(static_cast<int*>(block));
      }
      for (int i = 0; i < 500; ++i) {
        int mark = 0;
        ASSERT_OK(aclrtMemcpy(&mark, 4, blocks[i], 4, ACL_MEMCPY_DEVICE_TO_HOST));
        ASSERT_EQ(mark, t * 1000 + i);
        ASSERT_OK(aclrtFree(blocks[i]));
      }
    });
  }
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(FreeBytes(), before);
}

TEST(aclrtMallocAlign32, RoundsUpTo32) {
  Session session;
  void* block = nullptr;
  ASSERT_OK(aclrtMallocAlign32(&block, 33, kPolicy));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 32, 0u);
  EXPECT_OK(aclrtMemset(block, 64, 1, 64));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(block, 65, 1, 65));
  EXPECT_OK(aclrtFree(block));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocAlign32(&block, 0, kPolicy));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocAlign32(nullptr, 8, kPolicy));
}

TEST(aclrtMallocCached, IsOrdinaryMemory) {
  Session session;
  void* block = nullptr;
  ASSERT_OK(aclrtMallocCached(&block, 100, kPolicy));
  EXPECT_OK(aclrtMemFlush(block, 100));
  EXPECT_OK(aclrtMemInvalidate(block, 100));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemFlush(block, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemInvalidate(block, 101));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemFlush(nullptr, 100));
  EXPECT_OK(aclrtFree(block));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemInvalidate(block, 100));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocCached(nullptr, 100, kPolicy));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocCached(&block, 0, kPolicy));
}

TEST(aclrtMallocWithCfg, TakesAConfigurationOrNone) {
  Session session;
  void* block = nullptr;
  EXPECT_OK(aclrtMallocWithCfg(&block, 100, kPolicy, nullptr));
  EXPECT_OK(aclrtFree(block));
  aclrtMallocAttribute attributes[2] = {};
  attributes[0].attr = ACL_RT_MEM_ATTR_MODULE_ID;
  attributes[0].value.moduleId = 5;
  attributes[1].attr = ACL_RT_MEM_ATTR_DEVICE_ID;
  attributes[1].value.deviceId = 0;
  aclrtMallocConfig config = {attributes, 2};
  EXPECT_OK(aclrtMallocWithCfg(&block, 100, kPolicy, &config));
  EXPECT_OK(aclrtFree(block));
  attributes[1].value.deviceId = 1000;
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtMallocWithCfg(&block, 100, kPolicy, &config));
  attributes[1].attr = static_cast<aclrtMallocAttrType>(99);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocWithCfg(&block, 100, kPolicy, &config));
  config.attrs = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocWithCfg(&block, 100, kPolicy, &config));
}

TEST(aclrtMallocForTaskScheduler, IsOrdinaryMemory) {
  Session session;
  void* block = nullptr;
  EXPECT_OK(aclrtMallocForTaskScheduler(&block, 100, kPolicy, nullptr));
  EXPECT_OK(aclrtMemset(block, 100, 0, 100));
  EXPECT_OK(aclrtFree(block));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocForTaskScheduler(&block, 0, kPolicy, nullptr));
}

TEST(aclrtMemAllocManaged, ServesHostAndDevice) {
  Session session;
  const size_t before = FreeBytes();
  void* block = nullptr;
  ASSERT_OK(aclrtMemAllocManaged(&block, 100, ACL_RT_MEM_ATTACH_GLOBAL));
  EXPECT_EQ(before - FreeBytes(), 2u << 20) << "rounded up to 2 MiB";
  auto* numbers = static_cast<int*>(block);
  numbers[0] = 42;
  int copy = 0;
  EXPECT_OK(aclrtMemcpy(&copy, 4, numbers, 4, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(copy, 42);
  EXPECT_OK(aclrtMemset(block, 2 << 20, 1, 2 << 20));
  EXPECT_EQ(numbers[0], 0x01010101);
  EXPECT_OK(aclrtFree(block));
  EXPECT_EQ(FreeBytes(), before);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(block));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemAllocManaged(&block, 100, 2));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemAllocManaged(&block, 0, ACL_RT_MEM_ATTACH_GLOBAL));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemAllocManaged(nullptr, 1, ACL_RT_MEM_ATTACH_GLOBAL));
  EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION,
               aclrtMemAllocManaged(&block, UINT64_MAX, ACL_RT_MEM_ATTACH_GLOBAL));
}

TEST(aclrtFree, RefusesEveryPointerThatIsNotItsOwn) {
  Session session;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(nullptr));
  int on_stack = 0;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(&on_stack));
  std::vector<char> on_heap(100);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(on_heap.data()));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(reinterpret_cast<void*>(0x10)));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(session.context()));
  void* pinned = nullptr;
  ASSERT_OK(aclrtMallocHost(&pinned, 100));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(pinned));
  EXPECT_OK(aclrtFreeHost(pinned));
  for (const size_t size : {100u, 1u << 20, 5u << 20}) {
    auto* block = static_cast<char*>(Allocate(size));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(block + 1));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(block + 64));
    EXPECT_OK(aclrtFree(block));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(block));
  }
}

TEST(aclrtFree, TellsTheHistoryOfADoubleFree) {
  Session session;
  void* block = nullptr;
  ASSERT_OK(aclrtMallocCached(&block, 12345, kPolicy));
  ASSERT_OK(aclrtFree(block));
  RecentError();
  EXPECT_EQ(aclrtFree(block), ACL_ERROR_RT_PARAM_INVALID);
  const std::string text = RecentError();
  for (const char* part : {"12345", "aclrtMallocCached made", "aclrtFree freed"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in: " << text;
  }
}

TEST(aclrtFree, WorksInAnyThreadAndContext) {
  Session session;
  void* block = Allocate(100);
  std::thread([&] {
    aclrtContext other = nullptr;
    EXPECT_OK(aclrtCreateContext(&other, 0));
    EXPECT_OK(aclrtFree(block));
    EXPECT_OK(aclrtDestroyContext(other));
  }).join();
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(block));
}

TEST(aclrtFree, FreesMemoryOfAnotherDevice) {
  InChild({{"FOOTHOLD_DEVICES", "2"}}, [] {
    Session session;
    void* block = Allocate(100);
    EXPECT_OK(aclrtSetDevice(1));
    EXPECT_OK(aclrtFree(block));
    EXPECT_OK(aclrtResetDevice(1));
    EXPECT_OK(aclrtSetDevice(0));
  });
}

TEST(aclrtFree, ResettingTheDeviceFreesEverything) {
  Session session;
  const size_t before = FreeBytes();
  void* block = Allocate(1 << 20);
  void* managed = nullptr;
  EXPECT_OK(aclrtMemAllocManaged(&managed, 100, ACL_RT_MEM_ATTACH_GLOBAL));
  EXPECT_OK(aclrtResetDeviceForce(0));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_EQ(FreeBytes(), before);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(block));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(managed));
}

TEST(aclrtFreeWithDevSync, WaitsForTheDevice) {
  Session session;
  aclrtStream stream = session.Stream();
  void* block = Allocate(8);
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclrtMemsetAsync(block, 8, 1, 8, stream));
  std::atomic<bool> freed{false};
  std::thread freeing([&] {
    EXPECT_OK(aclrtSetCurrentContext(session.context()));
    EXPECT_OK(aclrtFreeWithDevSync(block));
    freed = true;
  });
  ASSERT_TRUE(gate.Reached());
  EXPECT_FALSE(freed);
  gate.Open();
  freeing.join();
  EXPECT_OK(aclrtSynchronizeStream(stream)) << "the task ran before its memory was freed";
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(block));
}

TEST(aclrtFreeWithDevSync, RefusesWrongPointers) {
  Session session;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeWithDevSync(nullptr));
  int on_stack = 0;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeWithDevSync(&on_stack));
  void* block = Allocate(8);
  EXPECT_OK(aclrtFreeWithDevSync(block));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeWithDevSync(block));
}

TEST(aclrtMalloc, AForkedChildDoesNotOwnItsParentsMemory) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the sanitizer ends children that start threads";
#endif
  Session session;
  void* block = Allocate(100);
  const int status = InFork({}, [&] {
    EXPECT_OK(aclInit(nullptr));
    ASSERT_OK(aclrtSetDevice(0));
    RecentError();
    EXPECT_EQ(aclrtFree(block), ACL_ERROR_RT_PARAM_INVALID);
    const std::string text = RecentError();
    EXPECT_NE(text.find("parent"), std::string::npos) << text;
    void* own = nullptr;
    int mark = 7;
    int back = 0;
    EXPECT_OK(aclrtMalloc(&own, 4, kPolicy));
    EXPECT_OK(aclrtMemcpy(own, 4, &mark, 4, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_OK(aclrtMemcpy(&back, 4, own, 4, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_EQ(back, 7);
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy(block, 4, &mark, 4, ACL_MEMCPY_HOST_TO_DEVICE));
  });
  EXPECT_EQ(status, 0);
  EXPECT_OK(aclrtFree(block));
}

}  // namespace
