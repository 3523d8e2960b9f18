// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What programs say about caches and about where memory is wanted: arguments are checked, and tasks run in
// the order of their stream.
#include <gtest/gtest.h>

#include "conformance/device_fixture.h"

namespace {

class MemoryHints : public testing::Test {
 protected:
  void* Managed(size_t size) {
    void* memory = nullptr;
    EXPECT_OK(aclrtMemAllocManaged(&memory, size, ACL_RT_MEM_ATTACH_GLOBAL));
    return memory;
  }

  const Session session_;
  const aclrtStream stream_ = session_.Stream();
  uint64_t* const cell_ = session_.Cell(7);
};

TEST_F(MemoryHints, OfCachesWithBarriers) {
  EXPECT_OK(aclrtCmoAsyncWithBarrier(cell_, 8, ACL_RT_CMO_TYPE_INVALID, 3, stream_));
  aclrtBarrierTaskInfo barrier = {1, {{ACL_RT_CMO_TYPE_INVALID, 3}}};
  EXPECT_OK(aclrtCmoWaitBarrier(&barrier, stream_, 0));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtCmoAsyncWithBarrier(nullptr, 8, ACL_RT_CMO_TYPE_PREFETCH, 3, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtCmoAsyncWithBarrier(cell_, 8, static_cast<aclrtCmoType>(4), 3, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCmoWaitBarrier(nullptr, stream_, 0));
  barrier.barrierNum = 7;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCmoWaitBarrier(&barrier, stream_, 0));
  barrier.barrierNum = 0;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCmoWaitBarrier(&barrier, stream_, 0));
}

TEST_F(MemoryHints, OfCachesByDescription) {
  size_t size = 0;
  EXPECT_OK(aclrtCmoGetDescSize(&size));
  void* description = nullptr;
  ASSERT_OK(aclrtMalloc(&description, size, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtCmoSetDesc(description, cell_, 8));
  EXPECT_OK(aclrtCmoAsyncWithDesc(description, ACL_RT_CMO_TYPE_PREFETCH, stream_, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtFree(cell_));
  EXPECT_OK(aclrtCmoAsyncWithDesc(description, ACL_RT_CMO_TYPE_PREFETCH, stream_, nullptr));
  EXPECT_NE(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << "the memory is gone";
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCmoGetDescSize(nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCmoSetDesc(nullptr, description, 8));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCmoSetDesc(description, nullptr, 8));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCmoSetDesc(description, description, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtCmoAsyncWithDesc(nullptr, ACL_RT_CMO_TYPE_PREFETCH, stream_, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtCmoAsyncWithDesc(description, ACL_RT_CMO_TYPE_PREFETCH, stream_, &size));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtCmoAsyncWithDesc(description, static_cast<aclrtCmoType>(9), stream_, nullptr));
  EXPECT_OK(aclrtDeviceL2CacheFlush(nullptr));
}

TEST_F(MemoryHints, OfManagedMemory) {
  void* const memory = Managed(4096);
  const aclrtMemManagedLocation device = {ACL_MEM_LOCATIONTYPE_DEVICE, 0},
                                host = {ACL_MEM_LOCATIONTYPE_HOST, 0};
  const aclrtMemManagedLocation nowhere = {ACL_MEM_LOCATIONTYPE_INVALID, 0},
                                other = {ACL_MEM_LOCATIONTYPE_DEVICE, 99};
  EXPECT_OK(aclrtMemManagedAdvise(memory, 4096, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, device));
  EXPECT_OK(aclrtMemManagedAdvise(memory, 4096, ACL_MEM_ADVISE_SET_READ_MOSTLY, nowhere));
  EXPECT_OK(aclrtMemManagedPrefetchAsync(memory, 4096, host, 0, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemManagedAdvise(cell_, 8, ACL_MEM_ADVISE_SET_READ_MOSTLY, host));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemManagedAdvise(nullptr, 8, ACL_MEM_ADVISE_SET_READ_MOSTLY, host));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemManagedAdvise(memory, 8, static_cast<aclrtMemManagedAdviseType>(6), host));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemManagedAdvise(memory, 8, ACL_MEM_ADVISE_SET_ACCESSED_BY, nowhere));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID,
               aclrtMemManagedAdvise(memory, 8, ACL_MEM_ADVISE_SET_ACCESSED_BY, other));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemManagedPrefetchAsync(memory, 0, host, 0, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemManagedPrefetchAsync(memory, 8, nowhere, 0, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemManagedPrefetchAsync(memory, 8, host, 1, stream_));
}

TEST_F(MemoryHints, OfManagedMemoryInABatch) {
  const void* memory[2] = {Managed(4096), Managed(4096)};
  size_t sizes[2] = {4096, 8};
  aclrtMemManagedLocation locations[2] = {{ACL_MEM_LOCATIONTYPE_DEVICE, 0}, {ACL_MEM_LOCATIONTYPE_HOST, 0}};
  size_t indexes[2] = {0, 1};
  const auto prefetch = [&](size_t count, size_t places, uint64_t flags) {
    return aclrtMemManagedPrefetchBatchAsync(memory, sizes, count, locations, indexes, places, flags,
                                             stream_);
  };
  EXPECT_OK(prefetch(2, 2, 0));
  EXPECT_OK(prefetch(2, 1, 0));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, prefetch(1, 2, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, prefetch(2, 0, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, prefetch(2, 2, 1));
  indexes[1] = 2;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, prefetch(2, 2, 0));
  indexes[0] = 1;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, prefetch(2, 1, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemManagedPrefetchBatchAsync(nullptr, sizes, 2, locations, indexes, 1, 0, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemManagedPrefetchBatchAsync(memory, nullptr, 2, locations, indexes, 1, 0, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemManagedPrefetchBatchAsync(memory, sizes, 2, nullptr, indexes, 1, 0, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemManagedPrefetchBatchAsync(memory, sizes, 2, locations, nullptr, 1, 0, stream_));
}

TEST_F(MemoryHints, OfOtherDevices) {
  EXPECT_OK(aclrtMemP2PMap(cell_, 8, 0, 0));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtMemP2PMap(cell_, 8, 99, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemP2PMap(nullptr, 8, 0, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemP2PMap(cell_, 8, 0, 1));
}

TEST_F(MemoryHints, AboutHostMemoryOfUnits) {
  aclrtHostMemMapCapability capability = ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED;
  EXPECT_OK(aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_AIC, &capability));
  EXPECT_EQ(capability, ACL_RT_HOST_MEM_MAP_SUPPORTED);
  EXPECT_OK(aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_RDMA, &capability));
  EXPECT_EQ(capability, ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_AIC, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtHostMemMapCapabilities(0, static_cast<aclrtHacType>(10), &capability));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID,
               aclrtHostMemMapCapabilities(99, ACL_RT_HAC_TYPE_AIC, &capability));
}

TEST_F(MemoryHints, ReserveAddressesByTheOtherName) {
  void* range = nullptr;
  EXPECT_OK(aclrtReserveMemAddressNoUCMemory(&range, 2 << 20, 0, nullptr, 0));
  EXPECT_NE(range, nullptr);
  EXPECT_OK(aclrtReleaseMemAddress(range));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReserveMemAddressNoUCMemory(nullptr, 2 << 20, 0, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReserveMemAddressNoUCMemory(&range, 2 << 20, 0, nullptr, 2));
}

TEST(aclrtDeviceSetLimit, IsReadBack) {
  size_t value = 1;
  EXPECT_OK(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE, &value));
  EXPECT_EQ(value, 0u);
  EXPECT_OK(aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, 65536));
  EXPECT_OK(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, &value));
  EXPECT_EQ(value, 65536u);
  const auto kOther = static_cast<aclrtDeviceLimit>(5);
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtDeviceSetLimit(kOther, 1));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtDeviceGetLimit(kOther, &value));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, nullptr));
}

TEST(aclrtDeviceGetByPCIBusId, FindsNothingWithoutABus) {
  int32_t device = 0;
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtDeviceGetByPCIBusId("0000:3b:00.0", &device));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceGetByPCIBusId(nullptr, &device));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceGetByPCIBusId("0000:3b:00.0", nullptr));
}

}  // namespace
