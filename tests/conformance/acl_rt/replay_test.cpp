// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// aclmdlRIExecute, ExecuteAsync and Destroy: runs of what was captured, their order, their failures and their
// ends.
#include <algorithm>
#include <thread>

#include "conformance/acl_rt/capture_fixture.h"
#include "conformance/in_fork.h"

namespace {

TEST(aclmdlRIExecute, RunsToTheEnd) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream();
  const aclmdlRI instance = Captured(stream, [&] { EXPECT_OK(cells.Count(0, stream)); });
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclmdlRIExecute(instance, -1));
  EXPECT_OK(aclmdlRIExecute(instance, 60'000));
  EXPECT_EQ(cells[0], 2);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIExecute(instance, -2));
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclmdlRIExecute, GoesOnAfterItsTimeLimit) {
  const Session session;
  const Cells cells(1);
  Gate gate;
  const aclrtStream stream = session.Stream();
  const aclmdlRI instance = Captured(stream, [&] {
    gate.Hold(stream);
    EXPECT_OK(cells.Count(0, stream));
  });
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, aclmdlRIExecute(instance, 5));
  EXPECT_OK(aclmdlRIExecuteAsync(instance, stream));  // after the one that goes on
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(cells[0], 2);
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclmdlRIExecuteAsync, ChecksItsArguments) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const aclmdlRI instance = Captured(stream, [] {});
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIExecuteAsync(nullptr, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIExecuteAsync(stream, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIExecute(nullptr, -1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIDestroy(nullptr));
  EXPECT_OK(aclmdlRIExecuteAsync(instance, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_OK(aclmdlRIDestroy(instance));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIExecuteAsync(instance, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIDestroy(instance));
}

TEST(aclmdlRIExecuteAsync, RunsInTheOrderOfItsStream) {
  const Session session;
  const Cells cells(2);
  const aclrtStream capturing = session.Stream(), stream = session.Stream();
  const aclmdlRI instance = Captured(capturing, [&] { EXPECT_OK(cells.Add(1, 0, capturing)); });
  for (int i = 0; i < 100; ++i) {
    EXPECT_OK(cells.Count(0, stream));
    EXPECT_OK(aclmdlRIExecuteAsync(instance, stream));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{100, 5050}));
}

TEST(aclmdlRIExecuteAsync, OneInstanceRunsOnceAtATime) {
  const Session session;
  const Cells cells(2);
  constexpr int kThreads = 4, kRuns = 200;
  const aclrtStream capturing = session.Stream();
  // Two steps that would lose numbers if two runs met.
  const aclmdlRI instance = Captured(capturing, [&] {
    EXPECT_OK(cells.Count(0, capturing));
    EXPECT_OK(cells.Add(1, 0, capturing));
    EXPECT_OK(cells.Copy(1, 0, capturing));
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      const aclrtStream stream = session.Stream();
      for (int run = 0; run < kRuns; ++run)
        EXPECT_OK(aclmdlRIExecuteAsync(instance, stream));
      EXPECT_OK(aclrtSynchronizeStream(stream));
      EXPECT_OK(aclrtDestroyStream(stream));
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{kThreads * kRuns, kThreads * kRuns}));
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclmdlRIExecuteAsync, SeveralInstancesRunSideBySide) {
  const Session session;
  const Cells cells(2);
  const aclrtStream first = session.Stream(), second = session.Stream();
  aclrtNotify notify = nullptr;
  EXPECT_OK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
  const aclmdlRI waiting = Captured(first, [&] {
    EXPECT_OK(aclrtWaitAndResetNotify(notify, first, 0));
    EXPECT_OK(cells.Add(1, 0, first));
  });
  const aclmdlRI recording = Captured(second, [&] {
    EXPECT_OK(cells.Count(0, second));
    EXPECT_OK(aclrtRecordNotify(notify, second));
  });
  for (int i = 0; i < 10; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(waiting, first));
    EXPECT_OK(aclmdlRIExecuteAsync(recording, second));
    EXPECT_OK(aclrtSynchronizeStream(first));
  }
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{10, 55}));
}

TEST(aclmdlRIExecuteAsync, WaitsForValuesAndWritesThem) {
  const Session session;
  const aclrtStream stream = session.Stream(), other = session.Stream();
  std::uint64_t* const cell = session.Cell(0);
  std::uint64_t* const answer = session.Cell(0);
  const aclmdlRI instance = Captured(stream, [&] {
    EXPECT_OK(aclrtValueWait(cell, 5, 1, stream));
    EXPECT_OK(aclrtValueWrite(cell, 1, 0, stream));
    EXPECT_OK(aclrtValueWrite(answer, 9, 0, stream));
  });
  for (int i = 0; i < 3; ++i) {
    EXPECT_OK(aclrtValueWrite(answer, 0, 0, other));
    EXPECT_OK(aclrtSynchronizeStream(other));
    EXPECT_OK(aclmdlRIExecuteAsync(instance, stream));
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 2), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    EXPECT_OK(aclrtValueWrite(cell, 5, 0, other));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(session.Read(answer), 9u);
  }
}

struct Log {
  std::mutex mutex;
  std::vector<std::pair<int, std::thread::id>> calls;
  std::vector<int> Numbers() {
    std::lock_guard<std::mutex> lock(mutex);
    std::vector<int> numbers;
    for (const auto& call : calls)
      numbers.push_back(call.first);
    return numbers;
  }
};
struct Entry {
  Log* log;
  int number;
  static void Note(void* self) {
    const Entry& entry = *static_cast<Entry*>(self);
    std::lock_guard<std::mutex> lock(entry.log->mutex);
    entry.log->calls.push_back({entry.number, std::this_thread::get_id()});
  }
};

TEST(aclmdlRIExecuteAsync, CallsFunctionsOfTheProgramInOrder) {
  const Session session;
  const Cells cells(1);
  Log log;
  Entry entries[] = {{&log, 0}, {&log, 1}, {&log, 2}, {&log, 3}};
  ReportThread reports(session.context());
  const aclrtStream stream = session.Stream(), elsewhere = session.Stream();
  EXPECT_OK(aclrtSubscribeReport(reports.id(), stream));
  const aclmdlRI instance = Captured(stream, [&] {
    EXPECT_OK(aclrtLaunchHostFunc(stream, Entry::Note, &entries[0]));
    EXPECT_OK(aclrtLaunchCallback(Entry::Note, &entries[1], ACL_CALLBACK_BLOCK, stream));
    EXPECT_OK(cells.Count(0, stream));
    EXPECT_OK(aclrtLaunchCallback(Entry::Note, &entries[2], ACL_CALLBACK_NO_BLOCK, stream));
    EXPECT_OK(aclrtLaunchHostFunc(stream, Entry::Note, &entries[3]));
  });
  EXPECT_TRUE(log.Numbers().empty());
  RunTimes(instance, stream);
  RunTimes(instance, elsewhere, 2);
  EXPECT_EQ(log.Numbers(), (std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}));
  EXPECT_EQ(cells[0], 3);
  EXPECT_EQ(log.calls[1].second, log.calls[6].second);  // the subscribed thread
  EXPECT_EQ(log.calls[1].second, log.calls[5].second);
  EXPECT_OK(aclrtUnSubscribeReport(reports.id(), stream));
  EXPECT_OK(aclmdlRIExecuteAsync(instance, elsewhere));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NO_CB_REG, aclrtSynchronizeStream(elsewhere));
}

TEST(aclmdlRIExecuteAsync, IsCapturedItself) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream();
  const aclmdlRI inner = Captured(stream, [&] { EXPECT_OK(cells.Count(0, stream)); });
  const aclmdlRI outer = Captured(stream, [&] {
    EXPECT_OK(aclmdlRIExecuteAsync(inner, stream));
    EXPECT_OK(cells.Count(0, stream));
    EXPECT_OK(aclmdlRIExecuteAsync(inner, stream));
  });
  EXPECT_OK(aclmdlRIDestroy(inner));
  RunTimes(outer, stream, 2);
  EXPECT_EQ(cells[0], 6);
}

TEST(aclmdlRIDestroy, LeavesQueuedRunsTheirTasks) {
  const Session session;
  const Cells cells(1);
  Gate gate;
  const aclrtStream stream = session.Stream(), capturing = session.Stream();
  const aclmdlRI instance = Captured(capturing, [&] { EXPECT_OK(cells.Count(0, capturing)); });
  EXPECT_OK(aclrtDestroyStream(capturing));
  gate.Hold(stream);
  EXPECT_OK(aclmdlRIExecuteAsync(instance, stream));
  EXPECT_OK(aclmdlRIExecuteAsync(instance, stream));
  EXPECT_OK(aclmdlRIDestroy(instance));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(cells[0], 2);
}

TEST(aclmdlRIDestroy, WorksAfterTheDeviceWasReset) {
  aclmdlRI instance = nullptr;
  {
    const Session session;
    const Cells cells(1);
    const aclrtStream stream = session.Stream();
    instance = Captured(stream, [&] { EXPECT_OK(cells.Count(0, stream)); });
    RunTimes(instance, stream);
  }
  const Session session;
  EXPECT_OK(aclmdlRIExecuteAsync(instance, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_SYS_DMA, aclrtSynchronizeStream(nullptr));  // its memory is gone
  EXPECT_OK(aclmdlRIDestroy(instance));
}

std::atomic<std::uint32_t> failed_task, failed_thread, failed_code;
void NoteFailure(aclrtExceptionInfo* info) {
  failed_task = aclrtGetTaskIdFromExceptionInfo(info);
  failed_thread = aclrtGetThreadIdFromExceptionInfo(info);
  failed_code = aclrtGetErrorCodeFromExceptionInfo(info);
}

TEST(aclmdlRIExecuteAsync, AFailureNamesTheCapturedCall) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream(), other = session.Stream();
  void* gone = nullptr;
  EXPECT_OK(aclrtMalloc(&gone, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  std::uint32_t task = 0;
  const aclmdlRI instance = Captured(stream, [&] {
    EXPECT_OK(cells.Count(0, stream));
    EXPECT_OK(aclrtMemsetAsync(gone, 64, 1, 64, stream));
    EXPECT_OK(aclrtGetThreadLastTaskId(&task));
    EXPECT_OK(cells.Count(1, stream));
  });
  RunTimes(instance, stream);
  EXPECT_OK(aclrtFree(gone));
  EXPECT_OK(aclrtSetExceptionInfoCallback(NoteFailure));
  EXPECT_OK(aclmdlRIExecuteAsync(instance, other));
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_ERROR_RT_SYS_DMA);
  const std::string text = RecentError();
  EXPECT_NE(text.find("aclrtMemsetAsync"), std::string::npos) << text;
  EXPECT_NE(text.find("captured by thread"), std::string::npos) << text;
  EXPECT_EQ(failed_task, task);
  EXPECT_EQ(failed_thread, static_cast<std::uint32_t>(gettid()));
  EXPECT_EQ(failed_code, static_cast<std::uint32_t>(ACL_ERROR_RT_SYS_DMA));
  EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{2, 2}));  // the others ran
  EXPECT_OK(aclrtSynchronizeStream(other));
}

TEST(aclmdlRIExecuteAsync, StopsAtAFailureInStopMode) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream(), stops = session.Stream();
  EXPECT_OK(aclrtSetStreamFailureMode(stops, ACL_STOP_ON_FAILURE));
  void* gone = nullptr;
  EXPECT_OK(aclrtMalloc(&gone, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  const aclmdlRI instance = Captured(stream, [&] {
    EXPECT_OK(cells.Count(0, stream));
    EXPECT_OK(aclrtMemsetAsync(gone, 64, 1, 64, stream));
    EXPECT_OK(cells.Count(1, stream));
  });
  EXPECT_OK(aclrtFree(gone));
  EXPECT_OK(aclmdlRIExecuteAsync(instance, stops));
  EXPECT_EQ(aclrtSynchronizeStream(stops), ACL_ERROR_RT_SYS_DMA);
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{1, 0}));
  RecentError();
}

TEST(aclmdlRIExecuteAsync, AnAbortedStreamDropsTheRestOfTheRun) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream(), branch = session.Stream(), other = session.Stream();
  aclrtNotify never = nullptr;
  EXPECT_OK(aclrtCreateNotify(&never, ACL_NOTIFY_DEFAULT));
  const aclrtEvent fork = session.Event(), join = session.Event();
  const aclmdlRI instance = Captured(stream, [&] {
    EXPECT_OK(aclrtRecordEvent(fork, stream));
    EXPECT_OK(aclrtStreamWaitEvent(branch, fork));
    EXPECT_OK(cells.Count(0, branch));
    EXPECT_OK(aclrtWaitAndResetNotify(never, branch, 0));
    EXPECT_OK(aclrtRecordEvent(join, branch));
    EXPECT_OK(aclrtStreamWaitEvent(stream, join));
    EXPECT_OK(cells.Count(1, stream));
  });
  for (int round = 0; round < 3; ++round) {
    EXPECT_OK(aclmdlRIExecuteAsync(instance, other));
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(other, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    EXPECT_OK(aclrtStreamAbort(other));
    EXPECT_EQ(aclrtSynchronizeStream(other), ACL_ERROR_RT_STREAM_ABORT);
  }
  EXPECT_OK(aclmdlRIExecuteAsync(instance, stream));  // it can be run again
  EXPECT_OK(aclrtRecordNotify(never, other));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(cells[1], 1);
  EXPECT_OK(aclmdlRIExecuteAsync(instance, other));
  EXPECT_OK(aclrtDestroyStreamForce(other));
  EXPECT_OK(aclmdlRIDestroy(instance));
  RecentError();
}

TEST(aclmdlRIExecuteAsync, LongRunsOfTinyTasksAreExact) {
  const Session session;
  const Cells cells(3);
  constexpr int kTasks = 5000;
  const aclrtStream stream = session.Stream();
  const aclmdlRI instance = Captured(stream, [&] {
    for (int i = 0; i < kTasks; ++i)
      EXPECT_OK(cells.Count(static_cast<std::size_t>(i % 3), stream));
  });
  RunTimes(instance, stream, 10);
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{16670, 16670, 16660}));
}

TEST(aclmdlRIExecuteAsync, AForkedChildStartsWithoutInstances) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream();
  const aclmdlRI instance = Captured(stream, [&] { EXPECT_OK(cells.Count(0, stream)); });
  const aclrtStream capturing = session.Stream();
  EXPECT_OK(aclmdlRICaptureBegin(capturing, kGlobal));
  EXPECT_EQ(InFork({},
                   [&] {
                     EXPECT_OK(aclInit(nullptr));
                     EXPECT_OK(aclrtSetDevice(0));
                     EXPECT_EQ(aclmdlRIExecuteAsync(instance, nullptr), ACL_ERROR_RT_PARAM_INVALID);
                     const Cells own(1);  // copies are allowed: nothing is captured here
                     aclrtStream mine = nullptr;
                     EXPECT_OK(aclrtCreateStream(&mine));
                     RunTimes(Captured(mine, [&] { EXPECT_OK(own.Count(0, mine)); }), mine, 3);
                     EXPECT_EQ(own[0], 3);
                   }),
            0);
  aclmdlRI other = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(capturing, &other));
  RunTimes(instance, stream);
  EXPECT_EQ(cells[0], 1);
}

}  // namespace
