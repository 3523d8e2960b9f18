// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Host functions in streams, on threads of the runtime or on a subscribed one.
#include <algorithm>
#include <future>
#include <memory>

#include "conformance/acl_rt/callback_log.h"
#include "conformance/device_fixture.h"

namespace {

TEST(aclrtLaunchHostFunc, RunsInOrderWithoutASubscription) {
  const Session session;
  const aclrtStream stream = session.Stream();
  Log log;
  for (int i = 0; i < 200; ++i)
    ASSERT_OK(aclrtLaunchHostFunc(stream, Log::Append, log.Make(i)));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(log.order, Numbers(200));
  for (uint64_t thread : log.threads)
    EXPECT_NE(thread, static_cast<uint64_t>(pthread_self()));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtLaunchHostFunc(stream, nullptr, nullptr));
}

// Each function waits until all of them run: the runtime must not run out of threads.
TEST(aclrtLaunchHostFunc, LetsFunctionsOfManyStreamsWaitForEachOther) {
  const Session session;
  constexpr int kStreams = 12;
  struct Meeting {
    std::atomic<int> here{0};
    Gate all;
  } meeting;
  for (int s = 0; s < kStreams; ++s) {
    ASSERT_OK(aclrtLaunchHostFunc(
        session.Stream(),
        [](void* data) {
          auto* own = static_cast<Meeting*>(data);
          if (++own->here == kStreams) own->all.Open();
          EXPECT_TRUE(own->all.Wait());
        },
        &meeting));
  }
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_EQ(meeting.here, kStreams);
}

TEST(aclrtLaunchHostFunc, MayWaitForOtherStreamsButNotForItsOwn) {
  const Session session;
  struct Streams {
    aclrtStream own, other;
    std::atomic<int> runs{0};
  } streams{session.Stream(), session.Stream()};
  for (int i = 0; i < 20; ++i) {
    ASSERT_OK(aclrtLaunchHostFunc(
        streams.own,
        [](void* data) {
          auto* own = static_cast<Streams*>(data);
          EXPECT_OK(aclrtSetDevice(0));
          EXPECT_OK(aclrtLaunchHostFunc(
              own->other, [](void* runs) { CountUp(runs); }, &own->runs));
          EXPECT_OK(aclrtSynchronizeStream(own->other));
          EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeStream(own->own));
          EXPECT_OK(aclrtResetDevice(0));
        },
        &streams));
  }
  EXPECT_OK(aclrtSynchronizeStream(streams.own));
  EXPECT_EQ(streams.runs, 20);
}

TEST(aclrtSubscribeHostFunc, FallsBackToTheRuntimeWhenItsThreadEnds) {
  const Session session;
  const aclrtStream stream = session.Stream();
  ReportThread functions(session.context(), aclrtProcessHostFunc);
  const uint64_t id = functions.id();
  ASSERT_OK(aclrtSubscribeHostFunc(id, stream));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SUBSCRIBE, aclrtSubscribeHostFunc(id, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSubscribeHostFunc(id, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtUnSubscribeHostFunc(id, nullptr));
  Log log;
  ASSERT_OK(aclrtLaunchHostFunc(stream, Log::Append, log.Make(0)));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  functions.Stop();
  ASSERT_OK(aclrtLaunchHostFunc(stream, Log::Append, log.Make(1)));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(log.order, Numbers(2));
  EXPECT_EQ(log.threads[0], id);
  EXPECT_OK(aclrtUnSubscribeHostFunc(id, stream));
}

// The thread inside a callback waits for a stream that waits, through an event, for this very callback to
// return.
TEST(aclrtSynchronizeStream, RefusesToWaitInACircle) {
  const Session session;
  struct Circle {
    aclrtStream first, second;
    aclrtEvent event;
    Gate ready{};
  } circle{session.Stream(), session.Stream(), session.Event()};
  ReportThread reports(session.context());
  ASSERT_OK(aclrtSubscribeReport(reports.id(), circle.first));
  ASSERT_OK(aclrtLaunchCallback(
      [](void* data) {
        auto* own = static_cast<Circle*>(data);
        EXPECT_TRUE(own->ready.Wait());
        EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeStream(own->second));
        EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeEvent(own->event));
      },
      &circle, ACL_CALLBACK_BLOCK, circle.first));
  ASSERT_OK(aclrtRecordEvent(circle.event, circle.first));
  ASSERT_OK(aclrtStreamWaitEvent(circle.second, circle.event));
  circle.ready.Open();
  EXPECT_OK(aclrtSynchronizeStream(circle.second));
}

}  // namespace
