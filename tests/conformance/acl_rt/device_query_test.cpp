// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "acl/acl.h"
#include "conformance/in_fork.h"
#include "conformance/library.h"

namespace {

using testing::HasSubstr;

TEST(aclrtGetDeviceInfo, CountsCores) {
  for (const aclrtDevAttr attr : {ACL_DEV_ATTR_AICPU_CORE_NUM, ACL_DEV_ATTR_AICORE_CORE_NUM,
                                  ACL_DEV_ATTR_CUBE_CORE_NUM, ACL_DEV_ATTR_VECTOR_CORE_NUM}) {
    int64_t value = 0;
    EXPECT_EQ(aclrtGetDeviceInfo(0, attr, &value), ACL_SUCCESS);
    EXPECT_GE(value, 1);
    EXPECT_LE(value, 1024);
  }
  const auto body = [] {
    int64_t value = 0;
    EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_CUBE_CORE_NUM, &value), ACL_SUCCESS);
    EXPECT_EQ(value, 3);
  };
  EXPECT_EQ(InFork({{"FOOTHOLD_THREADS", "3"}}, body), 0);
}

TEST(aclrtGetDeviceInfo, SaysWhichChipADeviceIs) {
  const auto body = [] {
    int64_t value = -1;
    EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_PHY_CHIP_ID, &value), ACL_SUCCESS);
    EXPECT_EQ(value, 1);
  };
  EXPECT_EQ(InFork({{"FOOTHOLD_DEVICES", "3"}, {"ASCEND_RT_VISIBLE_DEVICES", "1,2"}}, body), 0);
}

TEST(aclrtGetDeviceInfo, DoesNotInventAnswers) {
  for (const int attr : {202, 205, 403, 407, 408, 409, 12345, -1}) {
    int64_t value = 55;
    EXPECT_EQ(aclrtGetDeviceInfo(0, static_cast<aclrtDevAttr>(attr), &value),
              ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    EXPECT_EQ(value, 55);
    EXPECT_THAT(RecentError(), HasSubstr(std::to_string(attr)));
  }
  int64_t value = 55;
  EXPECT_EQ(aclrtGetDeviceInfo(99, ACL_DEV_ATTR_CUBE_CORE_NUM, &value), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST(aclrtGetDeviceCapability, KnowsItsFeatures) {
  int32_t value = 55;
  EXPECT_EQ(aclrtGetDeviceCapability(0, ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, &value), ACL_SUCCESS);
  EXPECT_EQ(value, ACL_DEV_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtGetDeviceCapability(0, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, &value), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetDeviceCapability(0, static_cast<aclrtDevFeatureType>(99), &value),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetDeviceCapability(-1, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, &value),
            ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST(aclGetDeviceCapability, AnswersCoresAndCache) {
  int64_t value = 0;
  EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_AI_CORE_NUM, &value), ACL_SUCCESS);
  EXPECT_GE(value, 1);
  EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_VECTOR_CORE_NUM, &value), ACL_SUCCESS);
  EXPECT_GE(value, 1);
  value = 55;
  EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_UNDEFINED, &value), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetDeviceCapability(9, ACL_DEVICE_INFO_AI_CORE_NUM, &value), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(value, 55);
  const aclError cache = aclGetDeviceCapability(0, ACL_DEVICE_INFO_L2_SIZE, &value);
  EXPECT_TRUE(cache == ACL_SUCCESS ? value > 1024 : cache == ACL_ERROR_FEATURE_UNSUPPORTED) << cache;
}

TEST(aclrtQueryDeviceStatus, IsNormal) {
  aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_END;
  EXPECT_EQ(aclrtQueryDeviceStatus(0, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_RT_DEVICE_STATUS_NORMAL);
  EXPECT_EQ(aclrtQueryDeviceStatus(1, &status), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST(aclrtGetDeviceUtilizationRate, IsAPercentage) {
  auto* const reserved = reinterpret_cast<aclrtUtilizationExtendInfo*>(&aclrtGetDeviceUtilizationRate);
  aclrtUtilizationInfo info = {-5, -5, -5, -5, reserved};
  EXPECT_EQ(aclrtGetDeviceUtilizationRate(0, &info), ACL_SUCCESS);
  for (const int32_t percent : {info.cubeUtilization, info.vectorUtilization, info.aicpuUtilization}) {
    EXPECT_GE(percent, 0);
    EXPECT_LE(percent, 100);
  }
  EXPECT_EQ(info.memoryUtilization, -1) << "nobody measures it";
  EXPECT_EQ(info.utilizationExtend, reserved);
  EXPECT_EQ(aclrtGetDeviceUtilizationRate(7, &info), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST(aclrtDeviceGetUuid, TellsDevicesApartAndIsTheSameInEveryProcess) {
  const auto body = [] {
    aclrtUuid first, second, again;
    EXPECT_EQ(aclrtDeviceGetUuid(0, &first), ACL_SUCCESS);
    EXPECT_EQ(aclrtDeviceGetUuid(1, &second), ACL_SUCCESS);
    EXPECT_EQ(aclrtDeviceGetUuid(0, &again), ACL_SUCCESS);
    EXPECT_NE(std::memcmp(&first, &second, sizeof(first)), 0);
    EXPECT_EQ(std::memcmp(&first, &again, sizeof(first)), 0);
    EXPECT_EQ(first.bytes[6] & 0xF0, 0x80) << "version 8";
    EXPECT_EQ(first.bytes[8] & 0xC0, 0x80) << "variant";
    const auto renumbered = [&] {
      aclrtUuid seen;
      EXPECT_EQ(aclrtDeviceGetUuid(0, &seen), ACL_SUCCESS);
      EXPECT_EQ(std::memcmp(&seen, &second, sizeof(seen)), 0) << "the device, not its number in this process";
    };
    EXPECT_EQ(InFork({{"ASCEND_RT_VISIBLE_DEVICES", "1"}}, renumbered), 0);
  };
  EXPECT_EQ(InFork({{"FOOTHOLD_DEVICES", "2"}}, body), 0);
}

TEST(aclrtDeviceGetPCIBusId, IsNotThereWithoutABus) {
  char id[16] = "untouched";
  EXPECT_EQ(aclrtDeviceGetPCIBusId(0, id, sizeof(id)), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtDeviceGetPCIBusId(0, id, 12), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDeviceGetPCIBusId(3, id, 13), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_STREQ(id, "untouched");
}

TEST(aclrtDeviceGetBareTgid, IsTheProcess) {
  int32_t pid = 0;
  EXPECT_EQ(aclrtDeviceGetBareTgid(&pid), ACL_SUCCESS);
  EXPECT_EQ(pid, getpid());
}

TEST(aclrtDeviceGetStreamPriorityRange, GoesFromSevenToZero) {
  int32_t least = -1, greatest = -1;
  EXPECT_EQ(aclrtDeviceGetStreamPriorityRange(&least, &greatest), ACL_SUCCESS);
  EXPECT_EQ(least, 7);
  EXPECT_EQ(greatest, 0);
}

TEST(aclrtCheckArchCompatibility, HoldsWithinAFamily) {
  const struct {
    const char* soc;
    int32_t compatible;
  } kCases[] = {{"Ascend910B1", 1}, {"Ascend910B4", 1}, {"Ascend910", 0}, {"Ascend310P3", 0}, {"", 0},
                {"nonsense", 0}};
  for (const auto& [soc, expected] : kCases) {
    int32_t compatible = -1;
    EXPECT_EQ(aclrtCheckArchCompatibility(soc, &compatible), ACL_SUCCESS);
    EXPECT_EQ(compatible, expected) << soc;
  }
}

// User ids 0 and 1 stand for the machine's devices 1 and 3.
TEST(DeviceIds, FollowTheVisibleDevices) {
  const auto body = [] {
    int32_t id = -1;
    EXPECT_EQ(aclrtGetLogicDevIdByUserDevId(1, &id), ACL_SUCCESS);
    EXPECT_EQ(id, 3);
    EXPECT_EQ(aclrtGetUserDevIdByLogicDevId(3, &id), ACL_SUCCESS);
    EXPECT_EQ(id, 1);
    EXPECT_EQ(aclrtGetPhyDevIdByUserDevId(0, &id), ACL_SUCCESS);
    EXPECT_EQ(id, 1);
    EXPECT_EQ(aclrtGetUserDevIdByPhyDevId(1, &id), ACL_SUCCESS);
    EXPECT_EQ(id, 0);
    EXPECT_EQ(aclrtGetPhyDevIdByLogicDevId(1, &id), ACL_SUCCESS) << "\"logic\" means the user id here";
    EXPECT_EQ(id, 3);
    EXPECT_EQ(aclrtGetLogicDevIdByPhyDevId(3, &id), ACL_SUCCESS);
    EXPECT_EQ(id, 1);
    for (const int32_t hidden : {0, 2, 4, -1}) {
      EXPECT_EQ(aclrtGetUserDevIdByPhyDevId(hidden, &id), ACL_ERROR_RT_INVALID_DEVICEID);
      EXPECT_EQ(aclrtGetUserDevIdByLogicDevId(hidden, &id), ACL_ERROR_RT_INVALID_DEVICEID);
      EXPECT_EQ(aclrtGetLogicDevIdByPhyDevId(hidden, &id), ACL_ERROR_RT_INVALID_DEVICEID);
    }
    EXPECT_EQ(aclrtGetPhyDevIdByUserDevId(2, &id), ACL_ERROR_RT_INVALID_DEVICEID);
    EXPECT_EQ(id, 1) << "untouched by failures";
  };
  EXPECT_EQ(InFork({{"FOOTHOLD_DEVICES", "4"}, {"ASCEND_RT_VISIBLE_DEVICES", "1,3"}}, body), 0);
}

TEST(aclrtDeviceCanAccessPeer, IsTrueBetweenAnyTwoDevices) {
  const auto body = [] {
    int32_t can = -1;
    EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, 0, 1), ACL_SUCCESS);
    EXPECT_EQ(can, 1);
    EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, 1, 1), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, 0, 2), ACL_ERROR_RT_INVALID_DEVICEID);
    EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, -1, 0), ACL_ERROR_RT_INVALID_DEVICEID);
  };
  EXPECT_EQ(InFork({{"FOOTHOLD_DEVICES", "2"}}, body), 0);
}

TEST(aclrtDeviceEnablePeerAccess, GoesOneWay) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const auto body = [] {
    const Library library;
    EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_ERROR_RT_CONTEXT_NULL);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    int32_t status = -1;
    EXPECT_EQ(aclrtDevicePeerAccessStatus(0, 1, &status), ACL_SUCCESS);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
    EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS) << "again is harmless";
    EXPECT_EQ(aclrtDevicePeerAccessStatus(0, 1, &status), ACL_SUCCESS);
    EXPECT_EQ(status, 1);
    EXPECT_EQ(aclrtDevicePeerAccessStatus(1, 0, &status), ACL_SUCCESS);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(aclrtDeviceDisablePeerAccess(1), ACL_SUCCESS);
    EXPECT_EQ(aclrtDevicePeerAccessStatus(0, 1, &status), ACL_SUCCESS);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(aclrtDeviceEnablePeerAccess(0, 0), ACL_ERROR_RT_PARAM_INVALID) << "the current device itself";
    EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 1), ACL_ERROR_RT_PARAM_INVALID) << "flags are reserved";
    EXPECT_EQ(aclrtDeviceEnablePeerAccess(2, 0), ACL_ERROR_RT_INVALID_DEVICEID);
    EXPECT_EQ(aclrtDeviceDisablePeerAccess(2), ACL_ERROR_RT_INVALID_DEVICEID);
    EXPECT_EQ(aclrtDevicePeerAccessStatus(0, 2, &status), ACL_ERROR_RT_INVALID_DEVICEID);
  };
  EXPECT_EQ(InFork({{"FOOTHOLD_DEVICES", "2"}}, body), 0);
}

TEST(aclrtGetDevicesTopo, IsOneKindOfConnection) {
  const auto body = [] {
    uint64_t topology = 0;
    EXPECT_EQ(aclrtGetDevicesTopo(0, 1, &topology), ACL_SUCCESS);
    EXPECT_EQ(topology, ACL_RT_DEVS_TOPOLOGY_PHB);
    EXPECT_EQ(aclrtGetDevicesTopo(0, 0, &topology), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtGetDevicesTopo(0, 2, &topology), ACL_ERROR_RT_INVALID_DEVICEID);
  };
  EXPECT_EQ(InFork({{"FOOTHOLD_DEVICES", "2"}}, body), 0);
}

TEST(aclrtSetDeviceResLimit, IsReadBackUntilReset) {
  const auto body = [] {
    uint32_t value = 0;
    EXPECT_EQ(aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, &value), ACL_SUCCESS);
    EXPECT_EQ(value, 4u) << "all there are";
    EXPECT_EQ(aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, 2), ACL_SUCCESS);
    EXPECT_EQ(aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, &value), ACL_SUCCESS);
    EXPECT_EQ(value, 2u);
    EXPECT_EQ(aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, &value), ACL_SUCCESS);
    EXPECT_EQ(value, 4u) << "each kind by itself";
    EXPECT_EQ(aclrtResetDeviceResLimit(0), ACL_SUCCESS);
    EXPECT_EQ(aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, &value), ACL_SUCCESS);
    EXPECT_EQ(value, 4u);
  };
  EXPECT_EQ(InFork({{"FOOTHOLD_THREADS", "4"}}, body), 0);
}

TEST(aclrtSetDeviceResLimit, RefusesNoCoresMoreThanThereAreAndUnknownKinds) {
  const auto body = [] {
    uint32_t value = 55;
    const auto unknown = static_cast<aclrtDevResLimitType>(2);
    EXPECT_EQ(aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, 0), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, 5), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtSetDeviceResLimit(0, unknown, 1), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtGetDeviceResLimit(0, unknown, &value), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtSetDeviceResLimit(1, ACL_RT_DEV_RES_CUBE_CORE, 1), ACL_ERROR_RT_INVALID_DEVICEID);
    EXPECT_EQ(aclrtResetDeviceResLimit(1), ACL_ERROR_RT_INVALID_DEVICEID);
    EXPECT_EQ(value, 55u);
  };
  EXPECT_EQ(InFork({{"FOOTHOLD_THREADS", "4"}}, body), 0);
}

}  // namespace
