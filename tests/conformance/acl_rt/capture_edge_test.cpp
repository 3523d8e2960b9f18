// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Captures and runs under what programs do at bad moments: other threads, forks, streams, events, memory and
// devices that go away, runs that ask for runs.
#include <cstdio>
#include <fstream>
#include <sstream>

#include "aclnnop/aclnn_add.h"
#include "conformance/acl_rt/capture_fixture.h"
#include "conformance/in_fork.h"

namespace {

// Waits in `to` for all that is in `from`, with an event that ends at once.
void Behind(const Session& session, aclrtStream from, aclrtStream to) {
  const aclrtEvent event = session.Event();
  EXPECT_OK(aclrtRecordEvent(event, from));
  EXPECT_OK(aclrtStreamWaitEvent(to, event));
  EXPECT_OK(aclrtDestroyEvent(event));
}

TEST(aclmdlRICaptureBegin, LetsOtherThreadsAllocateAndWait) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream();
  std::atomic<bool> captured{false};
  std::atomic<int> rounds{0};
  std::thread other([&] {
    EXPECT_OK(aclrtSetCurrentContext(session.context()));
    const aclrtStream own = session.Stream();
    while (!captured || rounds < 3) {
      void* memory = nullptr;
      EXPECT_OK(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
      EXPECT_OK(aclrtMemsetAsync(memory, 4096, 1, 4096, own));
      EXPECT_OK(cells.Count(1, own));
      EXPECT_OK(aclrtSynchronizeStream(own));
      EXPECT_OK(aclrtFree(memory));
      ++rounds;
    }
    EXPECT_OK(aclrtDestroyStream(own));
  });
  for (int round = 0; round < 50; ++round) {
    const aclmdlRI instance = Captured(
        stream,
        [&] {
          for (int i = 0; i < 20; ++i)
            EXPECT_OK(cells.Count(0, stream));
        },
        kGlobal);
    EXPECT_OK(aclmdlRIExecuteAsync(instance, stream));
    EXPECT_OK(aclmdlRIDestroy(instance));
  }
  captured = true;
  other.join();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{1000, rounds}));
}

// Waiting for all streams while one is captured is no dead end, whatever it answers.
TEST(aclmdlRICaptureBegin, DoesNotHoldUpWhoWaitsForTheDevice) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream();
  const aclmdlRI instance = Captured(stream, [&] {
    EXPECT_OK(cells.Count(0, stream));
    std::thread([&] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      const aclError answer = aclrtSynchronizeDevice();
      EXPECT_TRUE(answer == ACL_SUCCESS || answer == ACL_ERROR_RT_STREAM_CAPTURED) << answer;
      RecentError();
    }).join();
    EXPECT_OK(cells.Count(0, stream));
  });
  RunTimes(instance, stream);
  EXPECT_EQ(cells[0], 2);
}

TEST(aclmdlRICaptureEnd, SurvivesSideStreamsThatAreDestroyed) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream();
  aclmdlRI instance = nullptr;
  const aclrtStream unjoined = session.Stream();
  EXPECT_OK(aclmdlRICaptureBegin(stream, kRelaxed));
  Behind(session, stream, unjoined);
  EXPECT_OK(cells.Count(0, unjoined));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclrtDestroyStream(unjoined));
  EXPECT_OK(aclrtDestroyStreamForce(unjoined));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, aclmdlRICaptureEnd(stream, &instance));
  EXPECT_EQ(StatusOf(stream), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  EXPECT_OK(cells.Count(1, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{0, 1}));
}

TEST(aclmdlRICaptureEnd, EventsMayEndBetweenRecordAndWait) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream(), side = session.Stream();
  const aclrtEvent gone = session.Event();
  EXPECT_OK(aclmdlRICaptureBegin(stream, kRelaxed));
  EXPECT_OK(cells.Count(0, stream));
  EXPECT_OK(aclrtRecordEvent(gone, stream));
  EXPECT_OK(aclrtDestroyEvent(gone));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtStreamWaitEvent(side, gone));
  EXPECT_EQ(StatusOf(side), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  EXPECT_OK(cells.Count(0, stream));
  aclmdlRI instance = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream, &instance));
  RunTimes(instance, side, 2);
  EXPECT_EQ(cells[0], 4);
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclmdlRICaptureEnd, ThreadsThatEndLeaveCapturesToOthersOfRelaxedMode) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream();
  for (const auto mode : {kRelaxed, kThreadLocal, kGlobal}) {
    std::thread([&] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      EXPECT_OK(aclmdlRICaptureBegin(stream, mode));
      EXPECT_OK(cells.Count(0, stream));
    }).join();
    aclmdlRI instance = nullptr;
    if (mode == kRelaxed) {
      EXPECT_OK(aclmdlRICaptureEnd(stream, &instance));
      RunTimes(instance, stream);
      continue;
    }
    EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD, aclmdlRICaptureEnd(stream, &instance));
    break;
  }
  EXPECT_OK(aclrtDestroyStreamForce(stream));  // the way out
  EXPECT_EQ(cells[0], 1);                      // unsafe calls are allowed again
}

TEST(aclmdlRICaptureBegin, CapturesDoNotNestInOneStream) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream(), side = session.Stream();
  const aclmdlRI instance = Captured(stream, [&] {
    EXPECT_OK(cells.Count(0, stream));
    EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclmdlRICaptureBegin(stream, kRelaxed));
    Behind(session, stream, side);
    EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclmdlRICaptureBegin(side, kRelaxed));
    Behind(session, side, stream);
    EXPECT_OK(cells.Count(0, stream));
  });
  RunTimes(instance, stream);
  EXPECT_EQ(cells[0], 2);
}

// An instance that is not there yet cannot be run, also by the capture that makes it.
TEST(aclmdlRIExecuteAsync, DoesNotRunWhatIsStillCaptured) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream(), other = session.Stream();
  const aclmdlRI instance = Captured(stream, [&] {
    EXPECT_OK(cells.Count(0, stream));
    aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
    aclmdlRI itself = nullptr;
    EXPECT_OK(aclmdlRICaptureGetInfo(stream, &status, &itself));
    EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, aclmdlRIExecuteAsync(itself, stream));
    EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, aclmdlRIExecuteAsync(itself, other));
    EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, aclmdlRIExecute(itself, 10));
    EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, aclmdlRIDestroy(itself));
  });
  RunTimes(instance, stream);
  EXPECT_EQ(cells[0], 1);
}

struct Again {
  aclrtContext context;
  aclmdlRI instance, itself;
  aclrtStream stream;
  std::atomic<int> calls{0};
  static void Run(void* self) {
    Again& again = *static_cast<Again*>(self);
    ++again.calls;
    EXPECT_OK(aclrtSetCurrentContext(again.context));
    EXPECT_OK(aclmdlRIExecuteAsync(again.instance, again.stream));
    if (again.calls == 1) {
      EXPECT_OK(aclmdlRIExecuteAsync(again.itself, again.stream));
    }
  }
};

// A function inside a run asks for runs of another instance and of the one it is in, elsewhere.
TEST(aclmdlRIExecuteAsync, IsCalledByFunctionsInsideARun) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream(), side = session.Stream(), elsewhere = session.Stream();
  Again again{session.context(), nullptr, nullptr, elsewhere};
  again.instance = Captured(stream, [&] { EXPECT_OK(cells.Count(1, stream)); });
  again.itself = Captured(stream, [&] {
    Behind(session, stream, side);
    EXPECT_OK(cells.Count(0, side));
    EXPECT_OK(aclrtLaunchHostFunc(stream, Again::Run, &again));
    Behind(session, side, stream);
  });
  RunTimes(again.itself, stream);
  EXPECT_OK(aclrtSynchronizeStream(elsewhere));
  EXPECT_OK(aclrtSynchronizeStream(elsewhere));  // the second run queued behind itself
  EXPECT_EQ(again.calls, 2);
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{2, 2}));
  EXPECT_OK(aclmdlRIDestroy(again.itself));
  EXPECT_OK(aclmdlRIDestroy(again.instance));
}

TEST(aclmdlRIDestroy, IsCalledByAFunctionInsideTheRun) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream();
  for (int round = 0; round < 10; ++round) {
    aclmdlRI instance = nullptr;
    instance = Captured(stream, [&] {
      EXPECT_OK(cells.Count(0, stream));
      EXPECT_OK(aclrtLaunchHostFunc(
          stream, [](void* own) { EXPECT_OK(aclmdlRIDestroy(*static_cast<aclmdlRI*>(own))); }, &instance));
      EXPECT_OK(cells.Count(0, stream));
    });
    RunTimes(instance, stream);
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIDestroy(instance));
  }
  EXPECT_EQ(cells[0], 20);
}

// One lane fails, the others and the joins behind it are reached, and the next run is whole.
TEST(aclmdlRIExecuteAsync, AFailureInALaneHoldsUpNoOther) {
  const Session session;
  const Cells cells(3);
  const aclrtStream stream = session.Stream(), side = session.Stream(), run = session.Stream();
  void* gone = nullptr;
  EXPECT_OK(aclrtMalloc(&gone, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  const aclmdlRI instance = Captured(stream, [&] {
    Behind(session, stream, side);
    EXPECT_OK(aclrtMemsetAsync(gone, 64, 1, 64, side));
    EXPECT_OK(aclrtLaunchHostFunc(
        side, [](void*) {}, nullptr));
    EXPECT_OK(cells.Count(0, side));
    EXPECT_OK(aclrtLaunchHostFunc(
        stream, [](void*) {}, nullptr));
    EXPECT_OK(cells.Count(1, stream));
    Behind(session, side, stream);
    EXPECT_OK(cells.Count(2, stream));
  });
  EXPECT_OK(aclrtFree(gone));
  for (int round = 1; round <= 5; ++round) {
    EXPECT_OK(aclmdlRIExecuteAsync(instance, run));
    EXPECT_EQ(aclrtSynchronizeStream(run), ACL_ERROR_RT_SYS_DMA);
    EXPECT_NE(RecentError().find("aclrtMemsetAsync"), std::string::npos);
    EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{round, round, round}));
    EXPECT_OK(aclrtSynchronizeStream(run));
  }
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclrtStreamAbort, EndsRunsWhoseLanesAllWait) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream(), side = session.Stream(), run = session.Stream();
  aclrtNotify one = nullptr, two = nullptr;
  EXPECT_OK(aclrtCreateNotify(&one, ACL_NOTIFY_DEFAULT));
  EXPECT_OK(aclrtCreateNotify(&two, ACL_NOTIFY_DEFAULT));
  std::uint64_t* const value = session.Cell(0);
  const aclmdlRI instance = Captured(stream, [&] {
    Behind(session, stream, side);
    EXPECT_OK(aclrtValueWait(value, 1, 1, side));
    EXPECT_OK(aclrtWaitAndResetNotify(one, side, 0));
    EXPECT_OK(aclrtWaitAndResetNotify(two, stream, 0));
    Behind(session, side, stream);
    EXPECT_OK(cells.Count(0, stream));
  });
  for (int round = 0; round < 3; ++round) {
    EXPECT_OK(aclmdlRIExecuteAsync(instance, run));
    EXPECT_OK(aclmdlRIExecuteAsync(instance, run));
    if (round > 0) {  // also when it has begun for sure
      EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(run, 5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    }
    EXPECT_OK(aclrtStreamAbort(run));
    EXPECT_EQ(aclrtSynchronizeStream(run), ACL_ERROR_RT_STREAM_ABORT);
    RecentError();
  }
  EXPECT_OK(cells.Count(0, run));
  EXPECT_OK(aclrtSynchronizeStream(run));
  EXPECT_EQ(cells[0], 1);
  EXPECT_OK(aclmdlRIExecuteAsync(instance, run));
  EXPECT_OK(aclmdlRIDestroy(instance));
  // The session ends with lanes that wait.
}

TEST(aclmdlRICaptureEnd, AThousandInstancesAreKept) {
  const Session session;
  constexpr std::size_t kInstances = 1000;
  const Cells cells(2);
  const aclrtStream stream = session.Stream(), side = session.Stream(), run = session.Stream();
  std::vector<aclmdlRI> instances;
  for (std::size_t i = 0; i < kInstances; ++i)
    instances.push_back(Captured(stream, [&] {
      EXPECT_OK(cells.Count(0, stream));
      if (i % 10 == 0) {
        Behind(session, stream, side);
        EXPECT_OK(aclrtLaunchHostFunc(
            side, [](void*) {}, nullptr));
        EXPECT_OK(cells.Count(1, side));
        Behind(session, side, stream);
      }
    }));
  for (int round = 0; round < 2; ++round)
    for (const aclmdlRI instance : instances)
      EXPECT_OK(aclmdlRIExecuteAsync(instance, run));
  for (const aclmdlRI instance : instances)
    EXPECT_OK(aclmdlRIDestroy(instance));
  EXPECT_OK(aclrtSynchronizeStream(run));
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{2000, 200}));
}

TEST(aclrtResetDevice, MeetsRunsThatWaitAndCapturesThatGoOn) {
  for (int round = 0; round < 3; ++round) {
    const Session session;
    const Cells cells(1);
    const aclrtStream stream = session.Stream(), side = session.Stream(), run = session.Stream();
    aclrtNotify never = nullptr;
    EXPECT_OK(aclrtCreateNotify(&never, ACL_NOTIFY_DEFAULT));
    const aclmdlRI instance = Captured(stream, [&] {
      Behind(session, stream, side);
      EXPECT_OK(aclrtWaitAndResetNotify(never, side, 0));
      Behind(session, side, stream);
    });
    EXPECT_OK(aclmdlRIExecuteAsync(instance, run));
    EXPECT_OK(aclmdlRICaptureBegin(stream, kGlobal));
    Behind(session, stream, side);
    EXPECT_OK(cells.Count(0, side));
    if (round == 1) {
      EXPECT_OK(aclmdlRIDestroy(instance));
    }
    EXPECT_OK(aclrtResetDeviceForce(0));
    EXPECT_OK(aclrtSetDevice(0));
    aclmdlRI broken = nullptr;
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclmdlRICaptureEnd(stream, &broken));
    if (round != 1) {
      EXPECT_OK(aclmdlRIDestroy(instance));
    }
  }
}

TEST(aclmdlRICaptureBegin, AForkMeetsACaptureAndARunWithLanes) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  SKIP_WHERE_FORKS_KEEP_ALLOCATORS_LOCKED();
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream(), side = session.Stream(), run = session.Stream();
  Gate gate;
  const aclmdlRI instance = Captured(stream, [&] {
    Behind(session, stream, side);
    gate.Hold(side);
    Behind(session, side, stream);
    EXPECT_OK(cells.Count(0, stream));
  });
  EXPECT_OK(aclmdlRIExecuteAsync(instance, run));
  EXPECT_TRUE(gate.Reached());
  EXPECT_OK(aclmdlRICaptureBegin(stream, kGlobal));
  EXPECT_EQ(InFork({},
                   [&] {
                     aclmdlRI none = nullptr;
                     EXPECT_NE(aclmdlRICaptureEnd(stream, &none), ACL_SUCCESS);
                     EXPECT_NE(aclmdlRIDestroy(instance), ACL_SUCCESS);
                     EXPECT_OK(aclInit(nullptr));
                     EXPECT_OK(aclrtSetDevice(0));
                     const Cells own(1);
                     aclrtStream mine = nullptr;
                     EXPECT_OK(aclrtCreateStream(&mine));
                     RunTimes(Captured(mine, [&] { EXPECT_OK(own.Count(0, mine)); }), mine, 3);
                     EXPECT_EQ(own[0], 3);
                   }),
            0);
  aclmdlRI second = nullptr;
  EXPECT_OK(cells.Count(0, stream));
  EXPECT_OK(aclmdlRICaptureEnd(stream, &second));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(run));
  RunTimes(second, run);
  EXPECT_EQ(cells[0], 2);
}

// x[0] += 1 by a call of aclnn, on memory of one float.
void QueueIncrement(void* memory, aclrtStream stream) {
  const std::int64_t one = 1;
  float value = 1;
  aclTensor* const x = aclCreateTensor(&one, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &one, 1, memory);
  aclScalar* const scalar = aclCreateScalar(&value, ACL_FLOAT);
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_OK(aclnnInplaceAddsGetWorkspaceSize(x, scalar, scalar, &size, &executor));
  void* workspace = nullptr;  // goes with the device
  if (size > 0) {
    EXPECT_OK(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST));
  }
  EXPECT_OK(aclnnInplaceAdds(workspace, size, executor, stream));
  EXPECT_OK(aclDestroyTensor(x));
  EXPECT_OK(aclDestroyScalar(scalar));
}

TEST(aclmdlRIExecuteAsync, DISABLED_TracedJoinedCalls) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const float zero = 0;
  float found = 0;
  void* memory = nullptr;
  EXPECT_OK(aclrtMalloc(&memory, 4, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemcpy(memory, 4, &zero, 4, ACL_MEMCPY_HOST_TO_DEVICE));
  const aclmdlRI instance = Captured(stream, [&] {
    for (int i = 0; i < 3; ++i)
      QueueIncrement(memory, stream);
  });
  RunTimes(instance, stream, 2);
  EXPECT_OK(aclrtMemcpy(&found, 4, memory, 4, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(found, 6);
  EXPECT_OK(aclrtFree(memory));
}

TEST(aclmdlRIExecuteAsync, DISABLED_TracedRuns) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream(), side = session.Stream();
  const aclmdlRI instance = Captured(stream, [&] {
    Behind(session, stream, side);
    EXPECT_OK(aclrtLaunchHostFunc(
        side, [](void*) {}, nullptr));
    EXPECT_OK(cells.Count(0, side));
    EXPECT_OK(cells.Count(1, stream));
    Behind(session, side, stream);
  });
  for (int run = 0; run < 5; ++run)
    EXPECT_OK(aclmdlRIExecuteAsync(instance, stream));
  EXPECT_OK(aclmdlRIDestroy(instance));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{5, 5}));
}

// What a test leaves as its trace.
std::string TraceOf(const char* test, const char* joins) {
  const std::string path = testing::TempDir() + "capture_trace_" + std::to_string(getpid()) + ".json";
  EXPECT_EQ(InNewProgram(test, {{"FOOTHOLD_TRACE", path.c_str()}, {"FOOTHOLD_CAPTURE_JOINS", joins}}), 0);
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  std::remove(path.c_str());
  return text.str();
}

TEST(aclmdlRIExecuteAsync, RunsUnderATrace) {
  const std::string text = TraceOf("aclmdlRIExecuteAsync.DISABLED_TracedRuns", "1");
  EXPECT_NE(text.find("aclrtReduceAsync"), std::string::npos) << text.substr(0, 2000);
}

TEST(aclmdlRIExecuteAsync, SaysInATraceWhichCallsAreRunAsOne) {
  constexpr char kTest[] = "aclmdlRIExecuteAsync.DISABLED_TracedJoinedCalls";
  constexpr char kJoined[] = "one of 3 calls that are run as one";
  const std::string joined = TraceOf(kTest, "1"), single = TraceOf(kTest, "0");
  EXPECT_NE(joined.find(kJoined), std::string::npos) << joined.substr(0, 2000);
  EXPECT_NE(single.find("aclnnInplaceAdds"), std::string::npos) << single.substr(0, 2000);
  EXPECT_EQ(single.find(kJoined), std::string::npos);
}

}  // namespace
