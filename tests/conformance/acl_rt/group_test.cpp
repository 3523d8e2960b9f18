// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "acl/acl.h"
#include "conformance/library.h"

namespace {

TEST(Groups, DoNotExistOnTheHostSide) {
  uint32_t count = 55;
  EXPECT_EQ(aclrtGetGroupCount(&count), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(count, 55u);
  EXPECT_EQ(aclrtSetGroup(0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  RecentError();
  EXPECT_EQ(aclrtCreateGroupInfo(), nullptr);
  EXPECT_NE(RecentError(), "");
  int something = 0;
  auto* const info = reinterpret_cast<aclrtGroupInfo*>(&something);
  size_t size = 55;
  EXPECT_EQ(aclrtGetAllGroupInfo(info), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtGetGroupInfoDetail(info, 0, ACL_GROUP_AICORE_INT, &something, sizeof(something), &size),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(size, 55u);
  EXPECT_EQ(aclrtDestroyGroupInfo(info), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

}  // namespace
