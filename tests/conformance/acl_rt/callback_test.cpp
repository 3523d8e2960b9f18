// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Host callbacks: subscribing threads, launching, processing, and what happens when a thread or a
// subscription ends.
#include <algorithm>
#include <future>
#include <memory>

#include "conformance/acl_rt/callback_log.h"
#include "conformance/device_fixture.h"

namespace {

TEST(aclrtLaunchCallback, RunsEachCallbackOnceInOrderOnTheSubscribedThread) {
  const Session session;
  const aclrtStream stream = session.Stream();
  Log log;
  ReportThread reports(session.context());
  ASSERT_OK(aclrtSubscribeReport(reports.id(), stream));
  for (int i = 0; i < 300; ++i) {
    const auto block = i % 3 == 0 ? ACL_CALLBACK_BLOCK : ACL_CALLBACK_NO_BLOCK;
    ASSERT_OK(aclrtLaunchCallback(Log::Append, log.Make(i), block, stream));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(log.order, Numbers(300));
  for (uint64_t thread : log.threads)
    EXPECT_EQ(thread, reports.id());
  EXPECT_OK(aclrtUnSubscribeReport(reports.id(), stream));
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST(aclrtLaunchCallback, SeesWhatTasksBeforeItHaveDone) {
  const Session session;
  const aclrtStream stream = session.Stream();
  ReportThread reports(session.context());
  ASSERT_OK(aclrtSubscribeReport(reports.id(), stream));
  struct Cells {
    const Session* session;
    std::uint64_t* cell;
    std::uint64_t seen = 0;
  } cells{&session, session.Cell(0)};
  for (std::uint64_t i = 1; i <= 50; ++i) {
    ASSERT_OK(aclrtValueWrite(cells.cell, i, 0, stream));
    ASSERT_OK(aclrtLaunchCallback(
        [](void* data) {
          auto* own = static_cast<Cells*>(data);
          own->seen = own->session->Read(own->cell);
        },
        &cells, ACL_CALLBACK_BLOCK, stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(cells.seen, i);
  }
}

TEST(aclrtLaunchCallback, HoldsTheStreamWhileABlockingCallbackRuns) {
  const Session session;
  const aclrtStream stream = session.Stream();
  std::uint64_t* cell = session.Cell(0);
  ReportThread reports(session.context());
  ASSERT_OK(aclrtSubscribeReport(reports.id(), stream));
  Gate gate;
  ASSERT_OK(aclrtLaunchCallback([](void* data) { EXPECT_TRUE(static_cast<Gate*>(data)->Wait()); }, &gate,
                                ACL_CALLBACK_BLOCK, stream));
  ASSERT_OK(aclrtValueWrite(cell, 1, 0, stream));
  ASSERT_TRUE(gate.Reached());
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 30), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(session.Read(cell), 0u);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(session.Read(cell), 1u);
}

TEST(aclrtLaunchCallback, LetsTheStreamGoOnWhileANonBlockingCallbackRuns) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const aclrtEvent behind = session.Event();
  ReportThread reports(session.context());
  ASSERT_OK(aclrtSubscribeReport(reports.id(), stream));
  Gate gate;
  ASSERT_OK(aclrtLaunchCallback([](void* data) { EXPECT_TRUE(static_cast<Gate*>(data)->Wait()); }, &gate,
                                ACL_CALLBACK_NO_BLOCK, stream));
  ASSERT_OK(aclrtRecordEvent(behind, stream));
  EXPECT_OK(aclrtSynchronizeEvent(behind));
  ASSERT_TRUE(gate.Reached());
  // Synchronising waits for the callback as well.
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 30), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

// The thread is busy with a callback of one stream; another stream's callback does not hold up its later
// tasks, and nobody waits for that stream itself.
TEST(aclrtLaunchCallback, DoesNotHoldUpTasksBehindItWhileTheThreadIsBusyElsewhere) {
  const Session session;
  const aclrtStream busy = session.Stream(), stream = session.Stream(), other = session.Stream();
  const aclrtEvent behind = session.Event();
  ReportThread reports(session.context());
  ASSERT_OK(aclrtSubscribeReport(reports.id(), busy));
  ASSERT_OK(aclrtSubscribeReport(reports.id(), stream));
  Gate gate;
  ASSERT_OK(aclrtLaunchCallback([](void* data) { EXPECT_TRUE(static_cast<Gate*>(data)->Wait()); }, &gate,
                                ACL_CALLBACK_BLOCK, busy));
  ASSERT_TRUE(gate.Reached());
  std::atomic<int> count{0};
  ASSERT_OK(aclrtLaunchCallback(CountUp, &count, ACL_CALLBACK_NO_BLOCK, stream));
  ASSERT_OK(aclrtRecordEvent(behind, stream));
  ASSERT_OK(aclrtStreamWaitEvent(other, behind));
  EXPECT_OK(aclrtSynchronizeStream(other));
  EXPECT_EQ(count, 0);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_EQ(count, 1);
}

TEST(aclrtLaunchCallback, ServesManyStreamsOnOneThread) {
  const Session session;
  ReportThread reports(session.context());
  constexpr int kStreams = 16, kCallbacks = 40;
  std::vector<aclrtStream> streams;
  std::vector<Log> logs(kStreams);
  for (int s = 0; s < kStreams; ++s) {
    streams.push_back(session.Stream());
    ASSERT_OK(aclrtSubscribeReport(reports.id(), streams.back()));
  }
  for (int i = 0; i < kCallbacks; ++i) {
    for (int s = 0; s < kStreams; ++s) {
      const auto block = (i + s) % 2 == 0 ? ACL_CALLBACK_BLOCK : ACL_CALLBACK_NO_BLOCK;
      ASSERT_OK(aclrtLaunchCallback(Log::Append, logs[s].Make(i), block, streams[s]));
    }
  }
  EXPECT_OK(aclrtSynchronizeDevice());
  for (int s = 0; s < kStreams; ++s)
    EXPECT_EQ(logs[s].order, Numbers(kCallbacks));
}

TEST(aclrtLaunchCallback, AcceptsNullUserDataAndTheDefaultStream) {
  const Session session;
  ReportThread reports(session.context());
  static std::atomic<int> calls;
  calls = 0;
  ASSERT_OK(aclrtSubscribeReport(reports.id(), nullptr));
  ASSERT_OK(aclrtLaunchCallback([](void* data) { calls += data == nullptr ? 1 : 100; }, nullptr,
                                ACL_CALLBACK_BLOCK, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(calls, 1);
  EXPECT_OK(aclrtUnSubscribeReport(reports.id(), nullptr));
}

TEST(aclrtLaunchCallback, ChecksItsArguments) {
  const Session session;
  const aclrtStream stream = session.Stream();
  std::atomic<int> count{0};
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtLaunchCallback(nullptr, &count, ACL_CALLBACK_BLOCK, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtLaunchCallback(CountUp, &count, static_cast<aclrtCallbackBlockType>(2), stream));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NO_CB_REG,
               aclrtLaunchCallback(CountUp, &count, ACL_CALLBACK_BLOCK, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(count, 0);
}

TEST(aclrtLaunchCallback, LetsTheCallbackUseTheLibrary) {
  const Session session;
  const aclrtStream stream = session.Stream(), other = session.Stream();
  struct Work {
    const Session* session;
    aclrtStream own, other;
    std::uint64_t* cell;
    bool done = false;
  } work{&session, stream, other, session.Cell(7)};
  ReportThread reports(session.context());
  ASSERT_OK(aclrtSubscribeReport(reports.id(), stream));
  ASSERT_OK(aclrtLaunchCallback(
      [](void* data) {
        auto* own = static_cast<Work*>(data);
        void* host = nullptr;
        EXPECT_OK(aclrtMallocHost(&host, 8));
        EXPECT_OK(aclrtMemcpy(host, 8, own->cell, 8, ACL_MEMCPY_DEVICE_TO_HOST));
        EXPECT_EQ(*static_cast<std::uint64_t*>(host), 7u);
        EXPECT_OK(aclrtValueWrite(own->cell, 8, 0, own->other));
        EXPECT_OK(aclrtSynchronizeStream(own->other));
        EXPECT_EQ(own->session->Read(own->cell), 8u);
        EXPECT_OK(aclrtFreeHost(host));
        EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeStream(own->own));
        EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeStreamWithTimeout(own->own, 10));
        EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeDevice());
        EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtDestroyStream(own->own));
        own->done = true;
      },
      &work, ACL_CALLBACK_BLOCK, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_TRUE(work.done);
}

TEST(aclrtLaunchCallback, LetsACallbackLaunchTheNextOne) {
  const Session session;
  const aclrtStream stream = session.Stream();
  struct Chain {
    aclrtStream stream;
    int left = 200;
    Gate end{};
  } chain{stream};
  static aclrtCallback again;
  again = [](void* data) {
    auto* own = static_cast<Chain*>(data);
    if (--own->left == 0) return own->end.Open();
    const auto block = own->left % 2 == 0 ? ACL_CALLBACK_BLOCK : ACL_CALLBACK_NO_BLOCK;
    EXPECT_OK(aclrtLaunchCallback(again, own, block, own->stream));
  };
  ReportThread reports(session.context());
  ASSERT_OK(aclrtSubscribeReport(reports.id(), stream));
  ASSERT_OK(aclrtLaunchCallback(again, &chain, ACL_CALLBACK_BLOCK, stream));
  EXPECT_TRUE(chain.end.Wait());
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(chain.left, 0);
}

TEST(aclrtLaunchCallback, ReportsAnExceptionThatLeavesTheCallback) {
  const Session session;
  const aclrtStream stream = session.Stream();
  ReportThread reports(session.context());
  ASSERT_OK(aclrtSubscribeReport(reports.id(), stream));
  for (auto block : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK}) {
    ASSERT_OK(
        aclrtLaunchCallback([](void*) { throw std::runtime_error("out of paper"); }, nullptr, block, stream));
    RecentError();
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICPU_EXCEPTION);
    const std::string text = RecentError();
    EXPECT_NE(text.find("out of paper"), std::string::npos) << text;
    EXPECT_NE(text.find("aclrtLaunchCallback"), std::string::npos) << text;
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
}

TEST(aclrtLaunchCallback, KeepsItsOrderAmongHostFunctions) {
  const Session session;
  const aclrtStream stream = session.Stream();
  ReportThread reports(session.context());
  ReportThread host_functions(session.context(), aclrtProcessHostFunc);
  ASSERT_OK(aclrtSubscribeReport(reports.id(), stream));
  for (bool subscribed : {false, true}) {
    if (subscribed) {
      ASSERT_OK(aclrtSubscribeHostFunc(host_functions.id(), stream));
    }
    Log log;
    for (int i = 0; i < 90; i += 3) {
      ASSERT_OK(aclrtLaunchCallback(Log::Append, log.Make(i), ACL_CALLBACK_BLOCK, stream));
      ASSERT_OK(aclrtLaunchHostFunc(stream, Log::Append, log.Make(i + 1)));
      ASSERT_OK(aclrtLaunchHostFunc(stream, Log::Append, log.Make(i + 2)));
    }
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(log.order, Numbers(90));
    for (int i = 0; i < 90; ++i) {
      EXPECT_EQ(log.threads[i] == reports.id(), i % 3 == 0);
      EXPECT_EQ(log.threads[i] == host_functions.id(), subscribed && i % 3 != 0);
    }
  }
  EXPECT_OK(aclrtUnSubscribeHostFunc(host_functions.id(), stream));
}

TEST(aclrtSubscribeReport, TakesOneThreadPerStream) {
  const Session session;
  const aclrtStream stream = session.Stream();
  ReportThread first(session.context()), second(session.context());
  ASSERT_OK(aclrtSubscribeReport(first.id(), stream));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SUBSCRIBE, aclrtSubscribeReport(first.id(), stream));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SUBSCRIBE, aclrtSubscribeReport(second.id(), stream));
  ASSERT_OK(aclrtUnSubscribeReport(first.id(), stream));
  EXPECT_OK(aclrtSubscribeReport(second.id(), stream));
  Log log;
  ASSERT_OK(aclrtLaunchCallback(Log::Append, log.Make(0), ACL_CALLBACK_BLOCK, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  ASSERT_EQ(log.threads.size(), 1u);
  EXPECT_EQ(log.threads[0], second.id());
}

TEST(aclrtSubscribeReport, WorksBeforeTheThreadCallsIn) {
  const Session session;
  const aclrtStream stream = session.Stream();
  Gate start;
  std::atomic<bool> stop{false};
  std::thread thread([&] {
    EXPECT_TRUE(start.Wait());
    EXPECT_OK(aclrtSetCurrentContext(session.context()));
    while (!stop)
      aclrtProcessReport(100);
  });
  ASSERT_OK(aclrtSubscribeReport(static_cast<uint64_t>(thread.native_handle()), stream));
  std::atomic<int> count{0};
  for (auto block : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK})
    ASSERT_OK(aclrtLaunchCallback(CountUp, &count, block, stream));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(count, 0);
  start.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(count, 2);
  stop = true;
  thread.join();
}

// A thread that is started is often given the id of one that has just ended.
TEST(aclrtSubscribeReport, WorksForAThreadThatInheritsTheIdOfAnEndedOne) {
  const Session session;
  const aclrtStream stream = session.Stream();
  std::atomic<int> count{0};
  for (int round = 0; round < 20; ++round) {
    ReportThread reports(session.context());
    ASSERT_OK(aclrtSubscribeReport(reports.id(), stream));
    ASSERT_OK(aclrtLaunchCallback(CountUp, &count, ACL_CALLBACK_BLOCK, stream));
    ASSERT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(count, round + 1);
    ASSERT_OK(aclrtUnSubscribeReport(reports.id(), stream));
  }
}

TEST(aclrtSubscribeReport, AcceptsAThreadThatHasEnded) {
  const Session session;
  const aclrtStream stream = session.Stream();
  ReportThread reports(session.context());
  const uint64_t id = reports.id();
  reports.Stop();
  EXPECT_OK(aclrtSubscribeReport(id, stream));
  EXPECT_OK(aclrtUnSubscribeReport(id, stream));
}

TEST(aclrtSubscribeReport, RefusesOneThreadForTwoDevices) {
  InChild({{"FOOTHOLD_DEVICES", "2"}}, [] {
    const Session session;
    const aclrtStream stream = session.Stream();
    ReportThread reports(session.context());
    ASSERT_OK(aclrtSubscribeReport(reports.id(), stream));
    ASSERT_OK(aclrtSetDevice(1));
    const aclrtStream foreign = session.Stream();
    EXPECT_FAILS(ACL_ERROR_RT_THREAD_SUBSCRIBE, aclrtSubscribeReport(reports.id(), foreign));
    EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, aclrtUnSubscribeReport(reports.id(), stream));
    ASSERT_OK(aclrtResetDevice(1));
    ASSERT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtUnSubscribeReport(reports.id(), stream));
  });
}

TEST(aclrtSubscribeReport, Takes1024Threads) {
  const Session session;
  std::vector<aclrtStream> streams;
  for (uint64_t thread = 1; thread <= 1024; ++thread) {
    streams.push_back(session.Stream());
    ASSERT_OK(aclrtSubscribeReport(thread, streams.back()));
  }
  EXPECT_FAILS(ACL_ERROR_RT_THREAD_SUBSCRIBE, aclrtSubscribeReport(1025, session.Stream()));
  ASSERT_OK(aclrtUnSubscribeReport(1, streams[0]));
  EXPECT_OK(aclrtSubscribeReport(1025, streams[0]));
}

TEST(aclrtUnSubscribeReport, SaysWhatIsMissing) {
  const Session session;
  const aclrtStream stream = session.Stream();
  ReportThread first(session.context()), second(session.context());
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SUBSCRIBE, aclrtUnSubscribeReport(first.id(), stream));
  ASSERT_OK(aclrtSubscribeReport(first.id(), stream));
  EXPECT_FAILS(ACL_ERROR_RT_THREAD_SUBSCRIBE, aclrtUnSubscribeReport(second.id(), stream));
  EXPECT_OK(aclrtUnSubscribeReport(first.id(), stream));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SUBSCRIBE, aclrtUnSubscribeReport(first.id(), stream));
  std::atomic<int> count{0};
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NO_CB_REG,
               aclrtLaunchCallback(CountUp, &count, ACL_CALLBACK_BLOCK, stream));
}

// Callbacks that have not begun fail; the one that runs ends in peace; the stream goes on.
TEST(aclrtUnSubscribeReport, FailsTheCallbacksThatHaveNotBegun) {
  for (auto block : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK}) {
    const Session session;
    const aclrtStream stream = session.Stream();
    std::uint64_t* cell = session.Cell(0);
    ReportThread reports(session.context());
    ASSERT_OK(aclrtSubscribeReport(reports.id(), stream));
    Gate gate;
    ASSERT_OK(aclrtLaunchCallback([](void* data) { EXPECT_TRUE(static_cast<Gate*>(data)->Wait()); }, &gate,
                                  block, stream));
    std::atomic<int> count{0};
    for (int i = 0; i < 100; ++i)
      ASSERT_OK(aclrtLaunchCallback(CountUp, &count, block, stream));
    ASSERT_OK(aclrtValueWrite(cell, 1, 0, stream));
    ASSERT_TRUE(gate.Reached());
    ASSERT_OK(aclrtUnSubscribeReport(reports.id(), stream));
    gate.Open();
    EXPECT_FAILS(ACL_ERROR_RT_STREAM_NO_CB_REG, aclrtSynchronizeStream(stream));
    EXPECT_EQ(count, 0);
    EXPECT_EQ(session.Read(cell), 1u);
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
}

TEST(aclrtUnSubscribeReport, FreesAStreamThatWaitsForAThreadThatNeverComes) {
  const Session session;
  const aclrtStream stream = session.Stream();
  Gate end;
  std::thread idle([&] { EXPECT_TRUE(end.Wait()); });
  const auto id = static_cast<uint64_t>(idle.native_handle());
  ASSERT_OK(aclrtSubscribeReport(id, stream));
  std::atomic<int> count{0};
  ASSERT_OK(aclrtLaunchCallback(CountUp, &count, ACL_CALLBACK_NO_BLOCK, stream));
  ASSERT_OK(aclrtLaunchCallback(CountUp, &count, ACL_CALLBACK_BLOCK, stream));
  std::promise<aclError> result;
  std::thread waiting([&] {
    EXPECT_OK(aclrtSetCurrentContext(session.context()));
    result.set_value(aclrtSynchronizeStream(stream));
  });
  ASSERT_OK(aclrtUnSubscribeReport(id, stream));
  waiting.join();
  EXPECT_EQ(result.get_future().get(), ACL_ERROR_RT_STREAM_NO_CB_REG);
  EXPECT_EQ(count, 0);
  end.Open();
  idle.join();
}

// The thread leaves; what waits for it fails at the next synchronisation, and nothing new is taken.
TEST(aclrtProcessReport, FailsCallbacksOfAThreadThatEnds) {
  for (auto block : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK}) {
    const Session session;
    const aclrtStream stream = session.Stream();
    Gate go;
    std::thread thread([&] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      aclrtProcessReport(1);
      EXPECT_TRUE(go.Wait());
    });
    const auto id = static_cast<uint64_t>(thread.native_handle());
    ASSERT_TRUE(go.Reached());
    ASSERT_OK(aclrtSubscribeReport(id, stream));
    std::atomic<int> count{0};
    for (int i = 0; i < 10; ++i)
      ASSERT_OK(aclrtLaunchCallback(CountUp, &count, block, stream));
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    go.Open();
    thread.join();
    EXPECT_FAILS(ACL_ERROR_RT_THREAD_SUBSCRIBE, aclrtSynchronizeStream(stream));
    EXPECT_FAILS(ACL_ERROR_RT_THREAD_SUBSCRIBE, aclrtLaunchCallback(CountUp, &count, block, stream));
    EXPECT_EQ(count, 0);
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtUnSubscribeReport(id, stream));
  }
}

TEST(aclrtProcessReport, ChecksItsTimeout) {
  const Session session;
  for (int32_t timeout : {0, -2, -100, INT32_MIN})
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtProcessReport(timeout));
  for (int32_t timeout : {0, -2})
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtProcessHostFunc(timeout));
}

TEST(aclrtProcessReport, TellsATimeoutFromAMissingSubscription) {
  const Session session;
  const auto self = static_cast<uint64_t>(pthread_self());
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(aclrtProcessReport(20), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(19));
  const aclrtStream stream = session.Stream();
  ASSERT_OK(aclrtSubscribeReport(self, stream));
  EXPECT_EQ(aclrtProcessReport(20), ACL_ERROR_RT_REPORT_TIMEOUT);
  ASSERT_OK(aclrtUnSubscribeReport(self, stream));
  EXPECT_EQ(aclrtProcessReport(1), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  EXPECT_EQ(aclrtProcessReport(-1), ACL_ERROR_RT_THREAD_SUBSCRIBE);
}

TEST(aclrtProcessReport, WaitsForEverForASubscribedThread) {
  const Session session;
  const aclrtStream stream = session.Stream();
  std::atomic<int> count{0};
  std::vector<aclError> results;
  std::thread thread([&] {
    EXPECT_OK(aclrtSetCurrentContext(session.context()));
    for (int i = 0; i < 2; ++i)
      results.push_back(aclrtProcessReport(-1));
  });
  ASSERT_OK(aclrtSubscribeReport(static_cast<uint64_t>(thread.native_handle()), stream));
  ASSERT_OK(aclrtLaunchCallback(CountUp, &count, ACL_CALLBACK_BLOCK, stream));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  ASSERT_OK(aclrtUnSubscribeReport(static_cast<uint64_t>(thread.native_handle()), stream));
  thread.join();
  EXPECT_EQ(count, 1);
  EXPECT_EQ(results, (std::vector<aclError>{ACL_SUCCESS, ACL_ERROR_RT_THREAD_SUBSCRIBE}));
}

TEST(aclrtProcessReport, LeavesWhenTheLibraryIsFinalised) {
  std::thread thread;
  std::atomic<bool> left{false};
  {
    const Session session;
    const aclrtStream stream = session.Stream();
    Gate ready;
    thread = std::thread([&, context = session.context()] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      EXPECT_TRUE(ready.Wait());
      EXPECT_EQ(aclrtProcessReport(-1), ACL_ERROR_RT_THREAD_SUBSCRIBE);
      left = true;
    });
    ASSERT_OK(aclrtSubscribeReport(static_cast<uint64_t>(thread.native_handle()), stream));
    ASSERT_TRUE(ready.Reached());
    ready.Open();
    EXPECT_FALSE(left);
  }
  thread.join();
  EXPECT_TRUE(left);
}

TEST(aclrtProcessReport, ExecutesOnItsOwnThreadWhatTheSameThreadLaunched) {
  const Session session;
  const aclrtStream stream = session.Stream();
  ASSERT_OK(aclrtSubscribeReport(static_cast<uint64_t>(pthread_self()), stream));
  std::atomic<int> count{0};
  for (auto block : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK}) {
    ASSERT_OK(aclrtLaunchCallback(CountUp, &count, block, stream));
    // Only this thread can run it, so waiting here could not end.
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtProcessReport(1000));
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
  EXPECT_EQ(count, 2);
}

TEST(aclrtProcessReport, MayBeCalledInsideACallback) {
  const Session session;
  const aclrtStream stream = session.Stream();
  ASSERT_OK(aclrtSubscribeReport(static_cast<uint64_t>(pthread_self()), stream));
  Log log;
  struct Nested {
    Log* log;
    Log::Entry* entry;
  } nested{&log, log.Make(0)};
  ASSERT_OK(aclrtLaunchCallback(
      [](void* data) {
        auto* own = static_cast<Nested*>(data);
        Log::Append(own->entry);
        aclrtProcessReport(1);
      },
      &nested, ACL_CALLBACK_NO_BLOCK, stream));
  for (int i = 1; i < 5; ++i)
    ASSERT_OK(aclrtLaunchCallback(Log::Append, log.Make(i), ACL_CALLBACK_NO_BLOCK, stream));
  while (log.order.size() < 5)
    ASSERT_OK(aclrtProcessReport(10000));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(log.order, Numbers(5));
}

// Nobody will ever execute them.
TEST(aclrtProcessReport, IsNotWaitedForByTheEndOfTheDevice) {
  for (auto block : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK}) {
    const Session session;
    const aclrtStream stream = session.Stream();
    ASSERT_OK(aclrtSubscribeReport(static_cast<uint64_t>(pthread_self()), stream));
    ASSERT_OK(aclrtLaunchCallback([](void*) { ADD_FAILURE(); }, nullptr, block, stream));
  }
}

}  // namespace
