// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Models built by hand from stored streams.
#include "conformance/acl_rt/built_model.h"

#include "conformance/in_fork.h"

TEST(aclmdlRIBuildBegin, MakesAModelThatRunsAsOftenAsWanted) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  const Number sum, one(1);
  sum.Add(one, head);
  const aclmdlRI model = building.End(head);
  EXPECT_EQ(sum.Get(), 0) << "what a model stores is not run before it is executed";
  Execute(model);
  EXPECT_EQ(sum.Get(), 1);
  const aclrtStream stream = session.Stream();
  for (int i = 0; i < 3; ++i)
    ASSERT_OK(aclmdlRIExecuteAsync(model, stream));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(sum.Get(), 4);
  EXPECT_OK(aclmdlRIUnbindStream(model, head));
  EXPECT_OK(aclmdlRIDestroy(model));
  EXPECT_OK(aclrtDestroyStream(head));
}

TEST(aclmdlRIBuildBegin, RefusesNullAndFlags) {
  const Session session;
  aclmdlRI model = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIBuildBegin(nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIBuildBegin(&model, 1));
  EXPECT_EQ(model, nullptr);
}

TEST(aclmdlRIBuildBegin, NeedsAContext) {
  const Session session;
  std::thread([] {
    aclmdlRI model = nullptr;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, aclmdlRIBuildBegin(&model, 0));
  }).join();
}

TEST(aclmdlRIBindStream, RefusesWhatItCannotBind) {
  const Session session;
  Building building, other;
  const aclrtStream head = building.Head();
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIBindStream(building.get(), nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIBindStream(building.get(), session.Stream(), 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIBindStream(building.get(), StoredStream(), 3));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIBindStream(nullptr, StoredStream(), 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIBindStream(head, StoredStream(), 0));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclmdlRIBindStream(building.get(), building.get(), 0));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclmdlRIBindStream(building.get(), head, 0));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclmdlRIBindStream(other.get(), head, 0));
  aclrtContext second = nullptr;
  ASSERT_OK(aclrtCreateContext(&second, 0));
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_CONTEXT, aclmdlRIBindStream(building.get(), StoredStream(), 0));
  EXPECT_OK(aclrtDestroyContext(second));
}

TEST(aclmdlRIBindStream, TakesAStreamThatLeftItsModel) {
  const Session session;
  const Number sum, one(1);
  const aclrtStream stream = StoredStream();
  for (int model = 1; model <= 3; ++model) {
    Building building;
    ASSERT_OK(aclmdlRIBindStream(building.get(), stream, ACL_MODEL_STREAM_FLAG_HEAD));
    sum.Add(one, stream);
    Execute(building.End(stream));
    EXPECT_EQ(sum.Get(), model);
    if (model == 1) {
      EXPECT_OK(aclmdlRIUnbindStream(building.get(), stream));
      EXPECT_OK(aclrtPersistentTaskClean(stream));
    }
    EXPECT_OK(aclmdlRIDestroy(building.get()));  // lets go of its streams
    if (model == 2) {
      EXPECT_OK(aclrtPersistentTaskClean(stream));
    }
  }
}

TEST(aclmdlRIUnbindStream, RefusesWhatIsNotBound) {
  const Session session;
  Building building, other;
  const aclrtStream head = building.Head();
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclmdlRIUnbindStream(other.get(), head));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIUnbindStream(building.get(), nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIUnbindStream(nullptr, head));
  EXPECT_OK(aclmdlRIUnbindStream(building.get(), head));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclmdlRIUnbindStream(building.get(), head));
}

TEST(aclmdlRIEndTask, EndsTheStreamItIsQueuedIn) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  const Number sum, one(1);
  sum.Add(one, head);
  ASSERT_OK(aclmdlRIEndTask(building.get(), head));
  sum.Add(one, head);  // behind the end
  Execute(building.End(head));
  EXPECT_EQ(sum.Get(), 1);
  const aclrtStream unbound = StoredStream();
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclmdlRIEndTask(building.get(), unbound));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIEndTask(nullptr, head));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIEndTask(building.get(), nullptr));
}

TEST(aclmdlRIBuildEnd, MustComeBeforeARun) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  const aclrtStream stream = session.Stream();
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, aclmdlRIExecute(building.get(), -1));
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, aclmdlRIExecuteAsync(building.get(), stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIBuildEnd(nullptr, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIBuildEnd(building.get(), stream));
  Execute(building.End(head));
}

TEST(aclmdlRIBuildEnd, LeavesAModelWithoutHeadThatCannotRun) {
  const Session session;
  Building empty, headless;
  headless.Activated();
  for (const aclmdlRI model : {empty.get(), headless.get()}) {
    EXPECT_OK(aclmdlRIBuildEnd(model, nullptr));
    EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclmdlRIExecute(model, -1));
    EXPECT_OK(aclmdlRIDestroy(model));
  }
}

TEST(aclmdlRIBuildEnd, RunsWhatTheStreamsKeepWhenARunIsAskedFor) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  const Number sum, one(1), ten(10);
  sum.Add(one, head);
  const aclmdlRI model = building.End(head);
  Execute(model);
  ASSERT_OK(aclrtPersistentTaskClean(head));
  sum.Add(ten, head);
  Execute(model);
  EXPECT_EQ(sum.Get(), 11);
  ASSERT_OK(aclrtDestroyStream(head));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclmdlRIExecute(model, -1));
  EXPECT_OK(aclmdlRIDestroy(model));
}

TEST(aclmdlRIExecute, RunsHeadsBesideEachOther) {
  const Session session;
  Building building;
  const aclrtStream first = building.Head(), second = building.Head();
  std::uint64_t* const cell = session.Cell(0);
  std::uint64_t* const answer = session.Cell(0);
  // Each waits for the other.
  ASSERT_OK(aclrtValueWrite(cell, 1, 0, first));
  ASSERT_OK(aclrtValueWait(answer, 1, ACL_STREAM_WAIT_VALUE_EQ, first));
  ASSERT_OK(aclrtValueWait(cell, 1, ACL_STREAM_WAIT_VALUE_EQ, second));
  ASSERT_OK(aclrtValueWrite(answer, 1, 0, second));
  Execute(building.End(first));
  EXPECT_EQ(session.Read(answer), 1u);
}

TEST(aclmdlRIExecute, GivesUpWaitingAfterItsTime) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  std::uint64_t* const cell = session.Cell(0);
  ASSERT_OK(aclrtValueWait(cell, 1, ACL_STREAM_WAIT_VALUE_EQ, head));
  const aclmdlRI model = building.End(head);
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, aclmdlRIExecute(model, 1));
  const std::uint64_t one = 1;
  ASSERT_OK(aclrtMemcpy(cell, 8, &one, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  Execute(model);  // after the run that went on
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIExecute(model, -2));
}

TEST(aclmdlRIExecuteAsync, TellsTheStreamWhatFailed) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  void* gone = nullptr;
  ASSERT_OK(aclrtMalloc(&gone, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtMemsetAsync(gone, 64, 0, 64, head));
  const aclmdlRI model = building.End(head);
  Execute(model);
  ASSERT_OK(aclrtFree(gone));
  const aclrtStream stream = session.Stream();
  ASSERT_OK(aclmdlRIExecuteAsync(model, stream));
  EXPECT_FAILS(ACL_ERROR_RT_SYS_DMA, aclrtSynchronizeStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_SYS_DMA, aclmdlRIExecute(model, -1));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST(aclmdlRIExecuteAsync, KeepsADestroyedModelUntilItsRunsAreOver) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  const Number sum, one(1);
  sum.Add(one, head);
  const aclmdlRI model = building.End(head);
  const aclrtStream stream = session.Stream();
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclmdlRIExecuteAsync(model, stream));
  ASSERT_OK(aclmdlRIExecuteAsync(model, stream));
  ASSERT_OK(aclmdlRIDestroy(model));
  ASSERT_OK(aclrtDestroyStream(head));
  gate.Open();
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(sum.Get(), 2);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIExecuteAsync(model, stream));
}

TEST(aclmdlRIDestroy, EndsARunningModelOnlyForThoseWhoAskLater) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  Gate gate;
  gate.Hold(head);
  const aclmdlRI model = building.End(head);
  const aclrtStream stream = session.Stream();
  ASSERT_OK(aclmdlRIExecuteAsync(model, stream));
  ASSERT_TRUE(gate.Reached());
  EXPECT_OK(aclmdlRIDestroy(model));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIDestroy(model));
}

TEST(aclmdlRIExecuteAsync, CallsHostFunctionsOfStoredStreams) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  std::atomic<int> calls{0};
  ASSERT_OK(aclrtLaunchHostFunc(
      head, [](void* count) { static_cast<std::atomic<int>*>(count)->fetch_add(1); }, &calls));
  const aclmdlRI model = building.End(head);
  Execute(model);
  Execute(model);
  EXPECT_EQ(calls, 2);
}

TEST(aclmdlRIExecuteAsync, CallsBackOnTheThreadSubscribedToTheStoredStream) {
  const Session session;
  ReportThread reports(session.context());
  Building building;
  const aclrtStream head = building.Head();
  ASSERT_OK(aclrtSubscribeReport(reports.id(), head));
  std::atomic<int> calls{0};
  const auto count = [](void* calls) { static_cast<std::atomic<int>*>(calls)->fetch_add(1); };
  ASSERT_OK(aclrtLaunchCallback(count, &calls, ACL_CALLBACK_BLOCK, head));
  ASSERT_OK(aclrtLaunchCallback(count, &calls, ACL_CALLBACK_NO_BLOCK, head));
  const aclmdlRI model = building.End(head);
  for (int run = 1; run <= 3; ++run) {
    Execute(model);
    EXPECT_EQ(calls, 2 * run);
  }
  EXPECT_OK(aclrtUnSubscribeReport(reports.id(), head));
}

TEST(aclmdlRIExecute, RunsOneAfterTheOtherWhenManyThreadsAsk) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  const Number sum, one(1);
  const Number copy;
  // Reads, then writes: runs beside each other would lose some.
  copy.Assign(sum, head);
  copy.Add(one, head);
  sum.Assign(copy, head);
  const aclmdlRI model = building.End(head);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      ASSERT_OK(aclrtSetCurrentContext(session.context()));
      const aclrtStream stream = session.Stream();
      for (int run = 0; run < 50; ++run)
        EXPECT_OK(i % 2 == 0 ? aclmdlRIExecute(model, -1) : aclmdlRIExecuteAsync(model, stream));
      EXPECT_OK(aclrtSynchronizeStream(stream));
    });
  }
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(sum.Get(), 200);
}

TEST(aclmdlRIExecuteAsync, RunsOneAfterTheOtherWhenStreamsChangeMeanwhile) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  const aclrtStream streams[] = {session.Stream(), session.Stream()};
  const Number sum, one(1), copy, other;
  copy.Assign(sum, head);
  copy.Add(one, head);
  sum.Assign(copy, head);
  const aclmdlRI model = building.End(head);
  for (int run = 0; run < 50; ++run) {
    EXPECT_OK(aclmdlRIExecuteAsync(model, streams[run % 2]));
    other.Assign(one, head);
  }
  for (const aclrtStream stream : streams)
    EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(sum.Get(), 50);
}

TEST(aclmdlRIAbort, EndsARunOfWhatItsStreamsKeptBefore) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head(), first = session.Stream(), second = session.Stream();
  std::uint64_t* const cell = session.Cell(0);
  const Number sum, one(1);
  Gate gate;
  gate.Open();
  gate.Hold(head);
  ASSERT_OK(aclrtValueWait(cell, 1, ACL_STREAM_WAIT_VALUE_EQ, head));
  ASSERT_OK(aclmdlRIBuildEnd(building.get(), nullptr));
  ASSERT_OK(aclmdlRIExecuteAsync(building.get(), first));
  ASSERT_TRUE(gate.Reached());
  sum.Add(one, head);
  ASSERT_OK(aclmdlRIExecuteAsync(building.get(), second));
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_RUNNING, aclmdlRIUpdate(building.get()));
  EXPECT_OK(aclmdlRIAbort(building.get()));
  ASSERT_OK(aclrtValueWrite(cell, 1, 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_ABORT_NORMAL, aclrtSynchronizeStream(first));
  EXPECT_OK(aclrtSynchronizeStream(second));
  EXPECT_EQ(sum.Get(), 1);
}

TEST(aclmdlRIExecute, RecordsAndAwaitsEventsOfItsStreamsInEachRun) {
  const Session session;
  Building building;
  const aclrtStream first = building.Head(), second = building.Head();
  const aclrtEvent event = session.Event();
  const Number sum, one(1), seen;
  ASSERT_OK(aclrtStreamWaitEvent(second, event));  // queued before its record
  seen.Assign(sum, second);
  sum.Add(one, first);
  ASSERT_OK(aclrtRecordEvent(event, first));
  const aclmdlRI model = building.End(second);
  for (int run = 1; run <= 20; ++run) {
    Execute(model);
    ASSERT_EQ(seen.Get(), run);
  }
  EXPECT_OK(aclrtSynchronizeEvent(event));
}

TEST(aclmdlRIExecute, AwaitsEventsOfOtherStreams) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head(), stream = session.Stream();
  const aclrtEvent event = session.Event();
  const Number source(7), seen;
  ASSERT_OK(aclrtStreamWaitEvent(head, event));
  seen.Assign(source, head);
  ASSERT_OK(aclrtResetEvent(event, head));
  const aclmdlRI model = building.End(head);
  Execute(model);  // never recorded: nothing to wait for
  EXPECT_EQ(seen.Get(), 7);
  Gate gate;
  gate.Hold(stream);
  const Number eight(8);
  source.Assign(eight, stream);
  ASSERT_OK(aclrtRecordEvent(event, stream));
  const aclrtStream running = session.Stream();
  ASSERT_OK(aclmdlRIExecuteAsync(model, running));
  gate.Open();
  ASSERT_OK(aclrtSynchronizeStream(running));
  EXPECT_EQ(seen.Get(), 8);
}

TEST(aclmdlRIExecute, MeansNothingInAForkedChild) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const Session session;
  Building building;
  const aclmdlRI model = building.End(building.Head());
  EXPECT_EQ(InFork({},
                   [&] {
                     ASSERT_OK(aclrtSetDevice(0));
                     EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIExecute(model, -1));
                     Building mine;
                     const aclrtStream head = mine.Head();
                     const Number sum, one(1);
                     sum.Add(one, head);
                     Execute(mine.End(head));
                     EXPECT_EQ(sum.Get(), 1);
                   }),
            0);
  Execute(model);
}

TEST(aclmdlRIExecute, AnswersForAModelWhoseDeviceWasReset) {
  const Session session;
  Building building;
  const aclmdlRI model = building.End(building.Head());
  ASSERT_OK(aclrtResetDeviceForce(0));
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclmdlRIExecute(model, -1));
  EXPECT_OK(aclmdlRIDestroy(model));
}
