// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Physical memory of one process in another: aclrtMem…ShareableHandle.
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "conformance/device_fixture.h"
#include "conformance/sharing/share_peer.h"

namespace {

constexpr const char* kBytes = "4194304";

std::string With(const char* command, const std::string& more) {
  return std::string(command) + " " + more;
}

aclrtDrvMemHandle Pages(std::size_t bytes) {
  aclrtPhysicalMemProp prop{};
  prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  prop.memAttr = ACL_HBM_MEM_HUGE;
  prop.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  aclrtDrvMemHandle handle = nullptr;
  EXPECT_OK(aclrtMallocPhysical(&handle, bytes, &prop, 0));
  return handle;
}

TEST(SharedPages, AreTheSameInBothProcesses) {
  SharePeer one, other;
  one.Get(With("pages p", kBytes));
  one.Get(With("map p", kBytes));
  one.Get("fill p 7");
  const std::string handle = one.Get("exportpages p 1");
  EXPECT_EQ(one.Get("see p"), "7") << "the pages moved with their content";
  other.Get("importpages p " + handle);
  other.Get(With("map p", kBytes));
  EXPECT_EQ(other.Get("see p"), "7");
  other.Get("fill p 9");
  EXPECT_EQ(one.Get("see p"), "9");
  one.Kill();
  EXPECT_EQ(other.Get("see p"), "9");
  other.Get("unmap p");
  EXPECT_EQ(other.Do("importpages p " + handle), ACL_ERROR_RT_IPC_ERROR);
}

TEST(SharedPages, AreForThoseOnTheWhiteList) {
  SharePeer one, other;
  one.Get(With("pages p", kBytes));
  const std::string handle = one.Get("exportpages p 0");
  EXPECT_EQ(other.Do("importpages p " + handle), ACL_ERROR_RT_NO_PERMISSION);
  one.Get("admitpages " + handle + " " + std::to_string(other.pid()));
  other.Get("importpages p " + handle);
  other.Get(With("map p", kBytes));
  EXPECT_EQ(other.Get("see p"), "0");
  EXPECT_EQ(other.Do("admitpages " + handle + " 1"), ACL_ERROR_RT_IPC_ERROR);
  EXPECT_EQ(other.Do("importpages q 12345"), ACL_ERROR_RT_IPC_ERROR);
}

TEST(SharedPages, CanBeMappedAfterTheyWereShared) {
  SharePeer one, other;
  one.Get(With("pages p", kBytes));
  const std::string handle = one.Get("exportpages p 1");
  other.Get("importpages p " + handle);
  other.Get(With("map p", kBytes));
  other.Get("fill p 5");
  one.Get(With("map p", kBytes));
  EXPECT_EQ(one.Get("see p"), "5");
  one.Get("unmap p");
  EXPECT_EQ(other.Get("see p"), "5");
  SharePeer third;
  EXPECT_EQ(third.Do("importpages p " + handle), ACL_ERROR_RT_IPC_ERROR) << "the exporter has freed it";
}

TEST(SharedPages, RefuseWrongArguments) {
  Session session;
  const aclrtDrvMemHandle pages = Pages(std::size_t{2} << 20);
  uint64_t handle = 0;
  aclrtDrvMemHandle there = nullptr;
  int32_t pid = getpid();
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemExportToShareableHandle(nullptr, ACL_MEM_HANDLE_TYPE_NONE, 0, &handle));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemExportToShareableHandle(pages, ACL_MEM_HANDLE_TYPE_NONE, 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemExportToShareableHandle(pages, ACL_MEM_HANDLE_TYPE_NONE, 2, &handle));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtMemExportToShareableHandle(pages, ACL_MEM_HANDLE_TYPE_POSIX, 0, &handle));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtMemExportToShareableHandleV2(pages, 0, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, &handle));
  ASSERT_OK(aclrtMemExportToShareableHandle(pages, ACL_MEM_HANDLE_TYPE_NONE, 0, &handle));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemExportToShareableHandle(pages, ACL_MEM_HANDLE_TYPE_NONE, 0, &handle));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtMemImportFromShareableHandle(handle, 0, &there));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtMemImportFromShareableHandle(handle, 99, &there));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemImportFromShareableHandle(handle, 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_IPC_ERROR, aclrtMemImportFromShareableHandle(0, 0, &there));
  EXPECT_OK(aclrtMemSetPidToShareableHandle(handle, &pid, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemSetPidToShareableHandle(handle, nullptr, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemSetPidToShareableHandle(handle, &pid, 0));
  EXPECT_FAILS(ACL_ERROR_RT_IPC_ERROR, aclrtMemSetPidToShareableHandle(handle + 1, &pid, 1));
}

TEST(SharedPages, HaveASecondSetOfCalls) {
  Session session;
  const aclrtDrvMemHandle pages = Pages(std::size_t{2} << 20);
  constexpr auto kDefault = ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT;
  uint64_t handle = 0;
  aclrtDrvMemHandle there = nullptr;
  int32_t pid = getpid();
  ASSERT_OK(aclrtMemExportToShareableHandleV2(pages, 1, kDefault, &handle));
  EXPECT_OK(aclrtMemSetPidToShareableHandleV2(&handle, kDefault, &pid, 1));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtMemSetPidToShareableHandleV2(&handle, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, &pid, 1));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtMemImportFromShareableHandleV2(&handle, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, 0, &there));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemImportFromShareableHandleV2(&handle, kDefault, 1, &there));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemImportFromShareableHandleV2(nullptr, kDefault, 0, &there));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtMemImportFromShareableHandleV2(&handle, kDefault, 0, &there));
}

}  // namespace
