// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What becomes of queued work when its context is destroyed, its device reset or the library finalised: it is
// finished as far as it can go on, and what only another call could bring on is dropped. None of them may
// hang.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "acl/acl.h"
#include "conformance/library.h"

namespace {

void CountUp(void* counter) {
  ++*static_cast<std::atomic<int>*>(counter);
}

// Longer than any patience a release has with streams that do not move.
void WorkForAWhile(void*) {
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
}

aclrtStream NewStream() {
  aclrtStream stream = nullptr;
  EXPECT_OK(aclrtCreateStream(&stream));
  return stream;
}

TEST(aclrtResetDevice, FinishesQueuedWork) {
  const Library library;
  ASSERT_OK(aclrtSetDevice(0));
  std::atomic<int> calls{0};
  const aclrtStream stream = NewStream();
  ASSERT_OK(aclrtLaunchHostFunc(stream, WorkForAWhile, nullptr));
  ASSERT_OK(aclrtLaunchHostFunc(stream, CountUp, &calls));
  ASSERT_OK(aclrtLaunchHostFunc(nullptr, CountUp, &calls));
  ASSERT_OK(aclrtResetDevice(0));
  EXPECT_EQ(calls, 2);
}

TEST(aclrtResetDevice, FinishesWorkThatWaitsForOtherWork) {
  const Library library;
  ASSERT_OK(aclrtSetDevice(0));
  std::atomic<int> calls{0};
  const aclrtStream waiting = NewStream();
  const aclrtStream working = NewStream();
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEvent(&event));
  ASSERT_OK(aclrtLaunchHostFunc(working, WorkForAWhile, nullptr));
  ASSERT_OK(aclrtRecordEvent(event, working));
  ASSERT_OK(aclrtStreamWaitEvent(waiting, event));
  ASSERT_OK(aclrtLaunchHostFunc(waiting, CountUp, &calls));
  ASSERT_OK(aclrtResetDevice(0));
  EXPECT_EQ(calls, 1);
}

TEST(aclrtDestroyContext, FinishesWorkThatWaitsForAnotherContext) {
  const Library library;
  ASSERT_OK(aclrtSetDevice(0));
  std::atomic<int> calls{0};
  const aclrtStream working = NewStream();
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEvent(&event));
  ASSERT_OK(aclrtLaunchHostFunc(working, WorkForAWhile, nullptr));
  ASSERT_OK(aclrtRecordEvent(event, working));
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  const aclrtStream waiting = NewStream();
  ASSERT_OK(aclrtStreamWaitEvent(waiting, event));
  ASSERT_OK(aclrtLaunchHostFunc(waiting, CountUp, &calls));
  ASSERT_OK(aclrtDestroyContext(context));
  EXPECT_EQ(calls, 1);
}

TEST(aclrtResetDevice, LetsCallbacksUseTheContextToTheEnd) {
  struct Job {
    aclrtContext context;
    aclError result;
  };
  const Library library;
  ASSERT_OK(aclrtSetDevice(0));
  Job job = {nullptr, ACL_ERROR_FAILURE};
  ASSERT_OK(aclrtGetCurrentContext(&job.context));
  const auto use_context = [](void* argument) {
    WorkForAWhile(nullptr);
    auto* const mine = static_cast<Job*>(argument);
    mine->result = aclrtSetCurrentContext(mine->context);
  };
  ASSERT_OK(aclrtLaunchHostFunc(NewStream(), use_context, &job));
  ASSERT_OK(aclrtResetDevice(0));
  EXPECT_EQ(job.result, ACL_SUCCESS);
}

TEST(aclrtResetDevice, FinishesCallbacksThatAThreadExecutes) {
  const Library library;
  ASSERT_OK(aclrtSetDevice(0));
  std::atomic<int> calls{0};
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  ReportThread reporter(context);
  const aclrtStream stream = NewStream();
  ASSERT_OK(aclrtSubscribeReport(reporter.id(), stream));
  ASSERT_OK(aclrtLaunchCallback(WorkForAWhile, nullptr, ACL_CALLBACK_BLOCK, stream));
  ASSERT_OK(aclrtLaunchCallback(CountUp, &calls, ACL_CALLBACK_NO_BLOCK, stream));
  ASSERT_OK(aclrtLaunchCallback(WorkForAWhile, nullptr, ACL_CALLBACK_NO_BLOCK, stream));
  ASSERT_OK(aclrtLaunchCallback(CountUp, &calls, ACL_CALLBACK_BLOCK, stream));
  ASSERT_OK(aclrtResetDevice(0));
  EXPECT_EQ(calls, 2);
}

// Callbacks for a thread that does not execute them, here the one that resets.
TEST(aclrtResetDevice, DropsCallbacksThatNobodyExecutes) {
  for (const auto block : {ACL_CALLBACK_NO_BLOCK, ACL_CALLBACK_BLOCK}) {
    const Library library;
    ASSERT_OK(aclrtSetDevice(0));
    std::atomic<int> calls{0};
    const aclrtStream stream = NewStream();
    ASSERT_OK(aclrtSubscribeReport(static_cast<uint64_t>(pthread_self()), stream));
    ASSERT_OK(aclrtLaunchCallback(CountUp, &calls, block, stream));
    ASSERT_OK(aclrtResetDevice(0));
    EXPECT_EQ(calls, 0);
    EXPECT_NE(aclrtProcessReport(0), ACL_SUCCESS);
    EXPECT_EQ(calls, 0) << "a dropped callback never runs";
  }
}

TEST(aclrtResetDevice, DropsWorkThatWaitsForWhatNeverComes) {
  const Library library;
  ASSERT_OK(aclrtSetDevice(0));
  std::atomic<int> calls{0};
  const aclrtStream stream = NewStream();
  aclrtNotify notify = nullptr;
  ASSERT_OK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
  ASSERT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
  ASSERT_OK(aclrtLaunchHostFunc(stream, CountUp, &calls));
  ASSERT_OK(aclrtResetDevice(0));
  EXPECT_EQ(calls, 0);
}

TEST(aclrtResetDevice, IsRefusedInsideAHostFunction) {
  const Library library;
  ASSERT_OK(aclrtSetDevice(0));
  aclError results[3] = {};
  const auto reset = [](void* out) {
    auto* const answers = static_cast<aclError*>(out);
    answers[0] = aclrtResetDevice(0);
    answers[1] = aclrtResetDeviceForce(0);
    answers[2] = aclFinalize();
  };
  ASSERT_OK(aclrtLaunchHostFunc(nullptr, reset, results));
  ASSERT_OK(aclrtSynchronizeStream(nullptr));
  for (const aclError result : results)
    EXPECT_NE(result, ACL_SUCCESS);
  EXPECT_OK(aclrtResetDevice(0));
}

// A host function that chooses the device while it is being reset must not wait for the reset, which waits
// for it.
TEST(aclrtSetDevice, DoesNotHangInAHostFunctionDuringAReset) {
  const Library library;
  ASSERT_OK(aclrtSetDevice(0));
  std::atomic<int> answered{0};
  const auto choose = [](void* out) {
    WorkForAWhile(nullptr);
    aclrtSetDevice(0);
    CountUp(out);
  };
  ASSERT_OK(aclrtLaunchHostFunc(nullptr, choose, &answered));
  ASSERT_OK(aclrtResetDevice(0));
  EXPECT_EQ(answered, 1);
}

TEST(aclFinalize, FinishesQueuedWorkAndLeavesNoThreads) {
  std::atomic<int> calls{0};
  {
    const Library library;
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtLaunchHostFunc(nullptr, WorkForAWhile, nullptr));
    ASSERT_OK(aclrtLaunchHostFunc(nullptr, CountUp, &calls));
  }
  EXPECT_EQ(calls, 1);
}

// What runs on a stream must not wait for the end of a call that waits for it.
TEST(aclFinalize, DoesNotHangWhenAHostFunctionCallsItToo) {
  aclError results[2] = {};
  const auto meddle = [](void* out) {
    WorkForAWhile(nullptr);
    auto* const answers = static_cast<aclError*>(out);
    answers[0] = aclFinalize();
    answers[1] = aclInit(nullptr);
  };
  {
    const Library library;
    ASSERT_OK(aclrtSetDevice(0));
    ASSERT_OK(aclrtLaunchHostFunc(nullptr, meddle, results));
  }
  EXPECT_NE(results[0], ACL_SUCCESS);
  EXPECT_NE(results[1], ACL_SUCCESS);
}

TEST(aclFinalize, IsRefusedWhereADeviceIsBeingReset) {
  const Library library;
  aclError inside = ACL_SUCCESS;
  const auto finalize = [](int32_t, aclrtDeviceState state, void* out) {
    if (state == ACL_RT_DEVICE_STATE_RESET_PRE) *static_cast<aclError*>(out) = aclFinalize();
  };
  ASSERT_OK(aclrtSetDevice(0));
  ASSERT_OK(aclrtRegDeviceStateCallback("finalize", finalize, &inside));
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclrtRegDeviceStateCallback("finalize", nullptr, nullptr));
  EXPECT_EQ(inside, ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_OK(aclrtSetDevice(0)) << "nothing has changed";
}

TEST(aclFinalize, MayMeetCallsOfOtherThreads) {
  for (int round = 0; round < 20; ++round) {
    ASSERT_OK(aclInit(nullptr));
    std::atomic<bool> stop{false};
    std::atomic<int> running{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&] {
        while (!stop) {
          aclrtStream stream = nullptr;
          aclrtSetDevice(0);
          if (aclrtCreateStream(&stream) == ACL_SUCCESS) aclrtDestroyStream(stream);
          ++running;
        }
        aclGetRecentErrMsg();
      });
    }
    while (running < 3)
      std::this_thread::yield();
    EXPECT_OK(aclFinalize());
    stop = true;
    for (auto& thread : threads)
      thread.join();
  }
}

}  // namespace
