// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Callbacks and host functions that end the thread they are called on: streams go on, nothing waits for ever.
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "acl/acl_rt.h"
#include "conformance/device_fixture.h"
#include "conformance/thread_end.h"

namespace {

void End(void* how) {
  EndThread(*static_cast<const ThreadEnd*>(how));
}
void Count(void* count) {
  ++*static_cast<std::atomic<int>*>(count);
}

class EndedThread : public testing::TestWithParam<ThreadEnd> {
 protected:
  void* how() { return &how_; }
  // A thread that synchronises may run tasks itself, and be ended by what they call.
  void AwaitFromOutside() {
    aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
    while (status != ACL_STREAM_STATUS_COMPLETE) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      EXPECT_OK(aclrtStreamQuery(stream_, &status));
    }
  }

  ThreadEnd how_ = GetParam();
  const Session session_;
  const aclrtStream stream_ = session_.Stream();
  std::atomic<int> ran_{0};
};

TEST_P(EndedThread, OfAHostFunctionIsReplaced) {
  for (int round = 0; round < 20; ++round) {
    ASSERT_OK(aclrtLaunchHostFunc(stream_, End, how()));
    ASSERT_OK(aclrtLaunchHostFunc(stream_, Count, &ran_));
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_AICPU_EXCEPTION);
    EXPECT_THAT(RecentError(), testing::HasSubstr("ended the thread"));
    EXPECT_EQ(ran_, round + 1);
  }
}

TEST_P(EndedThread, OfManyStreamsStopsNone) {
  std::vector<aclrtStream> streams;
  for (int i = 0; i < 8; ++i) {
    streams.push_back(session_.Stream());
    for (int round = 0; round < 5; ++round) {
      ASSERT_OK(aclrtLaunchHostFunc(streams.back(), End, how()));
      ASSERT_OK(aclrtLaunchHostFunc(streams.back(), Count, &ran_));
    }
  }
  for (aclrtStream stream : streams) {
    EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    EXPECT_OK(aclrtDestroyStream(stream));
  }
  EXPECT_EQ(ran_, 40);
}

TEST_P(EndedThread, OfReportsIsAsIfItHadGone) {
  for (const auto block : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK}) {
    const aclrtStream stream = session_.Stream();
    Gate subscribed;
    std::thread reports([&] {
      EXPECT_OK(aclrtSetCurrentContext(session_.context()));
      EXPECT_TRUE(subscribed.Wait());
      for (;;)
        aclrtProcessReport(1000);
    });
    const auto id = static_cast<uint64_t>(reports.native_handle());
    ASSERT_OK(aclrtSubscribeReport(id, stream));
    ASSERT_OK(aclrtLaunchCallback(End, how(), block, stream));
    for (int i = 0; i < 3; ++i)
      ASSERT_OK(aclrtLaunchCallback(Count, &ran_, block, stream));
    ASSERT_OK(aclrtLaunchHostFunc(stream, Count, &ran_));
    subscribed.Open();
    EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    reports.join();
    EXPECT_EQ(ran_.exchange(0), 1) << "only what needs no report thread";
    EXPECT_EQ(aclrtLaunchCallback(Count, &ran_, block, stream), ACL_ERROR_RT_THREAD_SUBSCRIBE);
    EXPECT_OK(aclrtUnSubscribeReport(id, stream));
    ReportThread other(session_.context());
    ASSERT_OK(aclrtSubscribeReport(other.id(), stream));
    ASSERT_OK(aclrtLaunchCallback(Count, &ran_, block, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(ran_.exchange(0), 1);
    EXPECT_OK(aclrtUnSubscribeReport(other.id(), stream));
  }
}

ThreadEnd how_exceptions_end = ThreadEnd::kExit;

TEST_P(EndedThread, OfAnExceptionCallbackLetsTheFailureThrough) {
  how_exceptions_end = how_;
  ASSERT_OK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) { EndThread(how_exceptions_end); }));
  void* memory = nullptr;
  ASSERT_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  Gate gate;
  gate.Hold(stream_);
  ASSERT_OK(aclrtMemsetAsync(memory, 64, 0, 64, stream_));
  ASSERT_OK(aclrtLaunchHostFunc(stream_, Count, &ran_));
  ASSERT_OK(aclrtFree(memory));  // the fill finds nothing
  gate.Open();
  while (ran_ == 0)  // this thread would run the fill itself, were it to wait for the stream
    std::this_thread::yield();
  EXPECT_NE(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  ASSERT_OK(aclrtSetExceptionInfoCallback(nullptr));
}

// Callbacks that nobody will run fail one by one, and each is told to a function that ends its thread.
TEST_P(EndedThread, OfAnExceptionCallbackHoldsUpNoOtherCallback) {
  how_exceptions_end = how_;
  ASSERT_OK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) { EndThread(how_exceptions_end); }));
  ReportThread reports(session_.context());
  ASSERT_OK(aclrtSubscribeReport(reports.id(), stream_));
  Gate gate;
  gate.Hold(stream_);
  for (int i = 0; i < 3; ++i)
    ASSERT_OK(aclrtLaunchCallback(Count, &ran_, ACL_CALLBACK_NO_BLOCK, stream_));
  EXPECT_OK(aclrtUnSubscribeReport(reports.id(), stream_));
  gate.Open();
  AwaitFromOutside();
  EXPECT_NE(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(ran_, 0);
  EXPECT_OK(aclrtLaunchHostFunc(stream_, Count, &ran_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  ASSERT_OK(aclrtSetExceptionInfoCallback(nullptr));
}

// The report thread drains the stream itself, finds a task that fails, and ends before the callbacks it has
// collected are run.
TEST_P(EndedThread, OfReportsWhileItDrainsFailsWhatItHasCollected) {
  how_exceptions_end = how_;
  ASSERT_OK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) { EndThread(how_exceptions_end); }));
  void* memory = nullptr;
  ASSERT_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  Gate subscribed;
  std::thread reports([&] {
    EXPECT_OK(aclrtSetCurrentContext(session_.context()));
    EXPECT_TRUE(subscribed.Wait());
    for (;;)
      aclrtProcessReport(1000);
  });
  const auto id = static_cast<uint64_t>(reports.native_handle());
  ASSERT_OK(aclrtSubscribeReport(id, stream_));
  std::atomic<int> blocking{0};
  ASSERT_OK(aclrtLaunchCallback(Count, &blocking, ACL_CALLBACK_BLOCK, stream_));  // brings the stream there
  for (int i = 0; i < 3; ++i)
    ASSERT_OK(aclrtLaunchCallback(Count, &ran_, ACL_CALLBACK_NO_BLOCK, stream_));
  ASSERT_OK(aclrtMemsetAsync(memory, 64, 0, 64, stream_));
  ASSERT_OK(aclrtLaunchCallback(Count, &ran_, ACL_CALLBACK_NO_BLOCK, stream_));
  ASSERT_OK(aclrtFree(memory));
  subscribed.Open();
  AwaitFromOutside();
  EXPECT_NE(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(blocking, 1);
  ASSERT_OK(aclrtSetExceptionInfoCallback(nullptr));
  pthread_cancel(reports.native_handle());  // unless another thread has met the failing task
  reports.join();
}

TEST_P(EndedThread, OfACallerIsItsOwn) {
  std::thread caller([this] {
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtRegStreamStateCallback(
        "end", [](aclrtStream, aclrtStreamState, void* how) { End(how); }, how()));
    aclrtStream stream = nullptr;
    aclrtCreateStream(&stream);
    ADD_FAILURE() << "the callback has ended the thread";
  });
  caller.join();
  EXPECT_OK(aclrtRegStreamStateCallback("end", nullptr, nullptr));
  EXPECT_OK(aclrtLaunchHostFunc(stream_, Count, &ran_));
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_EQ(ran_, 1);
}

INSTANTIATE_TEST_SUITE_P(Both, EndedThread, testing::ValuesIn(kThreadEnds),
                         [](const auto& info) { return info.param == ThreadEnd::kExit ? "Exit" : "Cancel"; });

}  // namespace
