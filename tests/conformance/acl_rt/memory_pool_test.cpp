// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "acl/acl_rt_memory_soma.h"
#include "conformance/device_fixture.h"

namespace {

class MemoryPools : public testing::Test {
 protected:
  aclrtMemPool Pool(size_t limit = 0) {
    aclrtMemPoolProps props = {};
    props.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
    props.maxSize = limit;
    aclrtMemPool pool = nullptr;
    EXPECT_OK(aclrtMemPoolCreate(&pool, &props));
    return pool;
  }
  void* Take(aclrtMemPool pool, size_t size) {
    void* block = nullptr;
    EXPECT_OK(aclrtMemPoolMallocAsync(&block, size, pool, stream_));
    return block;
  }
  static uint64_t Number(aclrtMemPool pool, aclrtMemPoolAttr attr) {
    uint64_t value = 99;
    EXPECT_OK(aclrtMemPoolGetAttr(pool, attr, &value));
    return value;
  }
  static uint64_t Reserved(aclrtMemPool pool) {
    return Number(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT);
  }
  static uint64_t Used(aclrtMemPool pool) { return Number(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT); }
  static void Keep(aclrtMemPool pool, uint64_t bytes) {
    EXPECT_OK(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, &bytes));
  }
  size_t Free() {
    size_t free = 0, total = 0;
    EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    return free;
  }

  const Session session_;
  const aclrtStream stream_ = session_.Stream();
};

TEST_F(MemoryPools, GiveBackInTheOrderOfTheStream) {
  const size_t before = Free();
  aclrtMemPool const pool = Pool();
  void* const block = Take(pool, 1 << 20);
  Gate gate;
  gate.Hold(stream_);
  EXPECT_OK(aclrtMemsetAsync(block, 1 << 20, 1, 1 << 20, stream_));
  EXPECT_OK(aclrtMemPoolFreeAsync(block, stream_));
  EXPECT_EQ(Used(pool), 1u << 20) << "the stream is not there yet";
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemPoolFreeAsync(block, stream_));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(Used(pool), 0u);
  EXPECT_EQ(Reserved(pool), 0u) << "nothing is kept unless the program says so";
  EXPECT_EQ(Free(), before);
  EXPECT_EQ(Number(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), 1u << 20);
  uint64_t zero = 0;
  EXPECT_OK(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH, &zero));
  EXPECT_EQ(Number(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), 0u);
  EXPECT_OK(aclrtMemPoolDestroy(pool));
}

TEST_F(MemoryPools, KeepWhatTheThresholdSays) {
  aclrtMemPool const pool = Pool();
  Keep(pool, 1 << 20);
  void* const block = Take(pool, 4096);
  EXPECT_OK(aclrtMemPoolFreeAsync(block, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(Reserved(pool), 4096u);
  EXPECT_EQ(Take(pool, 4096), block) << "the same block again";
  EXPECT_OK(aclrtMemPoolFreeAsync(block, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtMemPoolTrimTo(pool, 4096));
  EXPECT_EQ(Reserved(pool), 4096u);
  EXPECT_OK(aclrtMemPoolTrimTo(pool, 0));
  EXPECT_EQ(Reserved(pool), 0u);
  EXPECT_OK(aclrtMemPoolDestroy(pool));
}

TEST_F(MemoryPools, HaveALimit) {
  aclrtMemPool const pool = Pool(8192);
  Keep(pool, 8192);
  void* const block = Take(pool, 4096);
  void* other = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, aclrtMemPoolMallocAsync(&other, 8192, pool, stream_));
  EXPECT_OK(aclrtMemPoolFreeAsync(block, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtMemPoolMallocAsync(&other, 8192, pool, stream_));  // what is idle gives way
  EXPECT_OK(aclrtMemPoolFreeAsync(other, stream_));
  EXPECT_OK(aclrtMemPoolDestroy(pool));
}

TEST_F(MemoryPools, LeaveBlocksInUseWhenTheyEnd) {
  const size_t before = Free();
  aclrtMemPool const pool = Pool();
  Keep(pool, 1 << 20);
  void* const block = Take(pool, 4096);
  EXPECT_OK(aclrtMemPoolDestroy(pool));
  EXPECT_OK(aclrtMemset(block, 4096, 1, 4096));
  EXPECT_OK(aclrtMemPoolFreeAsync(block, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(Free(), before);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemPoolDestroy(pool));
}

TEST_F(MemoryPools, ForgetWhatOthersFreed) {
  aclrtMemPool const pool = Pool();
  void* const block = Take(pool, 4096);
  EXPECT_OK(aclrtFree(block));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemPoolFreeAsync(block, stream_));
  EXPECT_OK(aclrtMemPoolDestroy(pool));
}

TEST_F(MemoryPools, ServeManyThreads) {
  aclrtMemPool const pool = Pool();
  Keep(pool, 1 << 16);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      EXPECT_OK(aclrtSetCurrentContext(session_.context()));
      const aclrtStream stream = session_.Stream();
      for (int round = 0; round < 2000; ++round) {
        void* block = nullptr;
        EXPECT_OK(aclrtMemPoolMallocAsync(&block, 4096, pool, stream));
        EXPECT_OK(aclrtMemsetAsync(block, 4096, round, 4096, stream));
        EXPECT_OK(aclrtMemPoolFreeAsync(block, stream));
      }
      EXPECT_OK(aclrtSynchronizeStream(stream));
      EXPECT_OK(aclrtDestroyStream(stream));
    });
  }
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(Used(pool), 0u);
  EXPECT_LE(Reserved(pool), 1u << 17);
  EXPECT_OK(aclrtMemPoolDestroy(pool));
}

TEST_F(MemoryPools, TakeABlockBackOnceFromThreadsThatRace) {
  aclrtMemPool const pool = Pool();
  Keep(pool, 1 << 16);
  for (int round = 0; round < 200; ++round) {
    void* const block = Take(pool, 4096);
    std::atomic<int> ready = 0;
    std::atomic<int> freed = 0;
    const auto free_it = [&] {
      EXPECT_OK(aclrtSetCurrentContext(session_.context()));
      ++ready;
      while (ready < 2) {
      }
      const aclError code = aclrtMemPoolFreeAsync(block, stream_);
      EXPECT_TRUE(code == ACL_SUCCESS || code == ACL_ERROR_RT_PARAM_INVALID) << code;
      if (code == ACL_SUCCESS) ++freed;
    };
    std::thread other(free_it);
    free_it();
    other.join();
    EXPECT_EQ(freed, 1);
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(Used(pool), 0u);
  EXPECT_OK(aclrtMemPoolDestroy(pool));
}

TEST_F(MemoryPools, RefuseWhatMakesNoSense) {
  aclrtMemPoolProps props = {};
  aclrtMemPool pool = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemPoolCreate(nullptr, &props));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemPoolCreate(&pool, nullptr));
  props.location = {0, ACL_MEM_LOCATION_TYPE_HOST};
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtMemPoolCreate(&pool, &props));
  props.location = {99, ACL_MEM_LOCATION_TYPE_DEVICE};
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtMemPoolCreate(&pool, &props));
  pool = Pool();
  void* block = nullptr;
  uint64_t number = 0;
  const auto kOther = static_cast<aclrtMemPoolAttr>(9);
  for (aclrtMemPool wrong : {static_cast<void*>(nullptr), static_cast<void*>(&number), stream_}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemPoolMallocAsync(&block, 64, wrong, stream_));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemPoolTrimTo(wrong, 0));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemPoolDestroy(wrong));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
                 aclrtMemPoolGetAttr(wrong, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, &number));
  }
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemPoolMallocAsync(nullptr, 64, pool, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemPoolMallocAsync(&block, 0, pool, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemPoolFreeAsync(nullptr, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemPoolFreeAsync(session_.Cell(1), stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemPoolGetAttr(pool, kOther, &number));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemPoolSetAttr(pool, kOther, &number));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT, &number));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, nullptr));
  int32_t rule = 0;
  EXPECT_OK(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC, &rule));
  rule = 5;
  EXPECT_OK(aclrtMemPoolGetAttr(pool, ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC, &rule));
  EXPECT_EQ(rule, 0);
  EXPECT_OK(aclrtMemPoolDestroy(pool));
}

}  // namespace
