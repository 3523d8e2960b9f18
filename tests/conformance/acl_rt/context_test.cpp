// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "conformance/in_fork.h"
#include "conformance/library.h"

namespace {

using testing::HasSubstr;

aclrtContext Current() {
  aclrtContext context = nullptr;
  EXPECT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  return context;
}

aclrtContext Create(int32_t device = 0) {
  aclrtContext context = nullptr;
  EXPECT_EQ(aclrtCreateContext(&context, device), ACL_SUCCESS);
  return context;
}

TEST(aclrtCreateContext, NeedsNoDeviceChosenBeforeAndBecomesCurrent) {
  const Library library;
  const aclrtContext context = Create();
  EXPECT_NE(context, nullptr);
  EXPECT_EQ(Current(), context);
  int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
}

TEST(aclrtCreateContext, BringsADefaultStreamOfItsOwn) {
  const Library library;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtStream first = nullptr, second = nullptr;
  EXPECT_EQ(aclrtCtxGetCurrentDefaultStream(&first), ACL_SUCCESS);
  const aclrtContext context = Create();
  EXPECT_EQ(aclrtCtxGetCurrentDefaultStream(&second), ACL_SUCCESS);
  EXPECT_NE(first, nullptr);
  EXPECT_NE(second, nullptr);
  EXPECT_NE(first, second);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
}

TEST(aclrtCreateContext, RefusesDevicesThatDoNotExist) {
  const Library library;
  aclrtContext context = nullptr;
  EXPECT_EQ(aclrtCreateContext(&context, 1), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtCreateContext(&context, -1), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(context, nullptr);
  EXPECT_EQ(aclrtCreateContext(nullptr, 0), ACL_ERROR_RT_PARAM_INVALID);
}

TEST(aclrtDestroyContext, LeavesTheThreadWithoutAContext) {
  const Library library;
  const aclrtContext context = Create();
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  aclrtContext current = nullptr;
  EXPECT_EQ(aclrtGetCurrentContext(&current), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_THAT(RecentError(), HasSubstr("destroyed"));
  EXPECT_EQ(aclrtDestroyContext(context), ACL_ERROR_RT_PARAM_INVALID) << "twice";
}

TEST(aclrtDestroyContext, RefusesTheDefaultContext) {
  const Library library;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyContext(Current()), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_THAT(RecentError(), HasSubstr("aclrtResetDevice"));
  int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS) << "it is still there";
}

TEST(aclrtDestroyContext, RefusesWhatIsNoContext) {
  const Library library;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  int on_the_stack = 0;
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&stream), ACL_SUCCESS);
  for (void* handle :
       {static_cast<void*>(nullptr), static_cast<void*>(&on_the_stack), static_cast<void*>(stream),
        reinterpret_cast<void*>(uintptr_t{1}), reinterpret_cast<void*>(~uintptr_t{0})}) {
    EXPECT_EQ(aclrtDestroyContext(handle), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtSetCurrentContext(handle), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_NE(RecentError(), "");
  }
}

TEST(aclrtDestroyContext, RefusesToWaitForTheCallbackItIsCalledFrom) {
  const Session session;
  static aclrtContext context;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  const aclrtStream stream = session.Stream();
  ASSERT_OK(aclrtLaunchHostFunc(
      stream, [](void*) { EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtDestroyContext(context)); },
      nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtDestroyContext(context));
}

TEST(aclrtDestroyContext, SucceedsInOneOfManyThreads) {
  const Library library;
  for (int round = 0; round < 30; ++round) {
    const aclrtContext context = Create();
    std::atomic<int> succeeded{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] { succeeded += aclrtDestroyContext(context) == ACL_SUCCESS; });
    }
    for (auto& thread : threads)
      thread.join();
    EXPECT_EQ(succeeded, 1);
  }
}

TEST(aclrtSetCurrentContext, SwitchesTheDeviceToo) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const auto body = [] {
    const Library library;
    const aclrtContext first = Create(0);
    const aclrtContext second = Create(1);
    int32_t device = -1;
    EXPECT_EQ(aclrtSetCurrentContext(first), ACL_SUCCESS);
    EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
    EXPECT_EQ(device, 0);
    EXPECT_EQ(aclrtSetCurrentContext(second), ACL_SUCCESS);
    EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
    EXPECT_EQ(device, 1);
    EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_NE(Current(), first) << "the last of SetDevice and SetCurrentContext wins";
    EXPECT_EQ(aclrtDestroyContext(first), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyContext(second), ACL_SUCCESS);
  };
  EXPECT_EQ(InFork({{"FOOTHOLD_DEVICES", "2"}}, body), 0);
}

TEST(aclrtSetCurrentContext, MayBeDoneInManyThreadsAtOnce) {
  const Library library;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  const aclrtContext context = Current();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([context] {
      aclrtContext none = nullptr;
      EXPECT_EQ(aclrtGetCurrentContext(&none), ACL_ERROR_RT_CONTEXT_NULL) << "a new thread has none";
      EXPECT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
      EXPECT_EQ(Current(), context);
    });
  }
  for (auto& thread : threads)
    thread.join();
}

TEST(aclrtSetCurrentContext, KeepsTheOldOneWhenItFails) {
  const Library library;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  const aclrtContext before = Current();
  EXPECT_EQ(aclrtSetCurrentContext(nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(Current(), before);
}

TEST(aclrtGetPrimaryCtxState, TellsWhetherTheDeviceIsInUse) {
  const Library library;
  uint32_t flags = 55;
  int32_t active = -1;
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, &flags, &active), ACL_SUCCESS);
  EXPECT_EQ(active, 0);
  EXPECT_EQ(flags, 0u);
  const aclrtContext context = Create();
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, nullptr, &active), ACL_SUCCESS);
  EXPECT_EQ(active, 0) << "an explicit context is not the default one";
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, nullptr, &active), ACL_SUCCESS);
  EXPECT_EQ(active, 1);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, nullptr, &active), ACL_SUCCESS);
  EXPECT_EQ(active, 0);
  EXPECT_EQ(aclrtGetPrimaryCtxState(1, nullptr, &active), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, &flags, nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

TEST(aclrtCtxSetSysParamOpt, BelongsToTheContext) {
  const Library library;
  int64_t value = 55;
  EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), ACL_ERROR_RT_CONTEXT_NULL);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_ERROR_RT_SYSPARAMOPT_NOT_SET);
  EXPECT_EQ(value, 55);
  EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 1);
  const aclrtContext other = Create();
  EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_ERROR_RT_SYSPARAMOPT_NOT_SET);
  EXPECT_EQ(aclrtDestroyContext(other), ACL_SUCCESS);
  const auto unknown = static_cast<aclSysParamOpt>(99);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtCtxSetSysParamOpt(unknown, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCtxGetSysParamOpt(unknown, &value), ACL_ERROR_RT_PARAM_INVALID);
}

TEST(Contexts, MayComeAndGoInManyThreads) {
  const Library library;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  const aclrtContext shared = Current();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([shared] {
      for (int round = 0; round < 50; ++round) {
        const aclrtContext mine = Create();
        EXPECT_EQ(aclrtSetCurrentContext(shared), ACL_SUCCESS);
        EXPECT_EQ(aclrtDestroyContext(mine), ACL_SUCCESS);
        EXPECT_EQ(Current(), shared);
      }
    });
  }
  for (auto& thread : threads)
    thread.join();
}

}  // namespace
