// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of the program that the library calls around runs, and that call it again: on failures, at the
// end of an instance, from callbacks; and runs that are aborted from outside at any moment.
#include "conformance/acl_rt/capture_fixture.h"

namespace {

aclmdlRI failing_instance;
std::atomic<int> failures;

void DestroyOnFailure(aclrtExceptionInfo*) {
  if (failures++ == 0) {
    EXPECT_OK(aclmdlRIDestroy(failing_instance));
  }
}

TEST(aclrtSetExceptionInfoCallback, MayDestroyTheInstanceThatFails) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream();
  void* gone = nullptr;
  EXPECT_OK(aclrtMalloc(&gone, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  failing_instance = Captured(stream, [&] {
    EXPECT_OK(aclrtMemsetAsync(gone, 64, 1, 64, stream));
    EXPECT_OK(aclrtMemsetAsync(gone, 64, 2, 64, stream));
    EXPECT_OK(cells.Count(0, stream));
  });
  EXPECT_OK(aclrtFree(gone));
  failures = 0;
  EXPECT_OK(aclrtSetExceptionInfoCallback(DestroyOnFailure));
  EXPECT_OK(aclmdlRIExecuteAsync(failing_instance, stream));
  EXPECT_FAILS(ACL_ERROR_RT_SYS_DMA, aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
  EXPECT_GE(failures, 1);
  EXPECT_EQ(cells[0], 1);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIDestroy(failing_instance));
}

struct Successor {
  aclmdlRI other = nullptr;
  aclrtStream stream = nullptr;
  const Cells* cells = nullptr;
  int calls = 0;
  // Captures, runs and destroys while an instance ends.
  static void Use(void* self) {
    Successor& next = *static_cast<Successor*>(self);
    ++next.calls;
    const aclmdlRI made = Captured(next.stream, [&] { EXPECT_OK(next.cells->Count(0, next.stream)); });
    RunTimes(made, next.stream);
    EXPECT_OK(aclmdlRIDestroy(made));
    EXPECT_OK(aclmdlRIDestroy(next.other));
  }
};

TEST(aclmdlRIDestroyRegisterCallback, MayUseAndDestroyOtherInstances) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream();
  const aclmdlRI first = Captured(stream, [&] { EXPECT_OK(cells.Count(0, stream)); });
  Successor next{Captured(stream, [&] { EXPECT_OK(cells.Count(0, stream)); }), stream, &cells};
  EXPECT_OK(aclmdlRIDestroyRegisterCallback(first, Successor::Use, &next));
  EXPECT_OK(aclmdlRIDestroy(first));
  EXPECT_EQ(next.calls, 1);
  EXPECT_EQ(cells[0], 1);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIDestroy(next.other));
}

TEST(aclmdlRIExecuteAsync, CallbacksOfARunMayQueueRuns) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream(), elsewhere = session.Stream();
  ReportThread reports(session.context());
  EXPECT_OK(aclrtSubscribeReport(reports.id(), stream));
  struct Next {
    aclmdlRI instance;
    aclrtStream stream;
  } next{Captured(stream, [&] { EXPECT_OK(cells.Count(1, stream)); }), elsewhere};
  const aclmdlRI outer = Captured(stream, [&] {
    EXPECT_OK(aclrtLaunchCallback(
        [](void* argument) {
          const Next& wanted = *static_cast<Next*>(argument);
          EXPECT_OK(aclmdlRIExecuteAsync(wanted.instance, wanted.stream));
          EXPECT_OK(aclrtSynchronizeStream(wanted.stream));
        },
        &next, ACL_CALLBACK_BLOCK, stream));
    EXPECT_OK(cells.Add(0, 1, stream));
  });
  RunTimes(outer, stream, 3);
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{6, 3}));
  EXPECT_OK(aclrtUnSubscribeReport(reports.id(), stream));
}

// Whatever a run is doing when it is aborted, the stream goes on and the instance runs again.
TEST(aclmdlRIAbort, MeetsRunsAtAnyMoment) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream(), side = session.Stream(), run = session.Stream();
  const aclrtEvent fork = session.Event(), join = session.Event();
  const aclmdlRI instance = Captured(stream, [&] {
    EXPECT_OK(aclrtRecordEvent(fork, stream));
    EXPECT_OK(aclrtStreamWaitEvent(side, fork));
    for (int i = 0; i < 5; ++i) {
      EXPECT_OK(aclrtLaunchHostFunc(
          side, [](void*) { std::this_thread::yield(); }, nullptr));
      EXPECT_OK(cells.Count(0, side));
      EXPECT_OK(aclrtLaunchHostFunc(
          stream, [](void*) { std::this_thread::yield(); }, nullptr));
      EXPECT_OK(cells.Count(1, stream));
    }
    EXPECT_OK(aclrtRecordEvent(join, side));
    EXPECT_OK(aclrtStreamWaitEvent(stream, join));
  });
  std::atomic<bool> stop{false};
  std::thread aborts([&] {
    EXPECT_OK(aclrtSetCurrentContext(session.context()));
    while (!stop) {
      EXPECT_OK(aclmdlRIAbort(instance));
      std::this_thread::yield();
    }
  });
  for (int round = 0; round < 50; ++round) {
    EXPECT_OK(aclmdlRIExecuteAsync(instance, run));
    const aclError answer = aclrtSynchronizeStream(run);
    EXPECT_TRUE(answer == ACL_SUCCESS || answer == ACL_ERROR_RT_MODEL_ABORT_NORMAL) << answer;
  }
  stop = true;
  aborts.join();
  RecentError();
  const std::vector<std::int32_t> before = cells.Read();
  RunTimes(instance, run);
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{before[0] + 5, before[1] + 5}));
  EXPECT_OK(aclmdlRIDestroy(instance));
}

// A function of the program is not waited for; the next run is.
TEST(aclmdlRIAbort, LetsTheNextRunBeginWhenFunctionsOfTheLastHaveReturned) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream(), side = session.Stream(), next = session.Stream();
  const aclrtEvent fork = session.Event(), join = session.Event();
  Gate gate;
  const aclmdlRI instance = Captured(stream, [&] {
    EXPECT_OK(aclrtRecordEvent(fork, stream));
    EXPECT_OK(aclrtStreamWaitEvent(side, fork));
    gate.Hold(side);
    EXPECT_OK(cells.Count(0, side));
    EXPECT_OK(cells.Count(1, stream));
    EXPECT_OK(aclrtRecordEvent(join, side));
    EXPECT_OK(aclrtStreamWaitEvent(stream, join));
  });
  EXPECT_OK(aclmdlRIExecuteAsync(instance, stream));
  ASSERT_TRUE(gate.Reached());
  EXPECT_OK(aclmdlRIAbort(instance));
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_ABORT_NORMAL, aclrtSynchronizeStream(stream));
  const std::int32_t before = cells[1];
  EXPECT_OK(aclmdlRIExecuteAsync(instance, next));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(next, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(cells[1], before) << "two runs at once";
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(next));
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{1, before + 1}));
  EXPECT_OK(aclmdlRIDestroy(instance));
}

// The same with the stream itself.
TEST(aclrtStreamAbort, MeetsRunsAtAnyMoment) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream(), side = session.Stream(), run = session.Stream();
  const aclrtEvent fork = session.Event(), join = session.Event();
  const aclmdlRI instance = Captured(stream, [&] {
    EXPECT_OK(aclrtRecordEvent(fork, stream));
    EXPECT_OK(aclrtStreamWaitEvent(side, fork));
    EXPECT_OK(aclrtLaunchHostFunc(
        side, [](void*) { std::this_thread::yield(); }, nullptr));
    EXPECT_OK(cells.Count(0, side));
    EXPECT_OK(aclrtLaunchHostFunc(
        stream, [](void*) {}, nullptr));
    EXPECT_OK(cells.Count(1, stream));
    EXPECT_OK(aclrtRecordEvent(join, side));
    EXPECT_OK(aclrtStreamWaitEvent(stream, join));
  });
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < 3; ++i)
      EXPECT_OK(aclmdlRIExecuteAsync(instance, run));
    for (int i = round % 7; i > 0; --i)
      std::this_thread::yield();
    EXPECT_OK(aclrtStreamAbort(run));
    const aclError answer = aclrtSynchronizeStream(run);
    EXPECT_TRUE(answer == ACL_SUCCESS || answer == ACL_ERROR_RT_STREAM_ABORT) << answer;
  }
  RecentError();
  const std::vector<std::int32_t> before = cells.Read();
  RunTimes(instance, run, 2);
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{before[0] + 2, before[1] + 2}));
  EXPECT_OK(aclmdlRIDestroy(instance));
}

}  // namespace
