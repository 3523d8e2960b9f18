// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Questions about memory: aclrtGetMemInfo, aclrtGetMemUsageInfo, aclrtPointerGetAttributes,
// aclrtMemGetAddressRange, aclrtGetMemUceInfo, aclrtMemUceRepair.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl_rt.h"
#include "conformance/device_fixture.h"

namespace {

TEST(aclrtGetMemInfo, AnswersForEveryKindOfMemory) {
  Session session;
  for (int attr = ACL_DDR_MEM; attr <= ACL_MEM_P2P_HUGE1G; ++attr) {
    size_t free = 1;
    size_t total = 1;
    EXPECT_OK(aclrtGetMemInfo(static_cast<aclrtMemAttr>(attr), &free, &total));
    EXPECT_LE(free, total);
  }
  for (const auto attr : {ACL_DDR_MEM, ACL_HBM_MEM, ACL_HBM_MEM_HUGE, ACL_HBM_MEM_NORMAL}) {
    size_t free = 0;
    size_t total = 0;
    EXPECT_OK(aclrtGetMemInfo(attr, &free, &total));
    EXPECT_GT(total, 0u);
  }
}

TEST(aclrtGetMemInfo, HasNothingOfWhatDoesNotExist) {
  Session session;
  for (const int attr : {static_cast<int>(ACL_HBM_MEM_HUGE1G), 99, -1}) {
    size_t free = 1;
    size_t total = 1;
    EXPECT_OK(aclrtGetMemInfo(static_cast<aclrtMemAttr>(attr), &free, &total));
    EXPECT_EQ(free, 0u);
    EXPECT_EQ(total, 0u);
  }
}

TEST(aclrtGetMemInfo, AddsUpExactly) {
  InChild({{"FOOTHOLD_DEVICE_MEMORY", "100M"}}, [] {
    Session session;
    size_t before = 0;
    size_t total = 0;
    EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total));
    EXPECT_EQ(total, 100u << 20);
    EXPECT_EQ(before, total);
    size_t used = 0;
    std::vector<void*> blocks;
    for (const size_t size : {64u, 128u, 64u * 1000, 5u << 20}) {
      void* block = nullptr;
      ASSERT_OK(aclrtMalloc(&block, size, ACL_MEM_MALLOC_HUGE_FIRST));
      blocks.push_back(block);
      used += size;
      size_t free = 0;
      EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
      EXPECT_EQ(free + used, total);
    }
    for (void* block : blocks)
      EXPECT_OK(aclrtFree(block));
    size_t after = 0;
    EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total));
    EXPECT_EQ(after, before);
  });
}

TEST(aclrtGetMemInfo, RefusesNullAndNeedsADevice) {
  Session session;
  size_t value = 0;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &value));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetMemInfo(ACL_HBM_MEM, &value, nullptr));
  std::thread([] {
    size_t free = 0;
    size_t total = 0;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  }).join();
}

TEST(aclrtGetMemUsageInfo, CountsByModule) {
  Session session;
  aclrtMallocAttribute attribute = {};
  attribute.attr = ACL_RT_MEM_ATTR_MODULE_ID;
  attribute.value.moduleId = 33;
  aclrtMallocConfig config = {&attribute, 1};
  void* block = nullptr;
  ASSERT_OK(aclrtMallocWithCfg(&block, 6400, ACL_MEM_MALLOC_HUGE_FIRST, &config));
  const auto find = [] {
    aclrtMemUsageInfo infos[64];
    size_t count = 0;
    EXPECT_OK(aclrtGetMemUsageInfo(0, infos, 64, &count));
    for (size_t i = 0; i < count; ++i) {
      if (std::string(infos[i].name) == "MODULE_33") return infos[i];
    }
    ADD_FAILURE() << "the module is missing";
    return aclrtMemUsageInfo{};
  };
  EXPECT_EQ(find().curMemSize, 6400u);
  EXPECT_OK(aclrtFree(block));
  EXPECT_EQ(find().curMemSize, 0u);
  EXPECT_GE(find().memPeakSize, 6400u);
  aclrtMemUsageInfo info;
  size_t count = 0;
  EXPECT_OK(aclrtGetMemUsageInfo(0, &info, 1, &count));
  EXPECT_EQ(count, 1u);
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtGetMemUsageInfo(1000, &info, 1, &count));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetMemUsageInfo(0, nullptr, 1, &count));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetMemUsageInfo(0, &info, 0, &count));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetMemUsageInfo(0, &info, 1, nullptr));
}

aclrtPtrAttributes AttributesOf(const void* address) {
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(address, &attributes));
  return attributes;
}

TEST(aclrtPointerGetAttributes, TellsDeviceFromHost) {
  Session session;
  void* device = nullptr;
  void* large = nullptr;
  void* pinned = nullptr;
  void* managed = nullptr;
  ASSERT_OK(aclrtMalloc(&device, 100, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtMalloc(&large, 8 << 20, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtMallocHost(&pinned, 100));
  ASSERT_OK(aclrtMemAllocManaged(&managed, 100, ACL_RT_MEM_ATTACH_GLOBAL));
  int pageable = 0;
  EXPECT_EQ(AttributesOf(device).location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(AttributesOf(static_cast<char*>(device) + 50).location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(AttributesOf(device).location.id, 0u);
  EXPECT_EQ(AttributesOf(device).pageSize, 4096u);
  EXPECT_EQ(AttributesOf(large).pageSize, 2u << 20);
  EXPECT_EQ(AttributesOf(pinned).location.type, ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_EQ(AttributesOf(managed).location.type, ACL_MEM_LOCATION_TYPE_MANAGED);
  EXPECT_EQ(AttributesOf(&pageable).location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  EXPECT_OK(aclrtFree(device));
  EXPECT_EQ(AttributesOf(device).location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  aclrtPtrAttributes attributes;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtPointerGetAttributes(nullptr, &attributes));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtPointerGetAttributes(large, nullptr));
}

TEST(aclrtPointerGetAttributes, NamesTheDevice) {
  InChild({{"FOOTHOLD_DEVICES", "2"}}, [] {
    Session session;
    ASSERT_OK(aclrtSetDevice(1));
    void* device = nullptr;
    ASSERT_OK(aclrtMalloc(&device, 100, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtSetDevice(0));
    EXPECT_EQ(AttributesOf(device).location.id, 1u);
  });
}

TEST(aclrtMemGetAddressRange, FindsTheAllocation) {
  Session session;
  void* device = nullptr;
  ASSERT_OK(aclrtMalloc(&device, 1000, ACL_MEM_MALLOC_HUGE_FIRST));
  void* base = nullptr;
  size_t size = 0;
  EXPECT_OK(aclrtMemGetAddressRange(static_cast<char*>(device) + 999, &base, &size));
  EXPECT_EQ(base, device);
  EXPECT_EQ(size, 1000u);
  int pageable = 0;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemGetAddressRange(&pageable, &base, &size));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemGetAddressRange(nullptr, &base, &size));
  EXPECT_OK(aclrtFree(device));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemGetAddressRange(device, &base, &size));
}

TEST(aclrtGetMemUceInfo, AHealthyDeviceHasNone) {
  Session session;
  aclrtMemUceInfo infos[4] = {};
  size_t found = 99;
  EXPECT_OK(aclrtGetMemUceInfo(0, infos, 4, &found));
  EXPECT_EQ(found, 0u);
  EXPECT_OK(aclrtMemUceRepair(0, infos, 4));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtGetMemUceInfo(1000, infos, 4, &found));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetMemUceInfo(0, nullptr, 4, &found));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetMemUceInfo(0, infos, 4, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtMemUceRepair(-1, infos, 4));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemUceRepair(0, nullptr, 4));
}

}  // namespace
