// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Captures, updates and ends of instances that meet: in threads, in functions inside runs, in each other, and
// in numbers.
#include "conformance/acl_rt/capture_fixture.h"

namespace {

// Waits in `to` for all that is in `from`.
void WaitFor(const Session& session, aclrtStream from, aclrtStream to) {
  const aclrtEvent event = session.Event();
  EXPECT_OK(aclrtRecordEvent(event, from));
  EXPECT_OK(aclrtStreamWaitEvent(to, event));
  EXPECT_OK(aclrtDestroyEvent(event));
}

aclmdlRI ModelOf(aclrtStream stream) {
  aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
  aclmdlRI model = nullptr;
  EXPECT_OK(aclmdlRICaptureGetInfo(stream, &status, &model));
  return model;
}

// A count of cell 0 in a group.
aclmdlRI CaptureGroup(const Cells& cells, aclrtStream stream, aclrtTaskGrp& group) {
  return Captured(stream, [&] {
    EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream));
    EXPECT_OK(cells.Count(0, stream));
    EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream, &group));
  });
}

TEST(aclmdlRICaptureTaskUpdateEnd, MeetsTheEndOfItsInstance) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream(), update = session.Stream();
  aclrtTaskGrp group = nullptr;
  aclmdlRI instance = CaptureGroup(cells, stream, group);
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(update, group));
  EXPECT_OK(cells.Count(1, update));
  EXPECT_OK(aclmdlRIDestroy(instance));
  const aclError answer = aclmdlRICaptureTaskUpdateEnd(update);  // too late, or of no use
  EXPECT_TRUE(answer == ACL_SUCCESS || answer == ACL_ERROR_RT_PARAM_INVALID) << answer;
  RecentError();
  EXPECT_OK(cells.Count(1, update));
  EXPECT_OK(aclrtSynchronizeStream(update));
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{0, 1}));

  // The update is queued, then the instance ends, with a run of it still to come.
  instance = CaptureGroup(cells, stream, group);
  Gate gate;
  gate.Hold(update);
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(update, group));
  EXPECT_OK(cells.Count(1, update));
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(update));
  EXPECT_OK(aclmdlRIExecuteAsync(instance, update));
  EXPECT_OK(aclmdlRIDestroy(instance));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(update));
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{0, 2}));
}

TEST(aclmdlRICaptureTaskUpdateBegin, MeetsTheEndOfItsStream) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream(), update = session.Stream();
  aclrtTaskGrp group = nullptr;
  const aclmdlRI instance = CaptureGroup(cells, stream, group);
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(update, group));
  EXPECT_OK(cells.Count(1, update));
  EXPECT_OK(aclrtDestroyStreamForce(update));
  RunTimes(instance, stream);
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(stream, group));
  EXPECT_OK(cells.Count(1, stream));
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(stream));
  RunTimes(instance, stream);
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{1, 1}));
}

TEST(aclmdlRICaptureTaskUpdateBegin, WorksWhileOthersRun) {
  const Session session;
  const Cells cells(3);
  constexpr int kRuns = 300;
  const aclrtStream stream = session.Stream();
  aclrtTaskGrp group = nullptr;
  const aclmdlRI instance = CaptureGroup(cells, stream, group);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      const aclrtStream own = session.Stream();
      for (int run = 0; run < kRuns; ++run) {
        if (i == 0) {
          EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(own, group));
          EXPECT_OK(cells.Count(static_cast<std::size_t>(run % 3), own));
          EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(own));
        } else {
          EXPECT_OK(aclmdlRIExecuteAsync(instance, own));
        }
      }
      EXPECT_OK(aclrtSynchronizeStream(own));
      EXPECT_OK(aclrtDestroyStream(own));
    });
  for (std::thread& thread : threads)
    thread.join();
  const std::vector<std::int32_t> counts = cells.Read();
  EXPECT_EQ(counts[0] + counts[1] + counts[2], 2 * kRuns);
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclmdlRICaptureEnd, MeetsThreadsThatQueue) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream(), side = session.Stream();
  for (int round = 0; round < 10; ++round) {
    EXPECT_OK(aclmdlRICaptureBegin(stream, kRelaxed));
    WaitFor(session, stream, side);
    WaitFor(session, side, stream);
    std::atomic<bool> stop{false};
    std::atomic<int> queued{0};
    std::vector<std::thread> threads;
    for (const aclrtStream target : {stream, side})
      threads.emplace_back([&, target] {
        EXPECT_OK(aclrtSetCurrentContext(session.context()));
        while (!stop) {
          const aclError answer = cells.Count(target == stream ? 0 : 1, target);
          EXPECT_TRUE(answer == ACL_SUCCESS || answer == ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED) << answer;
          StatusOf(target);
          ++queued;
        }
        RecentError();
      });
    while (queued < 10)
      std::this_thread::yield();
    aclmdlRI instance = nullptr;
    const aclError answer = aclmdlRICaptureEnd(stream, &instance);
    EXPECT_TRUE(answer == ACL_SUCCESS || answer == ACL_ERROR_RT_STREAM_UNJOINED) << answer;
    stop = true;
    for (std::thread& thread : threads)
      thread.join();
    if (answer == ACL_SUCCESS) {
      EXPECT_OK(aclmdlRIExecuteAsync(instance, stream));
      EXPECT_OK(aclmdlRIDestroy(instance));
    }
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtSynchronizeStream(side));
  }
  RecentError();
}

// Captures, runs and ends of many threads at once, each with streams of its own and one instance of all.
TEST(aclmdlRIDestroy, MeetsCapturesAndRunsOfOtherThreads) {
  const Session session;
  constexpr int kThreads = 4, kRounds = 60;
  const Cells cells(kThreads + 1);
  const aclrtStream capturing = session.Stream();
  const aclmdlRI shared = Captured(capturing, [&] { EXPECT_OK(cells.Count(kThreads, capturing)); });
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      const aclrtStream main = session.Stream(), side = session.Stream();
      for (int round = 0; round < kRounds; ++round) {
        const auto mode = static_cast<aclmdlRICaptureMode>(round % 3);
        const aclmdlRI instance = Captured(
            main,
            [&] {
              WaitFor(session, main, side);
              EXPECT_OK(cells.Count(i, side));
              EXPECT_OK(aclrtLaunchHostFunc(
                  main, [](void*) {}, nullptr));
              EXPECT_OK(aclmdlRIExecuteAsync(shared, main));
              WaitFor(session, side, main);
              EXPECT_OK(cells.Count(i, main));
            },
            mode);
        EXPECT_OK(aclmdlRIExecuteAsync(instance, side));
        EXPECT_OK(aclmdlRIDestroy(instance));
        if (round % 8 == 0) {
          EXPECT_OK(aclrtSynchronizeStream(side));
        }
      }
      EXPECT_OK(aclrtSynchronizeStream(side));
      EXPECT_OK(aclrtDestroyStream(main));
      EXPECT_OK(aclrtDestroyStream(side));
    });
  for (std::thread& thread : threads)
    thread.join();
  std::vector<std::int32_t> expected(kThreads, 2 * kRounds);
  expected.push_back(kThreads * kRounds);
  EXPECT_EQ(cells.Read(), expected);
}

struct Waits {
  aclmdlRI instance = nullptr;
  aclrtContext context = nullptr;
  aclError answer = ACL_SUCCESS;
};

// Waiting inside a run for the same instance can only end by its time limit.
TEST(aclmdlRIExecute, InsideItsOwnRunEndsByItsTimeLimit) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream();
  Waits waits{nullptr, session.context()};
  static std::atomic<int> calls, ended;
  calls = ended = 0;
  waits.instance = Captured(stream, [&] {
    EXPECT_OK(aclrtLaunchHostFunc(
        stream,
        [](void* argument) {
          Waits& own = *static_cast<Waits*>(argument);
          if (calls++ > 0) return;
          EXPECT_OK(aclrtSetCurrentContext(own.context));
          own.answer = aclmdlRIExecute(own.instance, 20);
        },
        &waits));
    EXPECT_OK(cells.Count(0, stream));
    EXPECT_OK(aclrtLaunchHostFunc(
        stream, [](void*) { ++ended; }, nullptr));
  });
  RunTimes(waits.instance, stream);
  EXPECT_EQ(waits.answer, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  RunTimes(waits.instance, stream);
  while (ended < 3)  // the one that went on comes before or behind that
    std::this_thread::yield();
  EXPECT_EQ(cells[0], 3);
  EXPECT_OK(aclmdlRIDestroy(waits.instance));
  RecentError();
}

TEST(aclmdlRIAbort, IsCalledByAFunctionInsideTheRun) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream();
  static aclmdlRI instance;
  instance = Captured(stream, [&] {
    EXPECT_OK(aclrtLaunchHostFunc(
        stream, [](void*) { EXPECT_OK(aclmdlRIAbort(instance)); }, nullptr));
    EXPECT_OK(aclrtLaunchHostFunc(
        stream, [](void*) {}, nullptr));
    EXPECT_OK(cells.Count(0, stream));
  });
  for (int round = 0; round < 3; ++round) {
    EXPECT_OK(aclmdlRIExecuteAsync(instance, stream));
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_MODEL_ABORT_NORMAL);
    RecentError();
  }
  EXPECT_EQ(cells[0], 0);
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclmdlRICaptureEnd, MeetsChildrenThatAreStillCaptured) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream(), inner = session.Stream();
  for (const bool destroy : {false, true}) {
    EXPECT_OK(aclmdlRICaptureBegin(stream, kRelaxed));
    aclmdlRICondHandle handle = nullptr;
    EXPECT_OK(aclmdlRICondHandleCreate(ModelOf(stream), 1, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, &handle));
    aclmdlRI child = nullptr;
    EXPECT_OK(aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_IF, 1, &child}, stream, 0));
    EXPECT_OK(aclmdlRICaptureToModelRIBegin(inner, child, kRelaxed));
    EXPECT_OK(cells.Count(0, inner));
    aclmdlRI parent = nullptr, ended = nullptr;
    const aclError answer = aclmdlRICaptureEnd(stream, &parent);
    if (answer == ACL_SUCCESS) {
      if (destroy) {
        const aclError destroyed = aclmdlRIDestroy(parent);
        EXPECT_TRUE(destroyed == ACL_SUCCESS || destroyed == ACL_ERROR_RT_MODEL_CAPTURED) << destroyed;
      } else {
        const aclError run = aclmdlRIExecute(parent, -1);
        EXPECT_TRUE(run == ACL_SUCCESS || run == ACL_ERROR_RT_MODEL_CAPTURED) << run;
      }
    }
    aclmdlRICaptureEnd(inner, &ended);
    EXPECT_EQ(StatusOf(inner), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    EXPECT_EQ(StatusOf(stream), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    EXPECT_OK(aclrtSynchronizeStream(inner));
    RecentError();
  }
}

TEST(aclmdlRIExecuteAsync, RunsInsideRunsMayBeDeep) {
  const Session session;
  constexpr int kLevels = 500;
  const Cells cells(1);
  const aclrtStream stream = session.Stream();
  aclmdlRI instance = Captured(stream, [&] { EXPECT_OK(cells.Count(0, stream)); });
  for (int level = 0; level < kLevels; ++level) {
    const aclmdlRI outer = Captured(stream, [&] { EXPECT_OK(aclmdlRIExecuteAsync(instance, stream)); });
    EXPECT_OK(aclmdlRIDestroy(instance));
    instance = outer;
  }
  RunTimes(instance, stream, 2);
  EXPECT_EQ(cells[0], 2);
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclmdlRIAddCondTask, ConditionsMayBeDeep) {
  const Session session;
  constexpr int kLevels = 300;
  const Cells cells(1);
  std::vector<aclrtStream> streams{session.Stream()};
  EXPECT_OK(aclmdlRICaptureBegin(streams[0], kRelaxed));
  for (int level = 0; level < kLevels; ++level) {
    const aclrtStream outer = streams.back();
    aclmdlRICondHandle handle = nullptr;
    EXPECT_OK(aclmdlRICondHandleCreate(ModelOf(outer), 1, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, &handle));
    aclmdlRI child = nullptr;
    EXPECT_OK(aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_IF, 1, &child}, outer, 0));
    streams.push_back(session.Stream());
    EXPECT_OK(aclmdlRICaptureToModelRIBegin(streams.back(), child, kRelaxed));
  }
  EXPECT_OK(cells.Count(0, streams.back()));
  aclmdlRI instance = nullptr;
  while (!streams.empty()) {
    EXPECT_OK(aclmdlRICaptureEnd(streams.back(), &instance));
    EXPECT_OK(aclrtDestroyStream(streams.back()));
    streams.pop_back();
  }
  EXPECT_OK(aclmdlRIExecute(instance, -1));
  EXPECT_EQ(cells[0], 1);
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclmdlRICaptureBegin, ManyStreamsTakePart) {
  const Session session;
  constexpr std::size_t kSides = 200;
  const Cells cells(kSides);
  const aclrtStream stream = session.Stream();
  std::vector<aclrtStream> sides;
  for (std::size_t i = 0; i < kSides; ++i)
    sides.push_back(session.Stream());
  const aclmdlRI instance = Captured(stream, [&] {
    for (const aclrtStream side : sides)
      WaitFor(session, stream, side);
    for (int hop = 0; hop < 5; ++hop)
      for (std::size_t i = 0; i < kSides; ++i) {
        EXPECT_OK(cells.Count(i, sides[i]));
        if (hop == 2) {
          EXPECT_OK(aclrtLaunchHostFunc(
              sides[i], [](void*) {}, nullptr));
        }
        WaitFor(session, sides[i], sides[(i + 1) % kSides]);
      }
    for (const aclrtStream side : sides)
      WaitFor(session, side, stream);
  });
  for (const aclrtStream side : sides)
    EXPECT_OK(aclrtDestroyStream(side));
  RunTimes(instance, stream, 3);
  EXPECT_EQ(cells.Read(), std::vector<std::int32_t>(kSides, 15));
  EXPECT_OK(aclmdlRIDestroy(instance));
}

}  // namespace
