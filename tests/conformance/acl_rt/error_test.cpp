// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "acl/acl.h"
#include "conformance/library.h"

namespace {

using testing::HasSubstr;
using testing::IsNull;

TEST(aclGetRecentErrMsg, GivesATextOnceAndThenNull) {
  RecentError();
  ASSERT_EQ(aclrtGetRunMode(nullptr), ACL_ERROR_RT_PARAM_INVALID);
  const std::string text = RecentError();
  EXPECT_THAT(text, HasSubstr("aclrtGetRunMode"));
  EXPECT_THAT(text, HasSubstr("runMode"));
  EXPECT_THAT(text, HasSubstr("107000"));
  EXPECT_THAT(aclGetRecentErrMsg(), IsNull());
}

TEST(aclGetRecentErrMsg, PutsTheNewestFirst) {
  RecentError();
  aclrtSetDevice(-1);
  aclrtGetDeviceCount(nullptr);
  const std::string text = RecentError();
  ASSERT_THAT(text, HasSubstr("aclrtSetDevice"));
  EXPECT_LT(text.find("aclrtGetDeviceCount"), text.find("aclrtSetDevice"));
}

TEST(aclGetRecentErrMsg, BelongsToTheThread) {
  RecentError();
  std::thread([] {
    aclrtGetRunMode(nullptr);
    EXPECT_NE(RecentError(), "");
  }).join();
  EXPECT_THAT(aclGetRecentErrMsg(), IsNull());
}

TEST(aclrtPeekAtLastError, KeepsWhatGetTakes) {
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  ASSERT_EQ(aclrtGetRunMode(nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(aclrtPeekAtLastError, SurvivesCallsThatSucceed) {
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  ASSERT_EQ(aclrtGetRunMode(nullptr), ACL_ERROR_RT_PARAM_INVALID);
  aclrtRunMode mode;
  ASSERT_EQ(aclrtGetRunMode(&mode), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
}

TEST(aclrtPeekAtLastError, BelongsToTheThread) {
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  std::thread([] { aclrtGetRunMode(nullptr); }).join();
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(aclrtGetLastError, KnowsOneLevel) {
  const auto unknown = static_cast<aclrtLastErrLevel>(1);
  EXPECT_EQ(aclrtGetLastError(unknown), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtPeekAtLastError(unknown), ACL_ERROR_RT_PARAM_INVALID);
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
}

TEST(aclrtGetErrorVerbose, FindsAHealthyDeviceAlsoAfterAParameterError) {
  aclrtGetRunMode(nullptr);
  aclrtErrorInfo info;
  info.errorType = ACL_RT_ERROR_OTHERS;
  info.tryRepair = info.hasDetail = 1;
  EXPECT_EQ(aclrtGetErrorVerbose(0, &info), ACL_SUCCESS);
  EXPECT_EQ(info.errorType, ACL_RT_NO_ERROR);
  EXPECT_EQ(info.tryRepair, 0);
  EXPECT_EQ(info.hasDetail, 0);
  EXPECT_EQ(aclrtRepairError(0, &info), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetErrorVerbose(5, &info), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtRepairError(5, &info), ACL_ERROR_RT_INVALID_DEVICEID);
}

}  // namespace
