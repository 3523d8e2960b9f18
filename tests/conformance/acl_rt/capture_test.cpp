// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// aclmdlRICaptureBegin, End and GetInfo: what is captured, which streams take part, and every way it fails.
#include <thread>

#include "conformance/acl_rt/capture_fixture.h"

namespace {

TEST(aclmdlRICaptureBegin, KeepsTasksAndRunsNone) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream();
  EXPECT_OK(cells.Count(0, stream));
  EXPECT_OK(aclmdlRICaptureBegin(stream, kRelaxed));
  EXPECT_OK(cells.Count(1, stream));
  aclmdlRI instance = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream, &instance));
  ASSERT_NE(instance, nullptr);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{1, 0}));
  RunTimes(instance, stream, 3);
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{1, 3}));
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclmdlRICaptureBegin, TakesPartInStreamsOfAllModes) {
  const Session session;
  const Cells cells(1);
  for (const auto mode : {kGlobal, kThreadLocal, kRelaxed}) {
    const aclrtStream stream = session.Stream();
    const aclmdlRI instance = Captured(
        stream, [&] { EXPECT_OK(cells.Count(0, stream)); }, mode);
    RunTimes(instance, stream);
    EXPECT_OK(aclmdlRIDestroy(instance));
    EXPECT_OK(aclrtDestroyStream(stream));
  }
  EXPECT_EQ(cells[0], 3);
}

TEST(aclmdlRICaptureBegin, AnEmptyCaptureRunsToo) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const aclmdlRI instance = Captured(stream, [] {});
  RunTimes(instance, stream, 2);
  EXPECT_OK(aclmdlRIExecute(instance, -1));
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclmdlRICaptureBegin, RefusesWhatCannotBeCaptured) {
  const Session session;
  const aclrtStream stream = session.Stream();
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT, aclmdlRICaptureBegin(nullptr, kGlobal));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICaptureBegin(stream, static_cast<aclmdlRICaptureMode>(3)));
  EXPECT_OK(aclmdlRICaptureBegin(stream, kGlobal));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclmdlRICaptureBegin(stream, kGlobal));
  aclmdlRI instance = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream, &instance));
  EXPECT_OK(aclmdlRIDestroy(instance));
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_NE(aclmdlRICaptureBegin(stream, kGlobal), ACL_SUCCESS);
}

TEST(aclmdlRICaptureEnd, NeedsItsBegin) {
  const Session session;
  const aclrtStream stream = session.Stream();
  aclmdlRI instance = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, aclmdlRICaptureEnd(stream, &instance));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, aclmdlRICaptureEnd(nullptr, &instance));
  EXPECT_OK(aclmdlRICaptureBegin(stream, kGlobal));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICaptureEnd(stream, nullptr));
  EXPECT_OK(aclmdlRICaptureEnd(stream, &instance));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, aclmdlRICaptureEnd(stream, &instance));
  EXPECT_EQ(instance, nullptr);
}

TEST(aclmdlRICaptureEnd, IsForTheThreadThatBeganUnlessRelaxed) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream();
  aclmdlRI instance = nullptr;
  const auto end_elsewhere = [&] {
    aclError result = ACL_SUCCESS;
    std::thread([&] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      result = aclmdlRICaptureEnd(stream, &instance);
    }).join();
    return result;
  };
  for (const auto mode : {kGlobal, kThreadLocal}) {
    EXPECT_OK(aclmdlRICaptureBegin(stream, mode));
    EXPECT_EQ(end_elsewhere(), ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD);
    EXPECT_EQ(StatusOf(stream), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
    EXPECT_OK(aclmdlRICaptureEnd(stream, &instance));
    EXPECT_OK(aclmdlRIDestroy(instance));
  }
  EXPECT_OK(aclmdlRICaptureBegin(stream, kRelaxed));
  std::thread([&] {
    EXPECT_OK(aclrtSetCurrentContext(session.context()));
    EXPECT_OK(cells.Count(0, stream));
  }).join();
  EXPECT_EQ(end_elsewhere(), ACL_SUCCESS);
  RunTimes(instance, stream, 2);
  EXPECT_EQ(cells[0], 2);
}

TEST(aclmdlRICaptureEnd, IsForTheStreamItBeganOn) {
  const Session session;
  const aclrtStream first = session.Stream(), second = session.Stream();
  const aclrtEvent fork = session.Event(), join = session.Event();
  aclmdlRI instance = nullptr;
  EXPECT_OK(aclmdlRICaptureBegin(first, kGlobal));
  EXPECT_OK(aclrtRecordEvent(fork, first));
  EXPECT_OK(aclrtStreamWaitEvent(second, fork));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED, aclmdlRICaptureEnd(second, &instance));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclmdlRICaptureBegin(second, kGlobal));
  EXPECT_OK(aclrtRecordEvent(join, second));
  EXPECT_OK(aclrtStreamWaitEvent(first, join));
  EXPECT_OK(aclmdlRICaptureEnd(first, &instance));
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclmdlRICaptureGetInfo, WorksAnywhere) {
  const Session session;
  const aclrtStream stream = session.Stream();
  aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;
  aclmdlRI during = stream, instance = nullptr;
  EXPECT_OK(aclmdlRICaptureGetInfo(stream, &status, &during));
  EXPECT_EQ(status, ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  EXPECT_EQ(during, nullptr);
  EXPECT_EQ(StatusOf(nullptr), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICaptureGetInfo(stream, nullptr, &during));
  EXPECT_OK(aclmdlRICaptureGetInfo(stream, &status, nullptr));
  EXPECT_OK(aclmdlRICaptureBegin(stream, kGlobal));
  std::thread([&] {
    EXPECT_OK(aclrtSetCurrentContext(session.context()));
    EXPECT_OK(aclmdlRICaptureGetInfo(stream, &status, &during));
  }).join();
  EXPECT_EQ(status, ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, aclmdlRIExecuteAsync(during, session.Stream()));
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, aclmdlRIExecute(during, -1));
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, aclmdlRIDestroy(during));
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED,
               aclmdlRICaptureToModelRIBegin(session.Stream(), during, kRelaxed));
  EXPECT_OK(aclmdlRICaptureEnd(stream, &instance));
  EXPECT_EQ(during, instance);
  EXPECT_EQ(StatusOf(stream), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICaptureToModelRIBegin(stream, instance, kRelaxed));
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclmdlRICaptureBegin, KeepsOthersFromWaitingForTheStream) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const aclrtEvent event = session.Event();
  aclrtStreamStatus status;
  aclrtEventRecordedStatus recorded;
  EXPECT_OK(aclmdlRICaptureBegin(stream, kGlobal));
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclrtSynchronizeStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclrtSynchronizeStreamWithTimeout(stream, 1));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclrtStreamQuery(stream, &status));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclrtDestroyStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_EVENT_CAPTURED, aclrtSynchronizeEvent(event));
  EXPECT_FAILS(ACL_ERROR_RT_EVENT_CAPTURED, aclrtSynchronizeEventWithTimeout(event, 1));
  EXPECT_FAILS(ACL_ERROR_RT_EVENT_CAPTURED, aclrtQueryEventStatus(event, &recorded));
  EXPECT_OK(aclrtSynchronizeDevice());
  aclmdlRI instance = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream, &instance));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_OK(aclrtStreamWaitEvent(stream, event));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclmdlRICaptureBegin, ForbidsUnsafeCallsByMode) {
  const Session session;
  const Cells cells(1);
  std::int32_t number = 0;
  void* const cell = cells.At(0);
  const auto unsafe = [&](aclrtStream stream) {
    return std::vector<aclError>{
        aclrtMemcpy(cell, 4, &number, 4, ACL_MEMCPY_HOST_TO_DEVICE), aclrtMemset(cell, 4, 0, 4),
        aclrtMemcpy2d(cell, 4, &number, 4, 4, 1, ACL_MEMCPY_HOST_TO_DEVICE),
        aclrtMemcpyAsync(cell, 4, &number, 4, ACL_MEMCPY_HOST_TO_DEVICE, stream),
        aclrtMemcpy2dAsync(cell, 4, &number, 4, 4, 1, ACL_MEMCPY_HOST_TO_DEVICE, stream)};
  };
  const std::vector<aclError> refused(5, ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT), fine(5, ACL_SUCCESS);
  const aclrtStream stream = session.Stream(), other = session.Stream();
  for (const auto mode : {kGlobal, kThreadLocal, kRelaxed}) {
    EXPECT_OK(aclmdlRICaptureBegin(stream, mode));
    EXPECT_EQ(unsafe(other), mode == kRelaxed ? fine : refused) << mode;
    std::thread([&] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      EXPECT_EQ(unsafe(other), mode == kGlobal ? refused : fine) << mode;
      auto exchanged = kThreadLocal;
      EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&exchanged));
      EXPECT_EQ(exchanged, kGlobal);
      EXPECT_EQ(unsafe(other), fine) << mode;
      RecentError();
    }).join();
    aclmdlRI instance = nullptr;
    EXPECT_OK(aclmdlRICaptureEnd(stream, &instance));
    EXPECT_OK(aclmdlRIDestroy(instance));
    EXPECT_EQ(unsafe(other), fine);
  }
  RecentError();
}

TEST(aclmdlRICaptureBegin, RefusesCopiesOfPageableMemoryInTheStream) {
  const Session session;
  const Cells cells(1);
  std::int32_t number = 0;
  const aclrtStream stream = session.Stream();
  const aclmdlRI instance = Captured(stream, [&] {
    EXPECT_FAILS(ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC,
                 aclrtMemcpyAsync(cells.At(0), 4, &number, 4, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    EXPECT_OK(cells.Count(0, stream));
  });
  RunTimes(instance, stream);
  EXPECT_EQ(cells[0], 1);
}

TEST(aclmdlRICaptureThreadExchangeMode, SwapsAndChecks) {
  const Session session;
  auto mode = kRelaxed;
  EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
  EXPECT_EQ(mode, kGlobal);
  EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
  EXPECT_EQ(mode, kRelaxed);
  mode = static_cast<aclmdlRICaptureMode>(7);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICaptureThreadExchangeMode(&mode));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICaptureThreadExchangeMode(nullptr));
}

TEST(aclmdlRICaptureEnd, FailsOnceAfterTheCaptureBecameInvalid) {
  const Session session;
  const Cells cells(1);
  Gate gate;
  const aclrtStream stream = session.Stream(), outside = session.Stream();
  const aclrtEvent event = session.Event();
  gate.Hold(outside);
  EXPECT_OK(aclrtRecordEvent(event, outside));
  EXPECT_OK(aclmdlRICaptureBegin(stream, kGlobal));
  EXPECT_FAILS(ACL_ERROR_RT_CAPTURE_DEPENDENCY, aclrtStreamWaitEvent(stream, event));
  EXPECT_EQ(StatusOf(stream), ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED);
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, cells.Count(0, stream));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, aclrtRecordEvent(session.Event(), stream));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, aclmdlRICaptureTaskGrpBegin(stream));
  aclmdlRI instance = stream;
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, aclmdlRICaptureEnd(stream, &instance));
  EXPECT_EQ(instance, nullptr);
  EXPECT_EQ(StatusOf(stream), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, aclmdlRICaptureEnd(stream, &instance));
  EXPECT_OK(cells.Count(0, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(cells[0], 1);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(outside));
}

TEST(aclmdlRICaptureEnd, WaitsForReachedEventsOfOutsideAreNoDependency) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream(), outside = session.Stream();
  const aclrtEvent event = session.Event();
  EXPECT_OK(aclrtRecordEvent(event, outside));
  EXPECT_OK(aclrtSynchronizeStream(outside));
  const aclmdlRI instance = Captured(stream, [&] {
    EXPECT_OK(aclrtStreamWaitEvent(stream, event));
    EXPECT_OK(aclrtStreamWaitEvent(stream, session.Event()));
    EXPECT_OK(cells.Count(0, stream));
  });
  RunTimes(instance, stream);
  EXPECT_EQ(cells[0], 1);
}

TEST(aclmdlRICaptureEnd, TwoCapturesDoNotMeet) {
  const Session session;
  const aclrtStream first = session.Stream(), second = session.Stream();
  const aclrtEvent event = session.Event();
  aclmdlRI instance = nullptr;
  EXPECT_OK(aclmdlRICaptureBegin(first, kGlobal));
  EXPECT_OK(aclmdlRICaptureBegin(second, kGlobal));
  EXPECT_OK(aclrtRecordEvent(event, first));
  EXPECT_FAILS(ACL_ERROR_STREAM_CAPTURE_CONFLICT, aclrtStreamWaitEvent(second, event));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, aclmdlRICaptureEnd(first, &instance));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, aclmdlRICaptureEnd(second, &instance));
  EXPECT_OK(aclrtSynchronizeStream(first));
  EXPECT_OK(aclrtSynchronizeStream(second));
}

TEST(aclmdlRICaptureEnd, TheDefaultStreamDoesNotJoin) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const aclrtEvent event = session.Event();
  aclmdlRI instance = nullptr;
  EXPECT_OK(aclmdlRICaptureBegin(stream, kGlobal));
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT, aclrtStreamWaitEvent(nullptr, event));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, aclmdlRICaptureEnd(stream, &instance));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST(aclmdlRICaptureEnd, ADestroyedStreamEndsItsCapture) {
  const Session session;
  const Cells cells(1);
  std::int32_t number = 5;
  const aclrtStream stream = session.Stream(), other = session.Stream();
  const aclrtEvent event = session.Event();
  aclmdlRI instance = nullptr;
  EXPECT_OK(aclmdlRICaptureBegin(stream, kGlobal));
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_OK(aclrtStreamWaitEvent(other, event));
  EXPECT_OK(aclrtDestroyStreamForce(stream));
  EXPECT_EQ(StatusOf(other), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  EXPECT_OK(aclrtMemcpy(cells.At(0), 4, &number, 4, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(cells.Count(0, other));
  EXPECT_OK(aclrtSynchronizeStream(other));
  EXPECT_EQ(cells[0], 6);

  const aclrtStream again = session.Stream();
  EXPECT_OK(aclmdlRICaptureBegin(again, kGlobal));
  EXPECT_OK(aclrtRecordEvent(event, again));
  EXPECT_OK(aclrtStreamWaitEvent(other, event));
  EXPECT_OK(aclrtDestroyStreamForce(other));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, aclmdlRICaptureEnd(again, &instance));
  EXPECT_OK(aclrtSynchronizeStream(again));
}

TEST(aclmdlRICaptureBegin, AResetDeviceEndsCaptures) {
  {
    const Session session;
    EXPECT_OK(aclmdlRICaptureBegin(session.Stream(), kGlobal));
  }
  const Session session;
  const Cells cells(1);
  EXPECT_OK(aclrtMemset(cells.At(0), 4, 0, 4));
}

}  // namespace
