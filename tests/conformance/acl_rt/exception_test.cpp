// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Failing tasks: failure modes, exception callbacks, stopping and aborting.
#include <sys/syscall.h>

#include <future>

#include "conformance/device_fixture.h"

namespace {

struct Seen {
  uint32_t code, task, stream, thread, device;
};
std::mutex seen_mutex;
std::vector<Seen> seen;

void Note(aclrtExceptionInfo* info) {
  std::lock_guard<std::mutex> lock(seen_mutex);
  seen.push_back({aclrtGetErrorCodeFromExceptionInfo(info), aclrtGetTaskIdFromExceptionInfo(info),
                  aclrtGetStreamIdFromExceptionInfo(info), aclrtGetThreadIdFromExceptionInfo(info),
                  aclrtGetDeviceIdFromExceptionInfo(info)});
}

size_t TakeSeen() {
  std::lock_guard<std::mutex> lock(seen_mutex);
  const size_t count = seen.size();
  seen.clear();
  return count;
}

void LaunchFailure(aclrtStream stream) {
  EXPECT_OK(aclrtLaunchHostFunc(
      stream, [](void*) { throw std::runtime_error("as the test wants"); }, nullptr));
}

TEST(aclrtSetStreamFailureMode, ContinuesOrStopsBehindAFailure) {
  for (uint64_t mode : {ACL_CONTINUE_ON_FAILURE, ACL_STOP_ON_FAILURE}) {
    const Session session;
    const aclrtStream stream = session.Stream();
    std::uint64_t* cell = session.Cell(0);
    ASSERT_OK(aclrtSetStreamFailureMode(stream, mode));
    Gate gate;
    gate.Hold(stream);
    ASSERT_OK(aclrtValueWrite(cell, 1, 0, stream));
    LaunchFailure(stream);
    ASSERT_OK(aclrtValueWrite(cell, 2, 0, stream));
    gate.Open();
    EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtSynchronizeStream(stream));
    if (mode == ACL_CONTINUE_ON_FAILURE) {
      EXPECT_EQ(session.Read(cell), 2u);
      EXPECT_OK(aclrtValueWrite(cell, 3, 0, stream));
      EXPECT_OK(aclrtSynchronizeStream(stream));
    } else {
      EXPECT_EQ(session.Read(cell), 1u);
      EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtValueWrite(cell, 3, 0, stream));
      EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtSynchronizeStream(stream));
    }
    EXPECT_OK(aclrtDestroyStream(stream));
  }
}

TEST(aclrtSetStreamFailureMode, StopsAllStreamsOfTheContext) {
  const Session session;
  const aclrtStream failing = session.Stream(), other = session.Stream();
  aclrtContext elsewhere = nullptr;
  ASSERT_OK(aclrtCreateContext(&elsewhere, 0));
  const aclrtStream foreign = session.Stream();
  ASSERT_OK(aclrtSetCurrentContext(session.context()));
  ASSERT_OK(aclrtSetStreamFailureMode(failing, ACL_STOP_ON_FAILURE));
  const aclrtEvent never = session.Event(), behind = session.Event();
  Gate gate;
  gate.Hold(other);
  std::uint64_t* cell = session.Cell(0);
  ASSERT_OK(aclrtValueWrite(cell, 1, 0, other));
  ASSERT_OK(aclrtRecordEvent(behind, other));
  LaunchFailure(failing);
  EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtSynchronizeStream(failing));
  gate.Open();
  EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtSynchronizeStream(other));
  EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtSynchronizeEvent(behind));
  EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtRecordEvent(never, nullptr));
  EXPECT_EQ(session.Read(cell), 0u);
  ASSERT_OK(aclrtSetCurrentContext(elsewhere));
  EXPECT_OK(aclrtValueWrite(cell, 2, 0, foreign));
  EXPECT_OK(aclrtSynchronizeStream(foreign));
  EXPECT_OK(aclrtDestroyContext(elsewhere));
  EXPECT_OK(aclrtSetCurrentContext(session.context()));
}

TEST(aclrtSetStreamFailureMode, IsChosenOnce) {
  const Session session;
  const aclrtStream stream = session.Stream();
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetStreamFailureMode(stream, 2));
  EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_CONTINUE_ON_FAILURE));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  EXPECT_OK(aclrtSetStreamFailureMode(nullptr, ACL_CONTINUE_ON_FAILURE));
}

TEST(aclrtSynchronizeStream, ReportsTheFirstFailureOnce) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const aclrtStream held = session.Stream();
  const aclrtEvent event = session.Event();
  Gate gate;
  gate.Hold(held);
  ASSERT_OK(aclrtRecordEvent(event, held));
  ASSERT_OK(aclrtStreamWaitEventWithTimeout(stream, event, 1));
  LaunchFailure(stream);
  EXPECT_FAILS(ACL_ERROR_RT_WAIT_TIMEOUT, aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  LaunchFailure(stream);
  gate.Open();
  EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtSynchronizeDevice());
  EXPECT_OK(aclrtSynchronizeDevice());
}

TEST(aclrtSetExceptionInfoCallback, TellsWhatFailedBeforeTheSynchronisationReturns) {
  const Session session;
  const aclrtStream stream = session.Stream();
  int32_t stream_id = -1;
  ASSERT_OK(aclrtStreamGetId(stream, &stream_id));
  TakeSeen();
  ASSERT_OK(aclrtSetExceptionInfoCallback(Note));
  std::uint64_t* cell = session.Cell(0);
  ASSERT_OK(aclrtValueWrite(cell, 1, 0, stream));
  LaunchFailure(stream);
  uint32_t task = 0;
  ASSERT_OK(aclrtGetThreadLastTaskId(&task));
  ASSERT_OK(aclrtValueWrite(cell, 2, 0, stream));
  EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtSynchronizeStream(stream));
  {
    std::lock_guard<std::mutex> lock(seen_mutex);
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_EQ(seen[0].code, static_cast<uint32_t>(ACL_ERROR_RT_AICPU_EXCEPTION));
    EXPECT_EQ(seen[0].task, task);
    EXPECT_EQ(seen[0].stream, static_cast<uint32_t>(stream_id));
    EXPECT_EQ(seen[0].thread, static_cast<uint32_t>(syscall(SYS_gettid)));
    EXPECT_EQ(seen[0].device, 0u);
  }
  TakeSeen();
  ASSERT_OK(aclrtSetExceptionInfoCallback(nullptr));
  LaunchFailure(stream);
  EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtSynchronizeStream(stream));
  EXPECT_EQ(TakeSeen(), 0u);
}

TEST(aclrtExceptionInfoCallbackRegister, KeepsEachFunctionOnce) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const auto failures_seen = [&] {
    TakeSeen();
    LaunchFailure(stream);
    EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtSynchronizeStream(stream));
    return TakeSeen();
  };
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtExceptionInfoCallbackRegister(nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtExceptionInfoCallbackUnregister(nullptr));
  EXPECT_OK(aclrtExceptionInfoCallbackUnregister(Note));
  EXPECT_OK(aclrtExceptionInfoCallbackRegister(Note));
  EXPECT_OK(aclrtExceptionInfoCallbackRegister(Note));
  EXPECT_EQ(failures_seen(), 1u);
  EXPECT_OK(aclrtSetExceptionInfoCallback(Note));
  EXPECT_EQ(failures_seen(), 2u);
  EXPECT_OK(aclrtExceptionInfoCallbackUnregister(Note));
  EXPECT_EQ(failures_seen(), 1u);
  EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
  EXPECT_EQ(failures_seen(), 0u);
}

TEST(aclrtGetTaskIdFromExceptionInfo, AnswersAllOnesWithoutAnObject) {
  EXPECT_EQ(aclrtGetTaskIdFromExceptionInfo(nullptr), 0xFFFFFFFFu);
  EXPECT_EQ(aclrtGetStreamIdFromExceptionInfo(nullptr), 0xFFFFFFFFu);
  EXPECT_EQ(aclrtGetThreadIdFromExceptionInfo(nullptr), 0xFFFFFFFFu);
  EXPECT_EQ(aclrtGetDeviceIdFromExceptionInfo(nullptr), 0xFFFFFFFFu);
  EXPECT_EQ(aclrtGetErrorCodeFromExceptionInfo(nullptr), 0xFFFFFFFFu);
}

// The callback may use the library; only waiting for its own stream cannot work.
TEST(aclrtSetExceptionInfoCallback, MayCallTheLibrary) {
  const Session session;
  static aclrtStream failing, other;
  static std::atomic<int> refused, worked;
  failing = session.Stream();
  other = session.Stream();
  refused = worked = 0;
  ASSERT_OK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) {
    EXPECT_OK(aclrtSetDevice(0));
    refused += aclrtSynchronizeStream(failing) == ACL_ERROR_RT_PARAM_INVALID;
    EXPECT_OK(aclrtStreamAbort(other));
    worked += aclrtSynchronizeStream(other) == ACL_SUCCESS;
    EXPECT_OK(aclrtResetDevice(0));
  }));
  LaunchFailure(failing);
  EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtSynchronizeStream(failing));
  EXPECT_EQ(refused, 1);
  EXPECT_EQ(worked, 1);
  ASSERT_OK(aclrtSetExceptionInfoCallback(nullptr));
}

TEST(aclrtStreamStop, EndsTheTaskAtTheHeadAndKeepsTheRest) {
  const Session session;
  const aclrtStream stream = session.Stream();
  std::uint64_t *flag = session.Cell(0), *cell = session.Cell(0);
  ASSERT_OK(aclrtValueWait(flag, 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
  ASSERT_OK(aclrtValueWrite(cell, 1, 0, stream));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_OK(aclrtStreamStop(stream));
  EXPECT_FAILS(ACL_ERROR_RT_INTERNAL_ERROR, aclrtSynchronizeStream(stream));
  EXPECT_EQ(session.Read(cell), 1u);
}

TEST(aclrtStreamStop, DoesNothingToAnIdleStream) {
  const Session session;
  const aclrtStream stream = session.Stream();
  std::uint64_t* cell = session.Cell(0);
  EXPECT_OK(aclrtStreamStop(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  ASSERT_OK(aclrtValueWrite(cell, 1, 0, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(session.Read(cell), 1u);
  for (int i = 0; i < 300; ++i) {  // whenever it comes, later tasks are not harmed
    ASSERT_OK(aclrtValueWrite(cell, 1, 0, stream));
    ASSERT_OK(aclrtStreamStop(stream));
    const aclError result = aclrtSynchronizeStream(stream);
    EXPECT_TRUE(result == ACL_SUCCESS || result == ACL_ERROR_RT_INTERNAL_ERROR) << result;
    ASSERT_OK(aclrtValueWrite(cell, 2, 0, stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    ASSERT_EQ(session.Read(cell), 2u);
  }
}

TEST(aclrtStreamAbort, DropsWhatIsQueuedAndFreesAllWhoWait) {
  const Session session;
  const aclrtStream stream = session.Stream();
  std::uint64_t *flag = session.Cell(0), *cell = session.Cell(0);
  const aclrtEvent event = session.Event();
  ASSERT_OK(aclrtValueWait(flag, 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
  ASSERT_OK(aclrtValueWrite(cell, 1, 0, stream));
  ASSERT_OK(aclrtRecordEvent(event, stream));
  std::vector<aclError> results(3, -1);
  std::vector<std::thread> threads;
  std::atomic<int> waiting{0};
  for (size_t i = 0; i < results.size(); ++i) {
    threads.emplace_back([&, i] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      ++waiting;
      results[i] = i == 2 ? aclrtSynchronizeEvent(event) : aclrtSynchronizeStreamWithTimeout(stream, 60000);
    });
  }
  while (waiting < 3)
    std::this_thread::yield();
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 300), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_OK(aclrtStreamAbort(stream));
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(results, std::vector<aclError>(3, ACL_ERROR_RT_STREAM_ABORT));
  EXPECT_EQ(session.Read(cell), 0u);
  ASSERT_OK(aclrtValueWrite(cell, 2, 0, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(session.Read(cell), 2u);
  EXPECT_OK(aclrtStreamAbort(stream));  // nothing to drop
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST(aclrtStreamAbort, KeepsAnEarlierFailure) {
  const Session session;
  const aclrtStream stream = session.Stream();
  std::uint64_t* flag = session.Cell(0);
  LaunchFailure(stream);
  ASSERT_OK(aclrtValueWait(flag, 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
  const aclrtEvent event = session.Event();
  ASSERT_OK(aclrtRecordEvent(event, stream));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 300), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_OK(aclrtStreamAbort(stream));
  EXPECT_FAILS(ACL_ERROR_RT_AICPU_EXCEPTION, aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST(aclrtStreamAbort, DropsCallbacksThatWaitForTheirThread) {
  for (auto block : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK}) {
    const Session session;
    const aclrtStream stream = session.Stream();
    ReportThread reports(session.context());
    ASSERT_OK(aclrtSubscribeReport(reports.id(), stream));
    Gate gate;
    ASSERT_OK(aclrtLaunchCallback([](void* data) { EXPECT_TRUE(static_cast<Gate*>(data)->Wait()); }, &gate,
                                  block, stream));
    for (int i = 0; i < 100; ++i)
      ASSERT_OK(aclrtLaunchCallback([](void*) { ADD_FAILURE(); }, nullptr, block, stream));
    ASSERT_TRUE(gate.Reached());
    EXPECT_OK(aclrtStreamAbort(stream));  // does not wait for functions of the program
    EXPECT_FAILS(ACL_ERROR_RT_STREAM_ABORT, aclrtSynchronizeStream(stream));
    gate.Open();
    static std::atomic<int> later;
    later = 0;
    ASSERT_OK(aclrtLaunchCallback([](void*) { ++later; }, nullptr, block, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(later, 1);
  }
}

TEST(aclrtDeviceTaskAbort, DropsTheTasksOfAllStreams) {
  const Session session;
  std::uint64_t *flag = session.Cell(0), *cell = session.Cell(0);
  std::vector<aclrtStream> streams;
  std::vector<aclError> results(4, -1);
  std::vector<std::thread> threads;
  std::atomic<int> waiting{0};
  for (auto& result : results) {
    streams.push_back(session.Stream());
    ASSERT_OK(aclrtValueWait(flag, 1, ACL_STREAM_WAIT_VALUE_EQ, streams.back()));
    ASSERT_OK(aclrtValueWrite(cell, 1, 0, streams.back()));
    threads.emplace_back([&, stream = streams.back()] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      ++waiting;
      result = aclrtSynchronizeStream(stream);
    });
  }
  while (waiting < 4)
    std::this_thread::yield();
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_OK(aclrtDeviceTaskAbort(0, 0));
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(results, std::vector<aclError>(4, ACL_ERROR_RT_DEVICE_TASK_ABORT));
  EXPECT_EQ(session.Read(cell), 0u);
  ASSERT_OK(aclrtValueWrite(cell, 2, 0, streams[0]));
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_EQ(session.Read(cell), 2u);
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtDeviceTaskAbort(7, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtDeviceTaskAbort(0, 36 * 60 * 1000 + 1));
}

TEST(aclrtSetDeviceTaskAbortCallback, IsCalledBeforeAndAfter) {
  const Session session;
  static std::vector<std::pair<int, uint32_t>> calls;
  static int answer;
  calls.clear();
  answer = 0;
  int mark = 0;
  const auto note = [](int32_t device, aclrtDeviceTaskAbortStage stage, uint32_t timeout,
                       void* args) -> int32_t {
    EXPECT_EQ(device, 0);
    ++*static_cast<int*>(args);
    calls.push_back({stage, timeout});
    return answer;
  };
  ASSERT_OK(aclrtSetDeviceTaskAbortCallback("test", note, &mark));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetDeviceTaskAbortCallback("test", note, &mark));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetDeviceTaskAbortCallback("", note, &mark));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetDeviceTaskAbortCallback(nullptr, note, &mark));
  EXPECT_OK(aclrtDeviceTaskAbort(0, 500));
  const std::vector<std::pair<int, uint32_t>> expected = {{ACL_RT_DEVICE_TASK_ABORT_PRE, 500},
                                                          {ACL_RT_DEVICE_TASK_ABORT_POST, 500}};
  EXPECT_EQ(calls, expected);
  EXPECT_EQ(mark, 2);
  answer = 3;
  EXPECT_FAILS(ACL_ERROR_RT_INTERNAL_ERROR, aclrtDeviceTaskAbort(0, 500));
  EXPECT_OK(aclrtSetDeviceTaskAbortCallback("test", nullptr, nullptr));
  EXPECT_OK(aclrtDeviceTaskAbort(0, 500));
  EXPECT_EQ(mark, 3);
}

TEST(aclrtSetOpExecuteTimeOut, IsReadBackInWholeIntervals) {
  const Session session;
  uint64_t interval = 0, actual = 0;
  uint32_t ms = 0;
  ASSERT_OK(aclrtGetOpTimeOutInterval(&interval));
  ASSERT_GT(interval, 0u);
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(interval / 2, &actual));
  EXPECT_EQ(actual, interval);
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(2 * interval + 1, &actual));
  EXPECT_EQ(actual, 3 * interval);
  EXPECT_OK(aclrtGetOpExecuteTimeout(&ms));
  EXPECT_EQ(ms, 3 * interval / 1000);
  EXPECT_OK(aclrtSetOpExecuteTimeOut(5));
  EXPECT_OK(aclrtGetOpExecuteTimeout(&ms));
  EXPECT_EQ(ms, 5000u);
  EXPECT_OK(aclrtSetOpExecuteTimeOutWithMs(7000));
  EXPECT_OK(aclrtGetOpExecuteTimeout(&ms));
  EXPECT_EQ(ms, 7000u);
  EXPECT_OK(aclrtSetOpExecuteTimeOut(0));
  EXPECT_OK(aclrtGetOpExecuteTimeout(&ms));
  EXPECT_EQ(ms, 254 * interval / 1000);
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(UINT64_MAX, &actual));
  EXPECT_EQ(actual, 254 * interval);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetOpExecuteTimeOutV2(1, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetOpExecuteTimeout(nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetOpTimeOutInterval(nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetThreadLastTaskId(nullptr));
}

}  // namespace
