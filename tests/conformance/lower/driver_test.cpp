// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of the driver's library, the log's and the layer for operating systems that prebuilt programs
// call.
#include <gmock/gmock.h>

#include <array>

#include "conformance/device_fixture.h"
#include "conformance/lower/by_name.h"

namespace {

TEST(halGetDeviceInfo, TellsTheRateOfStamps) {
  auto* const tell = ByName<int(uint32_t, int32_t, int32_t, int64_t*)>("halGetDeviceInfo");
  int64_t kilohertz = 0;
  EXPECT_OK(tell(0, 0, 24, &kilohertz));
  EXPECT_EQ(kilohertz, 1'000'000) << "nanoseconds, as MsprofSysCycleTime counts";
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, tell(0, 0, 1, &kilohertz));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, tell(999, 0, 24, &kilohertz));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, tell(0, 0, 24, nullptr));
}

TEST(halGetAPIVersion, LeavesStampsToTheClock) {
  auto* const tell = ByName<int(int32_t*)>("halGetAPIVersion");
  int32_t version = 0;
  EXPECT_OK(tell(&version));
  EXPECT_GT(version, 0);
  EXPECT_LT(version, 0x071905) << "from here on programs read the processor's counter";
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, tell(nullptr));
}

TEST(halHostRegister, MakesMemoryOfTheProgramReachable) {
  const Session session;
  auto* const enter = ByName<int(void*, uint64_t, uint32_t, uint32_t, void**)>("halHostRegister");
  auto* const leave = ByName<int(void*, uint32_t)>("halHostUnregister");
  alignas(4096) static std::array<char, 8192> memory;
  void* device = nullptr;
  ASSERT_OK(enter(memory.data(), memory.size(), 0, 0, &device));
  EXPECT_NE(device, nullptr);
  EXPECT_OK(aclrtMemset(device, memory.size(), 7, memory.size()));
  EXPECT_EQ(memory.back(), 7);
  EXPECT_OK(leave(memory.data(), 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, leave(memory.data(), 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, enter(memory.data(), memory.size(), 0, 0, nullptr));
}

TEST(mmGetTid, IsTheNumberOfTheThread) {
  EXPECT_EQ(ByName<int()>("mmGetTid")(), gettid());
}

TEST(CheckLogLevel, SaysWhetherRecordsAreWritten) {
  auto* const writes = ByName<int(int, int)>("_Z13CheckLogLevelii");
  EXPECT_EQ(writes(3, 4), 0) << "nothing is a record of level none";
  EXPECT_LE(writes(3, 0), writes(3, 3)) << "who writes details also writes errors";
  ByName<void()>("_Z9DlogFlushv")();
}

}  // namespace
