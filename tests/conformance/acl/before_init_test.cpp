// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Calls before aclInit: they start the library with defaults, and aclInit brings its configuration later.
// Each test needs a process where nobody has initialised or finalised yet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_dump.h"
#include "acl/acl_prof.h"
#include "conformance/config_file.h"
#include "conformance/device_fixture.h"
#include "conformance/in_fork.h"

namespace {

using testing::HasSubstr;
using testing::IsNull;

TEST(BeforeInit, QuestionsAboutTheMachineAreAnswered) {
  const auto body = [] {
    RecentError();
    aclrtRunMode mode = ACL_DEVICE;
    EXPECT_EQ(aclrtGetRunMode(&mode), ACL_SUCCESS);
    EXPECT_EQ(mode, ACL_HOST);
    EXPECT_STREQ(aclrtGetSocName(), "Ascend910B1");
    uint32_t count = 0;
    EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
    EXPECT_EQ(count, 1u);
    int32_t major = 0, minor = 0, patch = -1;
    EXPECT_EQ(aclrtGetVersion(&major, &minor, &patch), ACL_SUCCESS);
    EXPECT_THAT(aclGetRecentErrMsg(), IsNull());
  };
  EXPECT_EQ(InFork({}, body), 0);
}

TEST(BeforeInit, DevicesAndContextsAreThere) {
  const auto body = [] {
    EXPECT_OK(aclrtSetDevice(0));
    aclrtContext context = nullptr;
    EXPECT_OK(aclrtCreateContext(&context, 0));
    EXPECT_OK(aclInit(nullptr));
    aclrtContext current = nullptr;
    EXPECT_OK(aclrtGetCurrentContext(&current));
    EXPECT_EQ(current, context) << "what was made before stays";
    EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
    EXPECT_OK(aclFinalize());
  };
  EXPECT_EQ(InFork({}, body), 0);
}

TEST(BeforeInit, AContextAloneIsEnough) {
  const auto body = [] {
    aclrtContext context = nullptr;
    EXPECT_OK(aclrtCreateContext(&context, 0));
    EXPECT_OK(aclrtDestroyContext(context));
  };
  EXPECT_EQ(InFork({}, body), 0);
}

TEST(BeforeInit, ADeviceHasToBeChosenAllTheSame) {
  const auto body = [] {
    int32_t device = -1;
    aclrtContext context = nullptr;
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtGetCurrentContext(&context), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtCreateStream(&stream), ACL_ERROR_RT_CONTEXT_NULL);
  };
  EXPECT_EQ(InFork({}, body), 0);
}

TEST(BeforeInit, WorkRunsAndGoesOnThroughInit) {
  const auto body = [] {
    EXPECT_OK(aclrtSetDevice(0));
    aclrtStream stream = nullptr;
    EXPECT_OK(aclrtCreateStream(&stream));
    Gate gate;
    gate.Hold(stream);
    int ran = 0;
    EXPECT_OK(aclrtLaunchHostFunc(
        stream, [](void* count) { ++*static_cast<int*>(count); }, &ran));
    EXPECT_OK(aclInit(nullptr));
    gate.Open();
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(ran, 1);
  };
  EXPECT_EQ(InFork({}, body), 0);
}

TEST(BeforeInit, TheFirstCallsMayComeFromManyThreads) {
  const auto body = [] {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([] { EXPECT_OK(aclrtSetDevice(0)); });
    EXPECT_OK(aclInit(nullptr));
    for (auto& thread : threads)
      thread.join();
  };
  EXPECT_EQ(InFork({}, body), 0);
}

TEST(BeforeInit, InitStillBringsTheErrorScope) {
  const auto body = [] {
    EXPECT_OK(aclrtSetDevice(0));
    const ConfigFile file(R"({"err_msg_mode": "1"})");
    EXPECT_OK(aclInit(file.path()));
    RecentError();
    std::thread([] { EXPECT_NE(aclrtGetRunMode(nullptr), ACL_SUCCESS); }).join();
    EXPECT_THAT(RecentError(), HasSubstr("aclrtGetRunMode"));
  };
  EXPECT_EQ(InFork({}, body), 0);
}

TEST(BeforeInit, InitStillBringsTheDefaultDevice) {
  const auto body = [] {
    EXPECT_OK(aclrtSetDevice(0));
    const ConfigFile file(R"({"defaultDevice": {"default_device": "1"}})");
    EXPECT_OK(aclInit(file.path()));
    std::thread([] {
      int32_t device = -1;
      EXPECT_OK(aclrtGetDevice(&device));
      EXPECT_EQ(device, 1);
    }).join();
  };
  EXPECT_EQ(InFork({{"FOOTHOLD_DEVICES", "2"}}, body), 0);
}

TEST(BeforeInit, InitStillBringsDumpAndProfiler) {
  const auto body = [] {
    EXPECT_OK(aclrtSetDevice(0));
    const TemporaryDirectory output;
    const std::string path = output.path();
    const ConfigFile file(R"({"dump": {"dump_path": ")" + path +
                          R"(", "dump_list": [{}]}, "profiler": {"switch": "on", "output": ")" + path +
                          R"("}})");
    EXPECT_OK(aclInit(file.path()));
    EXPECT_STREQ(acldumpGetPath(DATA_DUMP), path.c_str());
    EXPECT_EQ(aclmdlInitDump(), ACL_ERROR_DUMP_ALREADY_RUN);
    EXPECT_EQ(aclprofInit(path.c_str(), path.size()), ACL_ERROR_PROF_ALREADY_RUN);
    EXPECT_OK(aclFinalize());
    EXPECT_FALSE(std::filesystem::is_empty(path)) << "the timeline is there";
  };
  EXPECT_EQ(InFork({}, body), 0);
}

TEST(BeforeInit, ProfilingMayBegin) {
  const auto body = [] {
    const TemporaryDirectory output;
    const std::string path = output.path();
    EXPECT_OK(aclprofInit(path.c_str(), path.size()));
    EXPECT_OK(aclprofFinalize());
  };
  EXPECT_EQ(InFork({}, body), 0);
}

TEST(BeforeInit, DumpsWantInitFirst) {
  const auto body = [] {
    EXPECT_FAILS(ACL_ERROR_UNINITIALIZE, aclmdlInitDump());
    EXPECT_OK(aclrtSetDevice(0));
    RecentError();
    EXPECT_EQ(aclmdlInitDump(), ACL_ERROR_UNINITIALIZE) << "a library that runs by itself is not initialised";
    EXPECT_THAT(RecentError(), HasSubstr("call aclInit first"));
    EXPECT_EQ(aclmdlSetDump("dump.json"), ACL_ERROR_DUMP_NOT_RUN);
    EXPECT_EQ(aclmdlFinalizeDump(), ACL_ERROR_DUMP_NOT_RUN);
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclmdlInitDump());
  };
  EXPECT_EQ(InFork({}, body), 0);
}

TEST(BeforeInit, AFailedInitLeavesEverythingAsItWas) {
  const auto body = [] {
    const auto refuse = [](const char*, size_t, void*) -> aclError { return ACL_ERROR_FAILURE; };
    EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, refuse, nullptr));
    EXPECT_EQ(aclInit(nullptr), ACL_ERROR_FAILURE);
    EXPECT_OK(aclrtSetDevice(0));
    aclrtStream stream = nullptr;
    EXPECT_OK(aclrtCreateStream(&stream));
    EXPECT_EQ(aclInit("/does/not/exist.json"), ACL_ERROR_INVALID_FILE);
    EXPECT_EQ(aclInit(nullptr), ACL_ERROR_FAILURE);
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, refuse));
    EXPECT_OK(aclInit(nullptr));
  };
  EXPECT_EQ(InFork({}, body), 0);
}

TEST(BeforeInit, CallbacksOfInitWaitForIt) {
  const auto body = [] {
    int calls = 0;
    const auto count = [](const char*, size_t, void* at) -> aclError {
      ++*static_cast<int*>(at);
      return ACL_SUCCESS;
    };
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, count, &calls));
    EXPECT_EQ(calls, 0);
    EXPECT_OK(aclInit(nullptr));
    EXPECT_EQ(calls, 1);
    EXPECT_OK(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, count));
  };
  EXPECT_EQ(InFork({}, body), 0);
}

TEST(BeforeInit, WhatWasStartedWithoutInitIsFinalisedOnce) {
  const auto body = [] {
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclFinalize());
    EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
    EXPECT_FAILS(ACL_ERROR_UNINITIALIZE, aclrtSetDevice(0));
    aclrtContext context = nullptr;
    EXPECT_FAILS(ACL_ERROR_UNINITIALIZE, aclrtCreateContext(&context, 0));
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclFinalize());
  };
  EXPECT_EQ(InFork({}, body), 0);
}

TEST(BeforeInit, AForkedChildOfAProgramThatRunsStartsAnew) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const auto body = [] {
    EXPECT_OK(aclrtSetDevice(0));
    const auto child = [] {
      int32_t device = -1;
      EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
      EXPECT_OK(aclrtSetDevice(0));
      EXPECT_OK(aclFinalize());
    };
    EXPECT_EQ(InFork({}, child), 0);
    EXPECT_OK(aclrtResetDevice(0));
  };
  EXPECT_EQ(InFork({}, body), 0);
}

}  // namespace
