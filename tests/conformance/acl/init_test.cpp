// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "conformance/config_file.h"
#include "conformance/in_fork.h"
#include "conformance/library.h"

namespace {

using testing::HasSubstr;
using testing::IsNull;

TEST(aclInit, TakesNullAndTheEmptyPathAsNoConfiguration) {
  for (const char* none : {static_cast<const char*>(nullptr), ""}) {
    aclGetRecentErrMsg();
    EXPECT_EQ(aclInit(none), ACL_SUCCESS);
    EXPECT_THAT(aclGetRecentErrMsg(), IsNull());
    EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  }
}

TEST(aclInit, AnswersARepeatWithItsOwnCodeAndStaysInitialised) {
  const Library library;
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_THAT(RecentError(), HasSubstr("initialised already"));
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
}

TEST(aclInit, LeavesTheLastErrorOfTheRuntimeAloneWhenRepeated) {
  const Library library;
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(aclInit, AcceptsAnEmptyObjectAsConfiguration) {
  const ConfigFile file("{}");
  const Library library(file.path());
}

TEST(aclInit, RefusesAFileThatIsNotThere) {
  RecentError();
  EXPECT_EQ(aclInit("/does/not/exist.json"), ACL_ERROR_INVALID_FILE);
  EXPECT_THAT(RecentError(), HasSubstr("/does/not/exist.json"));
  EXPECT_EQ(aclmdlInitDump(), ACL_ERROR_UNINITIALIZE);
}

TEST(aclInit, RefusesAFileThatIsNotJson) {
  RecentError();
  const ConfigFile file("{\"dump\": ");
  EXPECT_EQ(aclInit(file.path()), ACL_ERROR_PARSE_FILE);
  EXPECT_THAT(RecentError(), HasSubstr(file.path()));
}

TEST(aclInit, RefusesBadSectionsWithTheirOwnCodesAndLeavesNothingBehind) {
  const ConfigFile dump(R"({"dump": {"dump_mode": "sideways", "dump_path": "/tmp", "dump_list": []}})");
  EXPECT_EQ(aclInit(dump.path()), ACL_ERROR_INVALID_DUMP_CONFIG);
  const ConfigFile profiler(R"({"profiler": {"switch": "perhaps"}})");
  EXPECT_EQ(aclInit(profiler.path()), ACL_ERROR_INVALID_PROFILING_CONFIG);
  const ConfigFile queue(R"({"max_opqueue_num": "many"})");
  EXPECT_EQ(aclInit(queue.path()), ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG);
  const Library library;
}

TEST(aclInit, RefusesADefaultDeviceThatDoesNotExist) {
  const ConfigFile file(R"({"defaultDevice": {"default_device": "7"}})");
  EXPECT_EQ(aclInit(file.path()), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclmdlInitDump(), ACL_ERROR_UNINITIALIZE);
}

TEST(aclInit, GivesThreadsThatChoseNoneTheDefaultDevice) {
  const auto body = [] {
    const ConfigFile file(R"({"defaultDevice": {"default_device": "1"}})");
    const Library library(file.path());
    int32_t device = -1;
    EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
    EXPECT_EQ(device, 1);
    EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
    EXPECT_EQ(device, 0) << "an explicit choice wins";
    std::thread([] {
      int32_t mine = -1;
      aclrtContext context = nullptr;
      EXPECT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
      EXPECT_EQ(aclrtGetDevice(&mine), ACL_SUCCESS);
      EXPECT_EQ(mine, 1);
    }).join();
  };
  EXPECT_EQ(InFork({{"FOOTHOLD_DEVICES", "2"}}, body), 0);
}

TEST(aclInit, SurvivesTheLossOfTheDefaultDeviceAtOnce) {
  const ConfigFile file(R"({"defaultDevice": {"default_device": "0"}})");
  const Library library(file.path());
  const auto reset = [](int32_t device, aclrtDeviceState state, void*) {
    const bool reset_now = state == ACL_RT_DEVICE_STATE_SET_POST;
    EXPECT_EQ(reset_now ? aclrtResetDevice(device) : ACL_SUCCESS, ACL_SUCCESS);
  };
  ASSERT_OK(aclrtRegDeviceStateCallback("reset", reset, nullptr));
  int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
  ASSERT_OK(aclrtRegDeviceStateCallback("reset", nullptr, nullptr));
  EXPECT_OK(aclrtGetDevice(&device));
}

TEST(aclInit, LetsOneThreadReadTheErrorsOfAllIfToldSo) {
  const ConfigFile file(R"({"err_msg_mode": "1"})");
  const auto fail_in_a_thread = [] {
    std::thread([] { EXPECT_NE(aclrtGetRunMode(nullptr), ACL_SUCCESS); }).join();
  };
  {
    const Library library(file.path());
    fail_in_a_thread();
    EXPECT_THAT(RecentError(), HasSubstr("aclrtGetRunMode"));
  }
  const Library library;
  fail_in_a_thread();
  EXPECT_THAT(aclGetRecentErrMsg(), IsNull()) << "each round's configuration counts";
}

TEST(aclInit, IgnoresAnotherConfigurationWhenRepeated) {
  const Library library;
  const ConfigFile broken("no json");
  const ConfigFile other(R"({"defaultDevice": {"default_device": "0"}})");
  EXPECT_EQ(aclInit(broken.path()), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_EQ(aclInit(other.path()), ACL_ERROR_REPEAT_INITIALIZE);
  int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST(aclInit, DISABLED_TwiceWithDifferentFiles) {
  const Library library(std::getenv("FIRST_CONFIG"));
  EXPECT_EQ(aclInit(std::getenv("SECOND_CONFIG")), ACL_ERROR_REPEAT_INITIALIZE);
}

TEST(aclInit, NamesTheIgnoredConfigurationInTheLog) {
  const TemporaryDirectory logs;
  const ConfigFile first("{}");
  const ConfigFile second(R"({"defaultDevice": {"default_device": "0"}})");
  const int status = InNewProgram("aclInit.DISABLED_TwiceWithDifferentFiles",
                                  {{"FIRST_CONFIG", first.path()},
                                   {"SECOND_CONFIG", second.path()},
                                   {"ASCEND_SLOG_PRINT_TO_STDOUT", "0"},
                                   {"ASCEND_PROCESS_LOG_PATH", logs.path().c_str()},
                                   {"ASCEND_GLOBAL_LOG_LEVEL", "2"}});
  EXPECT_EQ(status, 0);
  EXPECT_THAT(logs.AllText(),
              AllOf(HasSubstr("[WARNING]"), HasSubstr(first.path()), HasSubstr(second.path())));
}

TEST(aclInit, WorksAgainAfterFinalize) {
  for (int round = 0; round < 3; ++round) {
    const Library library;
    EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  }
}

TEST(aclInit, IsDoneByOneOfManyThreads) {
  std::atomic<int> first{0};
  std::atomic<int> repeated{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const aclError result = aclInit(nullptr);
      first += result == ACL_SUCCESS;
      repeated += result == ACL_ERROR_REPEAT_INITIALIZE;
      EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS) << "initialised when it returns, whoever did it";
    });
  }
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(first, 1);
  EXPECT_EQ(repeated, 7);
  for (uint64_t expected = 8; expected-- > 0;) {
    uint64_t left = 99;
    EXPECT_EQ(aclFinalizeReference(&left), ACL_SUCCESS);
    EXPECT_EQ(left, expected);
  }
  EXPECT_EQ(aclrtSetDevice(0), ACL_ERROR_UNINITIALIZE);
}

TEST(aclFinalize, NeedsAnInitialisation) {
  const auto body = [] {
    EXPECT_EQ(aclFinalize(), ACL_ERROR_UNINITIALIZE);
    EXPECT_THAT(RecentError(), HasSubstr("aclInit was not called"));
    uint64_t count = 77;
    EXPECT_EQ(aclFinalizeReference(&count), ACL_ERROR_UNINITIALIZE);
    EXPECT_EQ(count, 77u);
  };
  EXPECT_EQ(InFork({}, body), 0);
}

TEST(aclFinalize, EndsAtOnceWhateverTheReferences) {
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetDevice(0), ACL_ERROR_UNINITIALIZE);
  EXPECT_THAT(RecentError(), HasSubstr("aclFinalize"));
  EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
  EXPECT_EQ(aclFinalizeReference(nullptr), ACL_ERROR_REPEAT_FINALIZE);
}

TEST(aclFinalize, TakesDevicesAndContextsAlong) {
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtSetCurrentContext(context), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtResetDevice(0), ACL_ERROR_RT_PARAM_INVALID);
}

TEST(aclFinalizeReference, CountsDownToTheEnd) {
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  ASSERT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  uint64_t count = 0;
  EXPECT_EQ(aclFinalizeReference(&count), ACL_SUCCESS);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(aclFinalizeReference(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS) << "one reference is left";
  EXPECT_EQ(aclFinalizeReference(&count), ACL_SUCCESS);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(aclFinalizeReference(&count), ACL_ERROR_REPEAT_FINALIZE);
}

TEST(Fork, GivesTheChildALibraryOfItsOwn) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const Library library;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtContext parents = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&parents), ACL_SUCCESS);
  const auto body = [&] {
    int32_t device = -1;
    EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL)
        << "the parent's context is not the child's";
    EXPECT_EQ(aclrtSetCurrentContext(parents), ACL_ERROR_RT_PARAM_INVALID);
    RecentError();
    EXPECT_EQ(aclmdlInitDump(), ACL_ERROR_UNINITIALIZE);
    EXPECT_THAT(RecentError(), HasSubstr("forked"));
    EXPECT_STREQ(aclrtGetSocName(), "Ascend910B1");
    const Library own;
    EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  };
  EXPECT_EQ(InFork({}, body), 0);
  int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS) << "the parent goes on undisturbed";
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST(Fork, LetsTheChildFinaliseWhatItInheritedOnce) {
  const Library library;
  const auto body = [] {
    EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
    EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
  };
  EXPECT_EQ(InFork({}, body), 0);
}

}  // namespace
