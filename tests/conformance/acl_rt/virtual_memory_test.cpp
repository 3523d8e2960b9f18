// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Addresses and pages apart: reserve, allocate, map, use, unmap, free, release.
#include <cstdint>
#include <cstring>
#include <vector>

#include "acl/acl_rt.h"
#include "conformance/device_fixture.h"

namespace {

constexpr size_t kGranule = 2 << 20;

class VirtualMemory : public testing::Test {
 protected:
  static aclrtPhysicalMemProp Properties(uint32_t device = 0) {
    aclrtPhysicalMemProp prop = {};
    prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
    prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
    prop.memAttr = ACL_HBM_MEM_HUGE;
    prop.location = {device, ACL_MEM_LOCATION_TYPE_DEVICE};
    return prop;
  }
  char* Reserve(size_t size) {
    void* range = nullptr;
    EXPECT_OK(aclrtReserveMemAddress(&range, size, 0, nullptr, 0));
    return static_cast<char*>(range);
  }
  aclrtDrvMemHandle Pages(size_t size, uint32_t device = 0) {
    const aclrtPhysicalMemProp prop = Properties(device);
    aclrtDrvMemHandle handle = nullptr;
    EXPECT_OK(aclrtMallocPhysical(&handle, size, &prop, 0));
    return handle;
  }
  size_t FreeBytes() {
    size_t free = 0;
    size_t total = 0;
    EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    return free;
  }
  int Get(const char* at) {
    char value = 0;
    EXPECT_OK(aclrtMemcpy(&value, 1, at, 1, ACL_MEMCPY_DEVICE_TO_HOST));
    return value;
  }

  Session session_;
};
using aclrtMapMemTest = VirtualMemory;
using aclrtReserveMemAddressTest = VirtualMemory;
using aclrtMallocPhysicalTest = VirtualMemory;
using aclrtMemSetAccessTest = VirtualMemory;
using aclrtMemGetAllocationGranularityTest = VirtualMemory;
using aclrtMemRetainAllocationHandleTest = VirtualMemory;

TEST_F(aclrtMemGetAllocationGranularityTest, IsAHugePage) {
  aclrtPhysicalMemProp prop = Properties();
  size_t granularity = 0;
  EXPECT_OK(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity));
  EXPECT_EQ(granularity, kGranule);
  EXPECT_OK(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED, &granularity));
  EXPECT_EQ(granularity, kGranule);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemGetAllocationGranularity(nullptr, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF, &granularity));
  prop.location.id = 1000;
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID,
               aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity));
}

TEST_F(aclrtMapMemTest, TheWholeLifeOfAMapping) {
  const size_t before = FreeBytes();
  char* range = Reserve(8 * kGranule);
  EXPECT_EQ(FreeBytes(), before) << "addresses cost nothing";
  aclrtDrvMemHandle pages = Pages(2 * kGranule);
  EXPECT_EQ(FreeBytes(), before - 2 * kGranule) << "pages count";
  ASSERT_OK(aclrtMapMem(range + kGranule, 2 * kGranule, 0, pages, 0));
  EXPECT_OK(aclrtMemset(range + kGranule, 2 * kGranule, 9, 2 * kGranule));
  EXPECT_EQ(Get(range + 3 * kGranule - 1), 9);
  EXPECT_OK(aclrtUnmapMem(range + kGranule));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(range + kGranule, 8, 0, 8));
  EXPECT_OK(aclrtFreePhysical(pages));
  EXPECT_EQ(FreeBytes(), before);
  EXPECT_OK(aclrtReleaseMemAddress(range));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReleaseMemAddress(range));
}

TEST_F(aclrtMapMemTest, ContentMovesWithThePages) {
  char* range = Reserve(4 * kGranule);
  aclrtDrvMemHandle pages = Pages(kGranule);
  ASSERT_OK(aclrtMapMem(range, kGranule, 0, pages, 0));
  ASSERT_OK(aclrtMemset(range, kGranule, 5, kGranule));
  ASSERT_OK(aclrtUnmapMem(range));
  ASSERT_OK(aclrtMapMem(range + 2 * kGranule, kGranule, 0, pages, 0));
  EXPECT_EQ(Get(range + 2 * kGranule), 5);
  EXPECT_OK(aclrtUnmapMem(range + 2 * kGranule));
  EXPECT_OK(aclrtFreePhysical(pages));
  EXPECT_OK(aclrtReleaseMemAddress(range));
}

TEST_F(aclrtMapMemTest, AGrowingBufferIsOnePieceForCopies) {
  char* range = Reserve(4 * kGranule);
  aclrtDrvMemHandle first = Pages(kGranule);
  aclrtDrvMemHandle second = Pages(kGranule);
  ASSERT_OK(aclrtMapMem(range, kGranule, 0, first, 0));
  const std::vector<char> data(2 * kGranule, 3);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpy(range, 2 * kGranule, data.data(), 2 * kGranule, ACL_MEMCPY_HOST_TO_DEVICE));
  ASSERT_OK(aclrtMapMem(range + kGranule, kGranule, 0, second, 0));
  EXPECT_OK(aclrtMemcpy(range, 2 * kGranule, data.data(), 2 * kGranule, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_EQ(Get(range + kGranule - 1), 3);
  EXPECT_EQ(Get(range + kGranule), 3);
  EXPECT_OK(aclrtUnmapMem(range));
  EXPECT_OK(aclrtUnmapMem(range + kGranule));
  EXPECT_OK(aclrtFreePhysical(first));
  EXPECT_OK(aclrtFreePhysical(second));
  EXPECT_OK(aclrtReleaseMemAddress(range));
}

TEST_F(aclrtMapMemTest, PagesFreedWhileMappedStayUntilTheyAreUnmapped) {
  const size_t before = FreeBytes();
  char* range = Reserve(kGranule);
  aclrtDrvMemHandle pages = Pages(kGranule);
  ASSERT_OK(aclrtMapMem(range, kGranule, 0, pages, 0));
  EXPECT_OK(aclrtFreePhysical(pages));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreePhysical(pages));
  EXPECT_OK(aclrtMemset(range, kGranule, 1, kGranule));
  EXPECT_EQ(FreeBytes(), before - kGranule);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReleaseMemAddress(range));
  EXPECT_OK(aclrtUnmapMem(range));
  EXPECT_EQ(FreeBytes(), before);
  EXPECT_OK(aclrtReleaseMemAddress(range));
}

TEST_F(aclrtMapMemTest, RefusesWrongArguments) {
  char* range = Reserve(2 * kGranule);
  aclrtDrvMemHandle pages = Pages(kGranule);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMapMem(nullptr, kGranule, 0, pages, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMapMem(range, 2 * kGranule, 0, pages, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMapMem(range, kGranule, 4096, pages, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMapMem(range, kGranule, 0, pages, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMapMem(range, kGranule, 0, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMapMem(range, kGranule, 0, range, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMapMem(range + kGranule + 4096, kGranule, 0, pages, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMapMem(range + 1, kGranule, 0, pages, 0));
  alignas(4096) static char outside[4096];
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMapMem(outside, kGranule, 0, pages, 0));
  ASSERT_OK(aclrtMapMem(range, kGranule, 0, pages, 0));
  aclrtDrvMemHandle other = Pages(kGranule);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMapMem(range, kGranule, 0, other, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMapMem(range + 4096, kGranule, 0, other, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtUnmapMem(nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtUnmapMem(range + 4096));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtUnmapMem(range + kGranule));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(range));
  EXPECT_OK(aclrtUnmapMem(range));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtUnmapMem(range));
  EXPECT_OK(aclrtFreePhysical(pages));
  EXPECT_OK(aclrtFreePhysical(other));
  EXPECT_OK(aclrtReleaseMemAddress(range));
}

TEST_F(aclrtMapMemTest, DoesNotMixDevices) {
  InChild({{"FOOTHOLD_DEVICES", "2"}}, [this] {
    char* range = Reserve(2 * kGranule);
    aclrtDrvMemHandle mine = Pages(kGranule, 0);
    aclrtDrvMemHandle other = Pages(kGranule, 1);
    ASSERT_OK(aclrtMapMem(range, kGranule, 0, mine, 0));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMapMem(range + kGranule, kGranule, 0, other, 0));
    EXPECT_OK(aclrtUnmapMem(range));
    EXPECT_OK(aclrtMapMem(range + kGranule, kGranule, 0, other, 0));
    EXPECT_OK(aclrtUnmapMem(range + kGranule));
  });
}

TEST_F(aclrtMapMemTest, ATaskFailsWhenItsMappingIsGone) {
  aclrtStream stream = session_.Stream();
  char* range = Reserve(kGranule);
  aclrtDrvMemHandle pages = Pages(kGranule);
  ASSERT_OK(aclrtMapMem(range, kGranule, 0, pages, 0));
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclrtMemsetAsync(range, 100, 1, 100, stream));
  ASSERT_OK(aclrtUnmapMem(range));
  gate.Open();
  EXPECT_FAILS(ACL_ERROR_RT_SYS_DMA, aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtFreePhysical(pages));
  EXPECT_OK(aclrtReleaseMemAddress(range));
}

TEST_F(aclrtMapMemTest, AResetFreesThePages) {
  const size_t before = FreeBytes();
  char* range = Reserve(2 * kGranule);
  aclrtDrvMemHandle mapped = Pages(kGranule);
  aclrtDrvMemHandle loose = Pages(kGranule);
  ASSERT_OK(aclrtMapMem(range, kGranule, 0, mapped, 0));
  EXPECT_OK(aclrtResetDeviceForce(0));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_EQ(FreeBytes(), before);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreePhysical(mapped));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreePhysical(loose));
  EXPECT_OK(aclrtReleaseMemAddress(range));
}

TEST_F(aclrtReserveMemAddressTest, AlignsAndTakesAWish) {
  void* range = nullptr;
  ASSERT_OK(aclrtReserveMemAddress(&range, kGranule, 0, nullptr, 1));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(range) % kGranule, 0u);
  void* wish = range;
  EXPECT_OK(aclrtReleaseMemAddress(range));
  ASSERT_OK(aclrtReserveMemAddress(&range, kGranule, 0, wish, 0));
  EXPECT_EQ(range, wish);
  void* second = nullptr;
  ASSERT_OK(aclrtReserveMemAddress(&second, kGranule, 0, wish, 0)) << "a wish that cannot be met is no error";
  EXPECT_NE(second, wish);
  EXPECT_OK(aclrtReleaseMemAddress(range));
  EXPECT_OK(aclrtReleaseMemAddress(second));
  ASSERT_OK(aclrtReserveMemAddress(&range, kGranule, 64 << 20, nullptr, 0));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(range) % (64 << 20), 0u);
  EXPECT_OK(aclrtReleaseMemAddress(range));
}

TEST_F(aclrtReserveMemAddressTest, TakesAsManyBytesAsAreFree) {
  size_t free = 0, total = 0;
  ASSERT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  for (const size_t size : {size_t{1000}, free, free - 1}) {
    void* range = nullptr;
    ASSERT_OK(aclrtReserveMemAddress(&range, size, 0, nullptr, 1)) << size;
    EXPECT_OK(aclrtReleaseMemAddress(range));
  }
}

TEST_F(aclrtReserveMemAddressTest, RefusesWrongArguments) {
  void* range = &session_;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReserveMemAddress(nullptr, kGranule, 0, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReserveMemAddress(&range, 0, 0, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReserveMemAddress(&range, kGranule, 3, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReserveMemAddress(&range, kGranule, 0, nullptr, 2));
  EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION,
               aclrtReserveMemAddress(&range, size_t{1} << 60, 0, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION,
               aclrtReserveMemAddress(&range, SIZE_MAX / 4096 * 4096, 0, nullptr, 0));
  EXPECT_EQ(range, &session_);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReleaseMemAddress(nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtReleaseMemAddress(&range));
}

TEST_F(aclrtMallocPhysicalTest, RefusesWrongArguments) {
  aclrtDrvMemHandle handle = nullptr;
  aclrtPhysicalMemProp prop = Properties();
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocPhysical(nullptr, kGranule, &prop, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocPhysical(&handle, kGranule, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocPhysical(&handle, 0, &prop, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocPhysical(&handle, kGranule + 4096, &prop, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocPhysical(&handle, kGranule, &prop, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreePhysical(nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreePhysical(session_.context()));
  prop.location.id = 1000;
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtMallocPhysical(&handle, kGranule, &prop, 0));
  prop = Properties();
  prop.location.type = ACL_MEM_LOCATION_TYPE_HOST;
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtMallocPhysical(&handle, kGranule, &prop, 0));
  prop = Properties();
  prop.handleType = static_cast<aclrtMemHandleType>(7);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocPhysical(&handle, kGranule, &prop, 0));
  prop = Properties();
  prop.allocationType = static_cast<aclrtMemAllocationType>(7);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMallocPhysical(&handle, kGranule, &prop, 0));
}

TEST_F(aclrtMallocPhysicalTest, CountsAgainstTheDevice) {
  InChild({{"FOOTHOLD_DEVICE_MEMORY", "8M"}}, [this] {
    aclrtDrvMemHandle all = Pages(8 << 20);
    aclrtDrvMemHandle more = nullptr;
    const aclrtPhysicalMemProp prop = Properties();
    EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, aclrtMallocPhysical(&more, kGranule, &prop, 0));
    void* block = nullptr;
    EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, aclrtMalloc(&block, 1, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtFreePhysical(all));
    EXPECT_OK(aclrtMalloc(&block, 1, ACL_MEM_MALLOC_HUGE_FIRST));
  });
}

TEST_F(aclrtMemSetAccessTest, OpensWhatWasMappedWithoutAccess) {
  char* range = Reserve(kGranule);
  aclrtDrvMemHandle pages = Pages(kGranule);
  ASSERT_OK(aclrtMemMapNoAccess(range, kGranule, 0, pages, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(range, 8, 1, 8));
  aclrtMemLocation location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  uint64_t flags = 99;
  EXPECT_OK(aclrtMemGetAccess(range, &location, &flags));
  EXPECT_EQ(flags, ACL_RT_MEM_ACCESS_FLAGS_NONE);
  aclrtMemAccessDesc access = {};
  access.flags = ACL_RT_MEM_ACCESS_FLAGS_READWRITE;
  access.location = location;
  EXPECT_OK(aclrtMemSetAccess(range, kGranule, &access, 1));
  EXPECT_OK(aclrtMemGetAccess(range, &location, &flags));
  EXPECT_EQ(flags, ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
  EXPECT_OK(aclrtMemset(range, kGranule, 4, kGranule));
  access.flags = ACL_RT_MEM_ACCESS_FLAGS_READ;
  EXPECT_OK(aclrtMemSetAccess(range, kGranule, &access, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(range, 8, 1, 8));
  EXPECT_EQ(Get(range), 4);
  EXPECT_OK(aclrtUnmapMem(range));
  EXPECT_OK(aclrtFreePhysical(pages));
  EXPECT_OK(aclrtReleaseMemAddress(range));
}

TEST_F(aclrtMemSetAccessTest, RefusesWrongArguments) {
  char* range = Reserve(2 * kGranule);
  aclrtDrvMemHandle pages = Pages(kGranule);
  ASSERT_OK(aclrtMapMem(range, kGranule, 0, pages, 0));
  aclrtMemAccessDesc access = {};
  access.flags = ACL_RT_MEM_ACCESS_FLAGS_READWRITE;
  access.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemSetAccess(nullptr, kGranule, &access, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemSetAccess(range, kGranule, nullptr, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemSetAccess(range, kGranule, &access, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemSetAccess(range, 2 * kGranule, &access, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemSetAccess(range + kGranule, kGranule, &access, 1));
  access.flags = static_cast<aclrtMemAccessFlags>(2);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemSetAccess(range, kGranule, &access, 1));
  access.flags = ACL_RT_MEM_ACCESS_FLAGS_READ;
  access.location.id = 1000;
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtMemSetAccess(range, kGranule, &access, 1));
  access.location = {0, static_cast<aclrtMemLocationType>(9)};
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemSetAccess(range, kGranule, &access, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemMapNoAccess(nullptr, kGranule, 0, pages, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemMapNoAccess(range, kGranule, 0, pages, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemMapNoAccess(range + kGranule, kGranule, 1, pages, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemMapNoAccess(range + kGranule, kGranule, 0, nullptr, 0));
  uint64_t flags = 0;
  aclrtMemLocation location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemGetAccess(range + kGranule, &location, &flags));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemGetAccess(range, nullptr, &flags));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemGetAccess(range, &location, nullptr));
}

TEST_F(aclrtMemRetainAllocationHandleTest, GivesAnotherReference) {
  const size_t before = FreeBytes();
  char* range = Reserve(kGranule);
  aclrtDrvMemHandle pages = Pages(kGranule);
  ASSERT_OK(aclrtMapMem(range, kGranule, 0, pages, 0));
  aclrtDrvMemHandle again = nullptr;
  EXPECT_OK(aclrtMemRetainAllocationHandle(range + 100, &again));
  EXPECT_EQ(again, pages);
  aclrtPhysicalMemProp prop = {};
  EXPECT_OK(aclrtMemGetAllocationPropertiesFromHandle(again, &prop));
  EXPECT_EQ(prop.memAttr, ACL_HBM_MEM_HUGE);
  EXPECT_EQ(prop.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_OK(aclrtUnmapMem(range));
  EXPECT_OK(aclrtFreePhysical(pages));
  EXPECT_EQ(FreeBytes(), before - kGranule);
  EXPECT_OK(aclrtFreePhysical(again));
  EXPECT_EQ(FreeBytes(), before);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemRetainAllocationHandle(range, &again));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemGetAllocationPropertiesFromHandle(pages, &prop));
  EXPECT_OK(aclrtReleaseMemAddress(range));
}

}  // namespace
