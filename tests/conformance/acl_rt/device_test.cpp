// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "conformance/in_fork.h"
#include "conformance/library.h"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A step of a sequence and what it answers: "set", "reset", "force".
struct Step {
  const char* name;
  bool succeeds;
};

aclError Do(const char* name) {
  const std::string step = name;
  if (step == "set") return aclrtSetDevice(0);
  return step == "reset" ? aclrtResetDevice(0) : aclrtResetDeviceForce(0);
}

void Follow(const std::vector<Step>& steps) {
  const Library library;
  for (const Step& step : steps) {
    const aclError result = Do(step.name);
    EXPECT_EQ(result == ACL_SUCCESS, step.succeeds) << step.name;
    EXPECT_EQ(RecentError() == "", step.succeeds) << step.name;
  }
}

TEST(aclrtSetDevice, MakesTheDefaultContextOfTheDeviceCurrent) {
  const Library library;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
  EXPECT_EQ(device, 0);
  aclrtContext mine = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&mine), ACL_SUCCESS);
  std::thread([&] {
    aclrtContext other = nullptr;
    EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(aclrtGetCurrentContext(&other), ACL_SUCCESS);
    EXPECT_EQ(other, mine) << "one default context per device, shared by all threads";
  }).join();
}

TEST(aclrtSetDevice, RefusesDevicesThatDoNotExist) {
  const Library library;
  for (const int32_t device : {-1, 1, 64, INT32_MAX, INT32_MIN}) {
    EXPECT_EQ(aclrtSetDevice(device), ACL_ERROR_RT_INVALID_DEVICEID);
    EXPECT_THAT(RecentError(), HasSubstr(std::to_string(device)));
  }
}

TEST(aclrtSetDevice, SwitchesBetweenDevices) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const auto body = [] {
    const Library library;
    for (const int32_t wanted : {0, 2, 1, 0}) {
      int32_t device = -1;
      EXPECT_EQ(aclrtSetDevice(wanted), ACL_SUCCESS);
      EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
      EXPECT_EQ(device, wanted);
    }
    EXPECT_EQ(aclrtSetDevice(3), ACL_ERROR_RT_INVALID_DEVICEID);
    int32_t device = -1;
    EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
    EXPECT_EQ(device, 0) << "a failed choice changes nothing";
  };
  EXPECT_EQ(InFork({{"FOOTHOLD_DEVICES", "3"}}, body), 0);
}

TEST(aclrtResetDevice, IsLegalOncePerSet) {
  Follow({{"set", true}, {"reset", true}});
  Follow({{"set", true}, {"set", true}, {"reset", true}, {"reset", true}, {"reset", false}});
  Follow({{"set", true}, {"reset", true}, {"set", true}, {"reset", true}});
}

TEST(aclrtResetDevice, FailsWithoutAUser) {
  Follow({{"reset", false}});
  Follow({{"force", false}});
  Follow({{"set", true}, {"reset", true}, {"reset", false}});
  Follow({{"set", true}, {"reset", true}, {"force", false}});
  Follow({{"set", true}, {"force", true}, {"reset", false}});
  Follow({{"set", true}, {"set", true}, {"force", true}, {"reset", false}});
}

TEST(aclrtResetDevice, KeepsTheDeviceUntilTheLastUserLeaves) {
  const Library library;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  int32_t device = -1;
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST(aclrtResetDevice, EndsOldContextsForGood) {
  const Library library;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtContext old = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&old), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetCurrentContext(old), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtContext fresh = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&fresh), ACL_SUCCESS);
  EXPECT_NE(fresh, old) << "an old handle never means a new context";
  EXPECT_EQ(aclrtSetCurrentContext(old), ACL_ERROR_RT_PARAM_INVALID);
}

TEST(aclrtResetDevice, OfOneDeviceLeavesOthersAlone) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const auto body = [] {
    const Library library;
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    int32_t device = -1;
    EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
    EXPECT_EQ(device, 1);
    EXPECT_EQ(aclrtResetDevice(2), ACL_ERROR_RT_INVALID_DEVICEID);
  };
  EXPECT_EQ(InFork({{"FOOTHOLD_DEVICES", "2"}}, body), 0);
}

TEST(aclrtResetDeviceForce, EndsItWhateverTheCount) {
  Follow({{"set", true}, {"set", true}, {"force", true}, {"force", false}});
  Follow({{"set", true}, {"reset", true}, {"set", true}, {"force", true}});
  Follow({{"set", true}, {"set", true}, {"reset", true}, {"force", true}});
}

TEST(aclrtResetDeviceForce, SucceedsInOneOfTwoThreads) {
  const Library library;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  std::thread([] { EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS); }).join();
  EXPECT_EQ(aclrtResetDeviceForce(0), ACL_SUCCESS);
  std::thread([] { EXPECT_EQ(aclrtResetDeviceForce(0), ACL_ERROR_RT_PARAM_INVALID); }).join();
}

TEST(aclrtResetDeviceForce, TakesTheContextFromOtherThreads) {
  const Library library;
  std::atomic<int> stage{0};
  std::thread other([&] {
    EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    stage = 1;
    stage.notify_all();
    stage.wait(1);
    int32_t device = -1;
    EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS) << "and it may choose again";
    EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
  });
  stage.wait(0);
  EXPECT_EQ(aclrtResetDeviceForce(0), ACL_SUCCESS);
  stage = 2;
  stage.notify_all();
  other.join();
}

// Of all resets that race for the last use exactly one succeeds.
TEST(aclrtResetDevice, CountsRightInManyThreads) {
  const Library library;
  for (int round = 0; round < 50; ++round) {
    constexpr int kThreads = 4;
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    std::atomic<int> succeeded{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] { succeeded += aclrtResetDevice(0) == ACL_SUCCESS; });
    }
    for (auto& thread : threads)
      thread.join();
    EXPECT_EQ(succeeded, 2);
  }
}

TEST(aclrtSetDevice, AndResetMayMeetInManyThreads) {
  const Library library;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 100; ++round) {
        int32_t device = -1;
        EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
        EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
        EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
      }
    });
  }
  for (auto& thread : threads)
    thread.join();
}

TEST(aclrtGetDevice, FailsInAThreadThatChoseNone) {
  const Library library;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  std::thread([] {
    int32_t device = 55;
    EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(device, 55) << "a failed call writes nothing";
    EXPECT_THAT(RecentError(), HasSubstr("aclrtSetDevice"));
  }).join();
}

TEST(aclrtGetDeviceCount, FollowsTheVisibleDevices) {
  const struct {
    const char* visible;
    uint32_t count;
  } kCases[] = {{"0", 1},   {"0,1,3", 3}, {"1,2", 2}, {"2,1", 1}, {"0,9,1", 1},
                {"1;2", 1}, {"", 0},      {"x", 0},   {"-1", 0}};
  for (const auto& [visible, expected] : kCases) {
    const auto body = [expected = expected] {
      uint32_t count = 99;
      EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
      EXPECT_EQ(count, expected);
    };
    EXPECT_EQ(InFork({{"FOOTHOLD_DEVICES", "4"}, {"ASCEND_RT_VISIBLE_DEVICES", visible}}, body), 0)
        << visible;
  }
}

TEST(aclrtGetSocName, HasNoAnswerWithoutADevice) {
  const auto body = [] {
    EXPECT_EQ(aclrtGetSocName(), nullptr);
    EXPECT_NE(RecentError(), "");
  };
  EXPECT_EQ(InFork({{"ASCEND_RT_VISIBLE_DEVICES", ""}}, body), 0);
}

TEST(aclrtGetSocName, CanBeChosen) {
  const auto body = [] { EXPECT_STREQ(aclrtGetSocName(), "Ascend310P3"); };
  EXPECT_EQ(InFork({{"FOOTHOLD_SOC_NAME", "Ascend310P3"}}, body), 0);
}

struct Seen {
  std::vector<std::string> states;
};

void NoteState(int32_t device, aclrtDeviceState state, void* seen) {
  static_cast<Seen*>(seen)->states.push_back(std::to_string(device) + ":" + std::to_string(state));
}
void ResetInside(int32_t device, aclrtDeviceState state, void* result) {
  if (state == ACL_RT_DEVICE_STATE_RESET_PRE) *static_cast<aclError*>(result) = aclrtSetDevice(device);
}
void ThrowInside(int32_t, aclrtDeviceState, void*) {
  throw 5;
}

TEST(aclrtRegDeviceStateCallback, IsToldOfEverySetAndEveryRelease) {
  const Library library;
  Seen seen;
  ASSERT_EQ(aclrtRegDeviceStateCallback("mine", NoteState, &seen), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_THAT(seen.states, ElementsAre("0:0", "0:1", "0:0", "0:1"));
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_THAT(seen.states, ElementsAre("0:0", "0:1", "0:0", "0:1", "0:2", "0:3"));
  EXPECT_EQ(aclrtRegDeviceStateCallback("mine", nullptr, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(seen.states.size(), 6u) << "a null callback unregisters";
}

TEST(aclrtRegDeviceStateCallback, RefusesANameThatIsTaken) {
  Seen seen;
  ASSERT_EQ(aclrtRegDeviceStateCallback("taken", NoteState, &seen), ACL_SUCCESS);
  EXPECT_EQ(aclrtRegDeviceStateCallback("taken", NoteState, &seen), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_THAT(RecentError(), HasSubstr("taken"));
  EXPECT_EQ(aclrtRegDeviceStateCallback("taken", nullptr, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtRegDeviceStateCallback("taken", NoteState, &seen), ACL_SUCCESS);
  EXPECT_EQ(aclrtRegDeviceStateCallback("taken", nullptr, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtRegDeviceStateCallback("", NoteState, &seen), ACL_ERROR_RT_PARAM_INVALID);
}

TEST(aclrtRegDeviceStateCallback, MayNotChooseADeviceThatIsBeingReset) {
  const Library library;
  aclError inside = ACL_SUCCESS;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtRegDeviceStateCallback("inside", ResetInside, &inside), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(inside, ACL_ERROR_RT_PARAM_INVALID) << "refused, where waiting would never end";
  EXPECT_EQ(aclrtRegDeviceStateCallback("inside", nullptr, nullptr), ACL_SUCCESS);
}

TEST(aclrtRegDeviceStateCallback, MayThrowWithoutHarm) {
  const Library library;
  ASSERT_EQ(aclrtRegDeviceStateCallback("throws", ThrowInside, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtRegDeviceStateCallback("throws", nullptr, nullptr), ACL_SUCCESS);
}

TEST(aclrtSetTsDevice, KnowsTwoSchedulers) {
  EXPECT_EQ(aclrtSetTsDevice(ACL_TS_ID_AICORE), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetTsDevice(ACL_TS_ID_AIVECTOR), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetTsDevice(ACL_TS_ID_RESERVED), ACL_ERROR_RT_PARAM_INVALID);
}

TEST(aclrtSetSysParamOpt, IsReadBackByTheProcess) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const auto body = [] {
    int64_t value = 55;
    EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_SUCCESS);
    EXPECT_EQ(value, 0) << "not set yet";
    EXPECT_EQ(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), ACL_SUCCESS);
    std::thread([] {
      int64_t seen = 0;
      EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &seen), ACL_SUCCESS);
      EXPECT_EQ(seen, 1);
      EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, &seen), ACL_SUCCESS);
      EXPECT_EQ(seen, 0) << "each option by itself";
    }).join();
  };
  EXPECT_EQ(InFork({}, body), 0);
}

}  // namespace
