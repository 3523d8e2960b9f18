// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Events: recording, waiting in streams and on the host, time, and the order they bring.
#include <future>

#include "conformance/device_fixture.h"

namespace {

aclrtEvent EventWith(uint32_t flag) {
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEventWithFlag(&event, flag));
  return event;
}

aclrtEvent ExtendedEvent(uint32_t flag) {
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEventExWithFlag(&event, flag));
  return event;
}

// Programs still call the deprecated function.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
aclError QueryOldStyle(aclrtEvent event, aclrtEventStatus* status) {
  return aclrtQueryEvent(event, status);
}
#pragma GCC diagnostic pop

aclrtEventRecordedStatus StatusOf(aclrtEvent event) {
  auto status = static_cast<aclrtEventRecordedStatus>(9);
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  return status;
}

TEST(aclrtCreateEventWithFlag, AcceptsTheDocumentedFlagsOnly) {
  const Session session;
  aclrtEvent event = nullptr;
  for (uint32_t flag : {1u, 2u, 8u, 9u, 16u, 27u, 32u}) {
    EXPECT_OK(aclrtCreateEventWithFlag(&event, flag)) << flag;
    EXPECT_OK(aclrtCreateEventExWithFlag(&event, flag)) << flag;
  }
  EXPECT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC));
  event = nullptr;
  for (uint32_t flag : {0u, 4u, 33u, 64u, 128u, 0x80000001u})
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateEventWithFlag(&event, flag));
  for (uint32_t flag : {0u, 4u, 33u, 65u, 128u})
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateEventExWithFlag(&event, flag));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateEvent(nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateEventWithFlag(nullptr, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateEventExWithFlag(nullptr, 1));
  EXPECT_EQ(event, nullptr);
}

TEST(aclrtCreateEvent, FailsWhenTheDeviceHasNoMoreEvents) {
  InChild({{"FOOTHOLD_MAX_EVENTS", "4"}}, [] {
    const Session session;
    std::vector<aclrtEvent> events(4);
    for (auto& event : events)
      ASSERT_OK(aclrtCreateEvent(&event));
    aclrtEvent one_more = nullptr;
    EXPECT_FAILS(ACL_ERROR_RT_NO_EVENT_RESOURCE, aclrtCreateEvent(&one_more));
    uint32_t left = 9;
    EXPECT_OK(aclrtGetEventAvailNum(&left));
    EXPECT_EQ(left, 0u);
    EXPECT_OK(aclrtDestroyEvent(events[0]));
    EXPECT_OK(aclrtCreateEvent(&one_more));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetEventAvailNum(nullptr));
  });
}

TEST(aclrtQueryEventStatus, DependsOnTheKindBeforeTheFirstRecord) {
  const Session session;
  EXPECT_EQ(StatusOf(session.Event()), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(StatusOf(ExtendedEvent(ACL_EVENT_SYNC)), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST(aclrtRecordEvent, IsReachedAfterWhatWasQueuedBefore) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const aclrtEvent event = session.Event();
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclrtRecordEvent(event, stream));
  EXPECT_EQ(StatusOf(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  aclrtEventStatus old = ACL_EVENT_STATUS_RESERVED;
  EXPECT_OK(QueryOldStyle(event, &old));
  EXPECT_EQ(old, ACL_EVENT_STATUS_NOT_READY);
  EXPECT_FAILS(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, aclrtSynchronizeEventWithTimeout(event, 0));
  EXPECT_FAILS(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, aclrtSynchronizeEventWithTimeout(event, 10));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeEventWithTimeout(event, -2));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, 0));
  EXPECT_EQ(StatusOf(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  EXPECT_OK(QueryOldStyle(event, &old));
  EXPECT_EQ(old, ACL_EVENT_STATUS_COMPLETE);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtQueryEventStatus(event, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, QueryOldStyle(event, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, QueryOldStyle(ExtendedEvent(1), &old));
}

TEST(aclrtRecordEvent, RefusesAStreamOfAnotherDevice) {
  InChild({{"FOOTHOLD_DEVICES", "2"}}, [] {
    const Session session;
    const aclrtEvent event = session.Event();
    ASSERT_OK(aclrtSetDevice(1));
    const aclrtStream foreign = session.Stream();
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtRecordEvent(event, foreign));
    // Waiting across devices works.
    EXPECT_OK(aclrtStreamWaitEvent(foreign, event));
    EXPECT_OK(aclrtSynchronizeStream(foreign));
    EXPECT_OK(aclrtResetDevice(1));
    EXPECT_OK(aclrtSetDevice(0));
  });
}

TEST(aclrtRecordEventWithFlag, TakesTheDefaultOutsideACapture) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const aclrtEvent event = session.Event();
  EXPECT_OK(aclrtRecordEventWithFlag(event, stream, ACL_EVENT_RECORD_DEFAULT));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED,
               aclrtRecordEventWithFlag(event, stream, ACL_EVENT_RECORD_EXTERNAL));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtRecordEventWithFlag(event, stream, 2));
  EXPECT_OK(aclrtStreamWaitEventWithFlag(stream, event, 0, ACL_EVENT_WAIT_DEFAULT));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED,
               aclrtStreamWaitEventWithFlag(stream, event, 0, ACL_EVENT_WAIT_EXTERNAL));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtStreamWaitEventWithFlag(stream, event, 0, 2));
}

TEST(aclrtStreamWaitEvent, HoldsLaterTasksUntilTheEventIsReached) {
  const Session session;
  const aclrtStream producer = session.Stream(), consumer = session.Stream();
  const aclrtEvent event = session.Event();
  std::uint64_t* cell = session.Cell(0);
  Gate gate;
  gate.Hold(producer);
  ASSERT_OK(aclrtRecordEvent(event, producer));
  ASSERT_OK(aclrtStreamWaitEvent(consumer, event));
  ASSERT_OK(aclrtValueWrite(cell, 1, 0, consumer));
  aclrtEventWaitStatus waits = ACL_EVENT_WAIT_STATUS_RESERVED;
  EXPECT_OK(aclrtQueryEventWaitStatus(event, &waits));
  EXPECT_EQ(waits, ACL_EVENT_WAIT_STATUS_NOT_READY);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(consumer, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(session.Read(cell), 0u);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(consumer));
  EXPECT_EQ(session.Read(cell), 1u);
  EXPECT_OK(aclrtQueryEventWaitStatus(event, &waits));
  EXPECT_EQ(waits, ACL_EVENT_WAIT_STATUS_COMPLETE);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtQueryEventWaitStatus(event, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtQueryEventWaitStatus(ExtendedEvent(1), &waits));
}

TEST(aclrtStreamWaitEvent, MeansTheRecordThatWasLatestAtTheCall) {
  const Session session;
  const aclrtStream first = session.Stream(), second = session.Stream(), consumer = session.Stream();
  for (const aclrtEvent event : {session.Event(), EventWith(ACL_EVENT_SYNC), ExtendedEvent(ACL_EVENT_SYNC)}) {
    Gate gate;
    ASSERT_OK(aclrtRecordEvent(event, first));
    ASSERT_OK(aclrtStreamWaitEvent(consumer, event));
    gate.Hold(second);
    ASSERT_OK(aclrtRecordEvent(event, second));
    EXPECT_OK(aclrtSynchronizeStream(consumer));  // the later record is not reached
    EXPECT_EQ(StatusOf(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
    gate.Open();
    EXPECT_OK(aclrtSynchronizeStream(second));
  }
}

TEST(aclrtStreamWaitEvent, NeedsAnEventThatSynchronises) {
  const Session session;
  const aclrtStream stream = session.Stream();
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtStreamWaitEvent(stream, EventWith(ACL_EVENT_TIME_LINE)));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtStreamWaitEvent(stream, ExtendedEvent(ACL_EVENT_TIME_LINE)));
  EXPECT_OK(aclrtStreamWaitEvent(stream, EventWith(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE)));
  EXPECT_OK(aclrtStreamWaitEvent(stream, session.Event()));  // never recorded: nothing to wait for
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST(aclrtStreamWaitEvent, OrdersADiamond) {
  const Session session;
  const aclrtStream top = session.Stream(), left = session.Stream(), right = session.Stream(),
                    bottom = session.Stream();
  const aclrtEvent start = session.Event(), left_done = session.Event(), right_done = session.Event();
  std::uint64_t *a = session.Cell(0), *b = session.Cell(0), *c = session.Cell(0);
  for (std::uint64_t round = 1; round <= 200; ++round) {
    ASSERT_OK(aclrtValueWrite(a, round, 0, top));
    ASSERT_OK(aclrtRecordEvent(start, top));
    for (auto [side, cell, done] : {std::tuple(left, b, left_done), std::tuple(right, c, right_done)}) {
      ASSERT_OK(aclrtStreamWaitEvent(side, start));
      ASSERT_OK(aclrtMemcpyAsync(cell, 8, a, 8, ACL_MEMCPY_DEVICE_TO_DEVICE, side));
      ASSERT_OK(aclrtRecordEvent(done, side));
      ASSERT_OK(aclrtStreamWaitEvent(bottom, done));
      ASSERT_OK(aclrtStreamWaitEvent(top, done));  // the next round may not overwrite what is still read
    }
    if (round % 16 == 0) {
      ASSERT_OK(aclrtSynchronizeStream(bottom));
      EXPECT_EQ(session.Read(b), round);
      EXPECT_EQ(session.Read(c), round);
    }
  }
  EXPECT_OK(aclrtSynchronizeDevice());
}

TEST(aclrtStreamWaitEvent, PassesControlToAndFro) {
  const Session session;
  const aclrtStream ping = session.Stream(), pong = session.Stream();
  const aclrtEvent to = session.Event(), fro = session.Event();
  std::uint64_t* cell = session.Cell(0);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    ASSERT_OK(aclrtValueWait(cell, i, ACL_STREAM_WAIT_VALUE_EQ, ping));
    ASSERT_OK(aclrtRecordEvent(to, ping));
    ASSERT_OK(aclrtStreamWaitEvent(pong, to));
    ASSERT_OK(aclrtValueWrite(cell, i + 1, 0, pong));
    ASSERT_OK(aclrtRecordEvent(fro, pong));
    ASSERT_OK(aclrtStreamWaitEvent(ping, fro));
  }
  EXPECT_OK(aclrtSynchronizeStream(ping));
  EXPECT_EQ(session.Read(cell), 1000u);
}

TEST(aclrtStreamWaitEventWithTimeout, FailsTheStreamWhenTheTimeIsOver) {
  const Session session;
  const aclrtStream held = session.Stream(), stream = session.Stream();
  const aclrtEvent event = session.Event();
  std::uint64_t* cell = session.Cell(0);
  Gate gate;
  gate.Hold(held);
  ASSERT_OK(aclrtRecordEvent(event, held));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtStreamWaitEventWithTimeout(stream, event, -1));
  ASSERT_OK(aclrtStreamWaitEventWithTimeout(stream, event, 1));
  ASSERT_OK(aclrtValueWrite(cell, 1, 0, stream));
  RecentError();
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_WAIT_TIMEOUT);
  EXPECT_NE(RecentError().find("aclrtStreamWaitEventWithTimeout"), std::string::npos);
  EXPECT_EQ(session.Read(cell), 1u);  // the stream goes on after the failure
  ASSERT_OK(aclrtStreamWaitEventWithTimeout(stream, event, INT32_MAX));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST(aclrtSetOpWaitTimeout, LimitsWaitsQueuedLater) {
  const Session session;
  const aclrtStream held = session.Stream(), before = session.Stream(), after = session.Stream();
  const aclrtEvent event = session.Event();
  Gate gate;
  gate.Hold(held);
  ASSERT_OK(aclrtRecordEvent(event, held));
  ASSERT_OK(aclrtStreamWaitEvent(before, event));
  ASSERT_OK(aclrtSetOpWaitTimeout(1));
  ASSERT_OK(aclrtStreamWaitEvent(after, event));
  ASSERT_OK(aclrtSetOpWaitTimeout(0));
  EXPECT_FAILS(ACL_ERROR_RT_WAIT_TIMEOUT, aclrtSynchronizeStream(after));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(before, 0), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(before));
}

TEST(aclrtResetEvent, MakesTheEventUnrecorded) {
  const Session session;
  const aclrtStream stream = session.Stream();
  for (const aclrtEvent event : {session.Event(), EventWith(ACL_EVENT_SYNC)}) {
    ASSERT_OK(aclrtRecordEvent(event, stream));
    ASSERT_OK(aclrtStreamWaitEvent(stream, event));
    ASSERT_OK(aclrtResetEvent(event, stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(StatusOf(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
    ASSERT_OK(aclrtRecordEvent(event, stream));
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_EQ(StatusOf(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  }
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtResetEvent(EventWith(ACL_EVENT_TIME_LINE), stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtResetEvent(ExtendedEvent(ACL_EVENT_SYNC), stream));
}

TEST(aclrtDestroyEvent, DoesNotDisturbThoseWhoWait) {
  const Session session;
  const aclrtStream producer = session.Stream();
  Gate gate;
  gate.Hold(producer);
  std::vector<aclrtStream> consumers;
  const aclrtEvent event = session.Event();
  ASSERT_OK(aclrtRecordEvent(event, producer));
  for (int i = 0; i < 8; ++i) {
    consumers.push_back(session.Stream());
    ASSERT_OK(aclrtStreamWaitEvent(consumers.back(), event));
  }
  std::vector<aclError> results(3, -1);
  std::vector<std::thread> hosts;
  std::atomic<int> waiting{0};
  for (auto& result : results) {
    hosts.emplace_back([&] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      ++waiting;
      result = aclrtSynchronizeEvent(event);
    });
  }
  while (waiting < 3)
    std::this_thread::yield();
  EXPECT_OK(aclrtDestroyEvent(event));
  gate.Open();
  for (auto& host : hosts)
    host.join();
  for (aclError result : results)  // too late to find the event, or waited to the end
    EXPECT_TRUE(result == ACL_SUCCESS || result == ACL_ERROR_RT_INVALID_HANDLE) << result;
  for (aclrtStream stream : consumers)
    EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtDestroyEvent(event));
}

TEST(aclrtEventElapsedTime, MeasuresBetweenTwoRecords) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const aclrtEvent start = session.Event(), end = EventWith(ACL_EVENT_TIME_LINE),
                   blind = EventWith(ACL_EVENT_SYNC);
  float ms = -1;
  EXPECT_FAILS(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, aclrtEventElapsedTime(&ms, start, end));
  ASSERT_OK(aclrtRecordEvent(start, stream));
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclrtRecordEvent(end, stream));
  EXPECT_FAILS(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, aclrtEventElapsedTime(&ms, start, end));
  ASSERT_TRUE(gate.Reached());
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 15), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.Open();
  ASSERT_OK(aclrtSynchronizeEvent(end));
  ASSERT_OK(aclrtEventElapsedTime(&ms, start, end));
  EXPECT_GE(ms, 14.0f);
  EXPECT_LT(ms, 60000.0f);
  EXPECT_FAILS(ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL, aclrtEventElapsedTime(&ms, end, start));
  ASSERT_OK(aclrtRecordEvent(blind, stream));
  ASSERT_OK(aclrtSynchronizeEvent(blind));
  EXPECT_FAILS(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, aclrtEventElapsedTime(&ms, start, blind));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtEventElapsedTime(nullptr, start, end));
  uint64_t first = 0, second = 0;
  EXPECT_OK(aclrtEventGetTimestamp(start, &first));
  EXPECT_OK(aclrtEventGetTimestamp(end, &second));
  EXPECT_GE(second - first, 14000u);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtEventGetTimestamp(start, nullptr));
}

TEST(aclrtGetEventId, TellsEventsApart) {
  const Session session;
  uint32_t first = 0, second = 0;
  EXPECT_OK(aclrtGetEventId(session.Event(), &first));
  EXPECT_OK(aclrtGetEventId(session.Event(), &second));
  EXPECT_NE(first, second);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetEventId(session.Event(), nullptr));
}

// What failed in a stream reaches those who wait for an event recorded behind it.
TEST(aclrtRecordEvent, CarriesTheFailureOfItsStream) {
  const Session session;
  const aclrtStream failing = session.Stream(), consumer = session.Stream(), third = session.Stream();
  const aclrtEvent event = session.Event(), onward = session.Event();
  std::uint64_t* cell = session.Cell(0);
  Gate gate;
  gate.Hold(failing);
  ASSERT_OK(aclrtLaunchHostFunc(
      failing, [](void*) { throw 1; }, nullptr));
  ASSERT_OK(aclrtRecordEvent(event, failing));
  ASSERT_OK(aclrtStreamWaitEvent(consumer, event));
  ASSERT_OK(aclrtValueWrite(cell, 1, 0, consumer));
  ASSERT_OK(aclrtRecordEvent(onward, consumer));
  ASSERT_OK(aclrtStreamWaitEvent(third, onward));
  gate.Open();
  for (aclrtStream stream : {third, consumer, failing}) {
    RecentError();
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICPU_EXCEPTION);
    EXPECT_NE(RecentError().find("aclrtLaunchHostFunc"), std::string::npos);
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
  EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtSynchronizeEvent(event));
  EXPECT_EQ(session.Read(cell), 1u);  // the waiting stream goes on
  ASSERT_OK(aclrtRecordEvent(event, failing));
  EXPECT_OK(aclrtSynchronizeEvent(event));
}

}  // namespace
