// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "acl/acl_platform.h"
#include "base/acl_log.h"
#include "conformance/device_fixture.h"

namespace {

std::string Info(aclplatformDevInfo type) {
  char text[64] = "";
  EXPECT_OK(aclplatformGetDeviceInfo(type, text, sizeof(text)));
  return text;
}

TEST(aclplatformGetDeviceInfo, KnowsWhatAMachineHas) {
  const Session session;
  EXPECT_GE(std::atoi(Info(ACL_PLATFORM_AICORE_CNT).c_str()), 1);
  EXPECT_EQ(Info(ACL_PLATFORM_CUBE_CORE_CNT), Info(ACL_PLATFORM_VECTOR_CORE_CNT));
  EXPECT_EQ(Info(ACL_PLATFORM_SOC_VERSION), aclrtGetSocName());
  size_t free = 0, total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  EXPECT_EQ(Info(ACL_PLATFORM_MEMORY_SIZE), std::to_string(total));
  char text[4];
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclplatformGetDeviceInfo(ACL_PLATFORM_SOC_VERSION, text, sizeof(text)));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclplatformGetDeviceInfo(ACL_PLATFORM_SOC_VERSION, nullptr, 64));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclplatformGetDeviceInfo(static_cast<aclplatformDevInfo>(17), text, sizeof(text)));
  EXPECT_FAILS(ACL_ERROR_FEATURE_UNSUPPORTED,
               aclplatformGetDeviceInfo(ACL_PLATFORM_L0_A_SIZE, text, sizeof(text)));
}

TEST(acllogRecord, WritesToTheLogThatTheProgramChose) {
  InChild({{"ASCEND_SLOG_PRINT_TO_STDOUT", "1"}, {"ASCEND_GLOBAL_LOG_LEVEL", "2"}}, [] {
    EXPECT_EQ(acllogCheckDebugLevel(7, ACL_ERROR), 1);
    EXPECT_EQ(acllogCheckDebugLevel(7, ACL_INFO), 0);
    testing::internal::CaptureStdout();
    acllogRecord(7, ACL_WARNING, "%d apples", 3);
    acllogRecord(7, ACL_INFO, "%d pears", 3);
    acllogRecord(7, ACL_ERROR, nullptr);
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_NE(text.find("module 7: 3 apples"), std::string::npos) << text;
    EXPECT_EQ(text.find("pears"), std::string::npos) << text;
  });
}

}  // namespace
