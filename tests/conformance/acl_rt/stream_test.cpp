// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Streams: making and destroying them, waiting for them, their settings and limits.
#include <algorithm>
#include <cstring>
#include <future>
#include <memory>
#include <thread>

#include "conformance/device_fixture.h"

namespace {

TEST(aclrtCreateStream, MakesAnEmptyStreamOfTheCurrentContext) {
  const Session session;
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  EXPECT_NE(stream, nullptr);
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  uint32_t flags = 7, priority = 7;
  EXPECT_OK(aclrtStreamGetFlags(stream, &flags));
  EXPECT_OK(aclrtStreamGetPriority(stream, &priority));
  EXPECT_EQ(flags, 0u);
  EXPECT_EQ(priority, 0u);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateStream(nullptr));
}

TEST(aclrtCreateStream, NeedsACurrentContext) {
  const Session session;
  std::thread([] {
    aclrtStream stream = nullptr;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, aclrtCreateStream(&stream));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, aclrtSynchronizeStream(nullptr));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, aclrtSynchronizeDevice());
  }).join();
}

TEST(aclrtCreateStream, FailsWhenTheDeviceHasNoMoreStreams) {
  InChild({{"FOOTHOLD_MAX_STREAMS", "8"}}, [] {
    const Session session;
    std::vector<aclrtStream> streams(7);  // the default stream counts
    for (auto& stream : streams)
      ASSERT_OK(aclrtCreateStream(&stream));
    uint32_t left = 9;
    EXPECT_OK(aclrtGetStreamAvailableNum(&left));
    EXPECT_EQ(left, 0u);
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetStreamAvailableNum(nullptr));
    aclrtStream one_more = nullptr;
    EXPECT_FAILS(ACL_ERROR_RT_NO_STREAM_RESOURCE, aclrtCreateStream(&one_more));
    EXPECT_EQ(one_more, nullptr);
    EXPECT_OK(aclrtDestroyStream(streams[3]));
    EXPECT_OK(aclrtGetStreamAvailableNum(&left));
    EXPECT_EQ(left, 1u);
    EXPECT_OK(aclrtCreateStream(&one_more));
  });
}

TEST(aclrtCreateStreamWithConfig, KeepsFlagsAndPriority) {
  const Session session;
  aclrtStream stream = nullptr;
  const uint32_t fast = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC;
  ASSERT_OK(aclrtCreateStreamWithConfig(&stream, 5, fast));
  uint32_t flags = 0, priority = 0;
  EXPECT_OK(aclrtStreamGetFlags(stream, &flags));
  EXPECT_OK(aclrtStreamGetPriority(stream, &priority));
  EXPECT_EQ(flags, fast);
  EXPECT_EQ(priority, 5u);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateStreamWithConfig(nullptr, 0, 0));
  ASSERT_OK(aclrtCreateStreamWithConfig(&stream, 0, 0x40000000));
  EXPECT_OK(aclrtStreamGetFlags(stream, &flags));
  EXPECT_EQ(flags, 0u);
}

TEST(aclrtCreateStreamV2, TakesOptionsOfFourOrEightBytes) {
  const Session session;
  aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
  ASSERT_NE(config, nullptr);
  const uint32_t narrow = ACL_STREAM_FAST_SYNC;
  const uint64_t wide = ACL_STREAM_FAST_LAUNCH, priority = 3;
  void* work = nullptr;
  EXPECT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &narrow, sizeof(narrow)));
  EXPECT_EQ(config->flag, narrow);
  EXPECT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &wide, sizeof(wide)));
  EXPECT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &priority, sizeof(priority)));
  EXPECT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_WORK_SIZE, &wide, sizeof(wide)));
  EXPECT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_WORK_ADDR_PTR, &work, sizeof(work)));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &wide, 3));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_WORK_ADDR_PTR, &wide, 4));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtSetStreamConfigOpt(config, static_cast<aclrtStreamConfigAttr>(9), &wide, 8));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetStreamConfigOpt(nullptr, ACL_RT_STREAM_FLAG, &wide, 8));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, nullptr, 8));
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStreamV2(&stream, config));
  uint32_t flags = 0, found = 0;
  EXPECT_OK(aclrtStreamGetFlags(stream, &flags));
  EXPECT_OK(aclrtStreamGetPriority(stream, &found));
  EXPECT_EQ(flags, wide);
  EXPECT_EQ(found, priority);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateStreamV2(&stream, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateStreamV2(nullptr, config));
  EXPECT_OK(aclrtDestroyStreamConfigHandle(config));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtDestroyStreamConfigHandle(nullptr));
}

TEST(aclrtDestroyStream, WaitsForWhatIsQueued) {
  const Session session;
  const aclrtStream stream = session.Stream();
  Gate gate;
  gate.Hold(stream);
  std::uint64_t* cell = session.Cell(0);
  for (std::uint64_t i = 1; i <= 200; ++i)
    ASSERT_OK(aclrtValueWrite(cell, i, 0, stream));
  std::thread opener([&] {
    EXPECT_TRUE(gate.Reached());
    gate.Open();
  });
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_EQ(session.Read(cell), 200u);
  opener.join();
}

TEST(aclrtDestroyStream, RefusesTheDefaultStream) {
  const Session session;
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtDestroyStream(nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtDestroyStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtDestroyStreamForce(stream));
}

TEST(aclrtDestroyStream, LetsOneOfTwoThreadsWin) {
  const Session session;
  for (int round = 0; round < 50; ++round) {
    const aclrtStream stream = session.Stream();
    std::atomic<int> won{0}, lost{0};
    auto destroy = [&] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      const aclError result = round % 2 == 0 ? aclrtDestroyStream(stream) : aclrtDestroyStreamForce(stream);
      won += result == ACL_SUCCESS;
      lost += result == ACL_ERROR_RT_INVALID_HANDLE;
    };
    std::thread other(destroy);
    destroy();
    other.join();
    EXPECT_EQ(won, 1);
    EXPECT_EQ(lost, 1);
  }
}

TEST(aclrtDestroyStreamForce, DropsWhatHasNotBegun) {
  const Session session;
  const aclrtStream stream = session.Stream(), other = session.Stream();
  const aclrtEvent behind = session.Event();
  std::uint64_t* cell = session.Cell(0);
  Gate gate;
  gate.Hold(stream);
  ASSERT_OK(aclrtValueWrite(cell, 1, 0, stream));
  ASSERT_OK(aclrtRecordEvent(behind, stream));
  ASSERT_OK(aclrtStreamWaitEvent(other, behind));
  ASSERT_TRUE(gate.Reached());
  EXPECT_OK(aclrtDestroyStreamForce(stream));
  gate.Open();
  // What waits for the dropped tasks is told instead of waiting for ever.
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_ABORT, aclrtSynchronizeStream(other));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_ABORT, aclrtSynchronizeEvent(behind));
  EXPECT_EQ(session.Read(cell), 0u);
}

// So the program may reuse or free it at once.
TEST(aclrtDestroyStreamForce, LeavesMemoryAloneOnceItReturns) {
  const Session session;
  constexpr std::size_t kBytes = std::size_t{16} << 20;
  void *device = nullptr, *host = nullptr;
  ASSERT_OK(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtMemset(device, kBytes, 1, kBytes));
  ASSERT_OK(aclrtMallocHost(&host, kBytes));
  auto* bytes = static_cast<unsigned char*>(host);
  for (int round = 0; round < 20; ++round) {
    std::memset(bytes, 0, kBytes);
    const aclrtStream stream = session.Stream();
    const aclrtEvent before = session.Event();
    ASSERT_OK(aclrtRecordEvent(before, stream));
    ASSERT_OK(aclrtMemcpyAsync(host, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    while (status == ACL_EVENT_RECORDED_STATUS_NOT_READY)
      ASSERT_OK(aclrtQueryEventStatus(before, &status));
    ASSERT_OK(aclrtDestroyStreamForce(stream));
    std::memset(bytes, 2, kBytes);
    EXPECT_EQ(static_cast<std::size_t>(std::count(bytes, bytes + kBytes, 2)), kBytes);
  }
  EXPECT_OK(aclrtFreeHost(host));
  EXPECT_OK(aclrtFree(device));
}

// New streams take the place of destroyed ones whose callbacks still run: neither sees anything of the other.
TEST(aclrtDestroyStreamForce, KeepsRunningCallbacksApartFromLaterStreams) {
  const Session session;
  Gate gates[2];  // callbacks may still be on their way out when the next one is launched
  ReportThread reports(session.context());
  for (auto block : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK}) {
    const aclrtStream old = session.Stream();
    ASSERT_OK(aclrtSubscribeReport(reports.id(), old));
    Gate& gate = gates[block];
    ASSERT_OK(aclrtLaunchCallback(
        [](void* data) {
          EXPECT_TRUE(static_cast<Gate*>(data)->Wait());
          throw std::runtime_error("late");
        },
        &gate, block, old));
    ASSERT_TRUE(gate.Reached());
    EXPECT_OK(aclrtDestroyStreamForce(old));
    std::vector<aclrtStream> fresh;
    for (int i = 0; i < 70; ++i) {
      fresh.push_back(session.Stream());
      EXPECT_OK(aclrtSynchronizeStream(fresh.back()));
    }
    gate.Open();
    std::atomic<int> runs{0};
    for (aclrtStream stream : fresh) {
      ASSERT_OK(aclrtLaunchHostFunc(
          stream, [](void* data) { ++*static_cast<std::atomic<int>*>(data); }, &runs));
      EXPECT_OK(aclrtDestroyStream(stream));
    }
    EXPECT_EQ(runs, 70);
  }
}

TEST(aclrtStreamQuery, FollowsTheWork) {
  const Session session;
  const aclrtStream stream = session.Stream();
  Gate gate;
  gate.Hold(stream);
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtStreamQuery(stream, nullptr));
}

TEST(aclrtSynchronizeStreamWithTimeout, KnowsForeverNowAndMilliseconds) {
  const Session session;
  const aclrtStream stream = session.Stream();
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 0));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, -1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeStreamWithTimeout(stream, -2));
  Gate gate;
  gate.Hold(stream);
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(stream, 0));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(stream, 10));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, -1));
}

TEST(aclrtSynchronizeStream, MeansTheDefaultStreamByNull) {
  const Session session;
  std::uint64_t* cell = session.Cell(0);
  ASSERT_OK(aclrtValueWrite(cell, 4, 0, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(session.Read(cell), 4u);
}

TEST(aclrtSynchronizeStream, DoesNotWaitForOtherStreams) {
  const Session session;
  const aclrtStream held = session.Stream(), stream = session.Stream();
  Gate gate;
  gate.Hold(held);
  std::uint64_t* cell = session.Cell(0);
  ASSERT_OK(aclrtValueWrite(cell, 1, 0, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(session.Read(cell), 1u);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(held));
}

// A thread that keeps launching must not keep another from seeing the end of what it waits for.
TEST(aclrtSynchronizeStream, DoesNotWaitForWhatIsQueuedLater) {
  const Session session;
  const aclrtStream stream = session.Stream();
  ReportThread reports(session.context());
  ASSERT_OK(aclrtSubscribeReport(reports.id(), stream));
  std::atomic<bool> stop{false};
  std::thread pusher([&] {
    EXPECT_OK(aclrtSetCurrentContext(session.context()));
    for (int i = 0; !stop; ++i) {
      ASSERT_OK(aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_NO_BLOCK, stream));
      if (i % 1000 == 999) {
        ASSERT_OK(aclrtSynchronizeStream(stream));  // keeps the queue short
      }
    }
  });
  for (int i = 0; i < 50; ++i)
    EXPECT_OK(aclrtSynchronizeStream(stream));
  stop = true;
  pusher.join();
}

TEST(aclrtSynchronizeStream, IsImmediateForStreamsThatOthersSchedule) {
  const Session session;
  for (uint32_t flag : {ACL_STREAM_PERSISTENT, ACL_STREAM_CPU_SCHEDULE, ACL_STREAM_DEVICE_USE_ONLY}) {
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStreamWithConfig(&stream, 0, flag));
    Gate gate;
    gate.Hold(stream);
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 0));
    gate.Open();
    EXPECT_OK(aclrtDestroyStream(stream));
  }
}

TEST(aclrtSynchronizeDevice, WaitsForAllStreamsOfAllContexts) {
  const Session session;
  aclrtContext other = nullptr;
  ASSERT_OK(aclrtCreateContext(&other, 0));
  const aclrtStream foreign = session.Stream();
  Gate gate;
  gate.Hold(foreign);
  ASSERT_OK(aclrtSetCurrentContext(session.context()));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeDeviceWithTimeout(10));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeDeviceWithTimeout(0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeDeviceWithTimeout(-3));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeDeviceWithTimeout(-1));
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_OK(aclrtDestroyContext(other));
}

TEST(aclrtStreamGetId, TellsStreamsApart) {
  const Session session;
  int32_t ids[3] = {-1, -1, -1};
  EXPECT_OK(aclrtStreamGetId(session.Stream(), &ids[0]));
  EXPECT_OK(aclrtStreamGetId(session.Stream(), &ids[1]));
  EXPECT_OK(aclrtStreamGetId(nullptr, &ids[2]));
  EXPECT_NE(ids[0], ids[1]);
  EXPECT_NE(ids[0], ids[2]);
  EXPECT_NE(ids[1], ids[2]);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtStreamGetId(nullptr, nullptr));
}

TEST(aclrtRegStreamStateCallback, TellsOfStreamsMadeAndEnded) {
  const Session session;
  static std::mutex mutex;
  static std::vector<std::pair<aclrtStream, int>> seen;
  seen.clear();
  int mark = 0;
  const auto note = [](aclrtStream stream, aclrtStreamState state, void* args) {
    std::lock_guard<std::mutex> lock(mutex);
    ++*static_cast<int*>(args);
    seen.push_back({stream, state});
  };
  ASSERT_OK(aclrtRegStreamStateCallback("test", note, &mark));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtRegStreamStateCallback("test", note, &mark));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtRegStreamStateCallback("", note, &mark));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtRegStreamStateCallback(nullptr, note, &mark));
  const aclrtStream stream = session.Stream();
  ASSERT_OK(aclrtDestroyStream(stream));
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  aclrtStream standard = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&standard));
  ASSERT_OK(aclrtDestroyContext(context));
  ASSERT_OK(aclrtSetCurrentContext(session.context()));
  ASSERT_OK(aclrtRegStreamStateCallback("test", nullptr, nullptr));
  session.Stream();
  const std::vector<std::pair<aclrtStream, int>> expected = {{stream, ACL_RT_STREAM_STATE_CREATE_POST},
                                                             {stream, ACL_RT_STREAM_STATE_DESTROY_PRE},
                                                             {standard, ACL_RT_STREAM_STATE_CREATE_POST},
                                                             {standard, ACL_RT_STREAM_STATE_DESTROY_PRE}};
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(mark, 4);
}

TEST(aclrtSetStreamAttribute, KeepsEachAttribute) {
  const Session session;
  const aclrtStream stream = session.Stream();
  aclrtStreamAttrValue value = {};
  const auto set = [&](aclrtStreamAttr attribute) {
    return aclrtSetStreamAttribute(stream, attribute, &value);
  };
  const auto get = [&](aclrtStreamAttr attribute) {
    return aclrtGetStreamAttribute(stream, attribute, &value);
  };

  value.userCustomTag = 77;
  EXPECT_OK(set(ACL_STREAM_ATTR_USER_CUSTOM_TAG));
  value.overflowSwitch = 1;
  EXPECT_OK(set(ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK));
  EXPECT_OK(set(ACL_STREAM_ATTR_CACHE_OP_INFO));
  value.streamPriority = 6;
  EXPECT_OK(set(ACL_STREAM_ATTR_PRIORITY));
  value.failureMode = ACL_STOP_ON_FAILURE;
  EXPECT_OK(set(ACL_STREAM_ATTR_FAILURE_MODE));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, set(ACL_STREAM_ATTR_FAILURE_MODE));

  EXPECT_OK(get(ACL_STREAM_ATTR_USER_CUSTOM_TAG));
  EXPECT_EQ(value.userCustomTag, 77u);
  EXPECT_OK(get(ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK));
  EXPECT_EQ(value.overflowSwitch, 1u);
  EXPECT_OK(get(ACL_STREAM_ATTR_CACHE_OP_INFO));
  EXPECT_EQ(value.cacheOpInfoSwitch, 1u);
  EXPECT_OK(get(ACL_STREAM_ATTR_PRIORITY));
  EXPECT_EQ(value.streamPriority, 6u);
  EXPECT_OK(get(ACL_STREAM_ATTR_FAILURE_MODE));
  EXPECT_EQ(value.failureMode, ACL_STOP_ON_FAILURE);

  value.overflowSwitch = 2;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, set(ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, set(ACL_STREAM_ATTR_CACHE_OP_INFO));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, set(static_cast<aclrtStreamAttr>(99)));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, get(static_cast<aclrtStreamAttr>(99)));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtSetStreamAttribute(nullptr, ACL_STREAM_ATTR_FAILURE_MODE, &value));
}

TEST(aclrtSetStreamOverflowSwitch, IsReadBack) {
  const Session session;
  const aclrtStream stream = session.Stream();
  uint32_t value = 9;
  EXPECT_OK(aclrtGetStreamOverflowSwitch(stream, &value));
  EXPECT_EQ(value, 0u);
  EXPECT_OK(aclrtSetStreamOverflowSwitch(stream, 1));
  EXPECT_OK(aclrtGetStreamOverflowSwitch(stream, &value));
  EXPECT_EQ(value, 1u);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetStreamOverflowSwitch(stream, 2));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetStreamOverflowSwitch(stream, nullptr));
}

TEST(aclrtSetStreamResLimit, YieldsToNothingButIsOnlyUsedByThreadsThatChooseIt) {
  InChild({{"FOOTHOLD_THREADS", "4"}}, [] {
    const Session session;
    const aclrtStream stream = session.Stream();
    const auto type = ACL_RT_DEV_RES_CUBE_CORE;
    uint32_t all = 0, value = 0;
    EXPECT_OK(aclrtGetResInCurrentThread(type, &all));
    EXPECT_EQ(all, 4u);
    EXPECT_OK(aclrtGetStreamResLimit(stream, type, &value));
    EXPECT_EQ(value, all);
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetStreamResLimit(stream, type, 0));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetStreamResLimit(stream, type, all + 1));
    EXPECT_OK(aclrtSetStreamResLimit(stream, type, 2));
    EXPECT_OK(aclrtSetDeviceResLimit(0, type, 3));
    EXPECT_OK(aclrtGetStreamResLimit(stream, type, &value));
    EXPECT_EQ(value, 2u);
    EXPECT_OK(aclrtGetStreamResLimit(stream, ACL_RT_DEV_RES_VECTOR_CORE, &value));
    EXPECT_EQ(value, all);
    EXPECT_OK(aclrtGetResInCurrentThread(type, &value));
    EXPECT_EQ(value, 3u);
    EXPECT_OK(aclrtUseStreamResInCurrentThread(stream));
    EXPECT_OK(aclrtGetResInCurrentThread(type, &value));
    EXPECT_EQ(value, 2u);
    std::thread([&] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      EXPECT_OK(aclrtGetResInCurrentThread(type, &value));
      EXPECT_EQ(value, 3u);
    }).join();
    EXPECT_OK(aclrtResetStreamResLimit(stream));
    EXPECT_OK(aclrtGetResInCurrentThread(type, &value));
    EXPECT_EQ(value, 3u);
    EXPECT_OK(aclrtSetStreamResLimit(stream, type, 1));
    EXPECT_OK(aclrtUnuseStreamResInCurrentThread(stream));
    EXPECT_OK(aclrtGetResInCurrentThread(type, &value));
    EXPECT_EQ(value, 3u);
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
                 aclrtSetStreamResLimit(stream, static_cast<aclrtDevResLimitType>(5), 1));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetStreamResLimit(stream, type, nullptr));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetResInCurrentThread(type, nullptr));
  });
}

TEST(aclrtPersistentTaskClean, ForgetsWhatAPersistentStreamStored) {
  const Session session;
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_PERSISTENT));
  std::uint64_t* cell = session.Cell(0);
  const aclrtEvent event = session.Event();
  ASSERT_OK(aclrtValueWrite(cell, 1, 0, stream));
  ASSERT_OK(aclrtRecordEvent(event, stream));
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  // The record is stored, not run.
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeEvent(event));
  EXPECT_OK(aclrtPersistentTaskClean(stream));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_ABORT, aclrtSynchronizeEvent(event));
  EXPECT_EQ(session.Read(cell), 0u);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtPersistentTaskClean(session.Stream()));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtPersistentTaskClean(nullptr));
}

TEST(aclrtActiveStream, IsForStreamsOfAModel) {
  const Session session;
  const aclrtStream first = session.Stream(), second = session.Stream();
  std::uint64_t* cell = session.Cell(0);
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclrtActiveStream(first, second));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtActiveStream(nullptr, second));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtActiveStream(first, nullptr));
  const auto switch_stream = [&](void* left, int condition, void* right, int type, aclrtStream otherwise) {
    return aclrtSwitchStream(left, static_cast<aclrtCondition>(condition), right,
                             static_cast<aclrtCompareDataType>(type), first, otherwise, second);
  };
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, switch_stream(cell, 0, cell, 1, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, switch_stream(cell, 5, cell, 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, switch_stream(cell, 6, cell, 1, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, switch_stream(cell, 0, cell, 2, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, switch_stream(nullptr, 0, cell, 1, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, switch_stream(cell, 0, nullptr, 1, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, switch_stream(cell, 0, cell, 1, first));
}

// Four threads feed one stream; each sees its own tasks done in its own order.
TEST(Stream, TakesTasksFromManyThreads) {
  const Session session;
  const aclrtStream stream = session.Stream();
  constexpr int kThreads = 4, kTasks = 500;
  struct Part {
    std::vector<int> order;
    struct Item {
      Part* part;
      int number;
    };
    std::vector<Item> items;
  };
  std::vector<Part> parts(kThreads);
  std::vector<std::thread> threads;
  for (Part& part : parts) {
    for (int i = 0; i < kTasks; ++i)
      part.items.push_back({&part, i});
    threads.emplace_back([&] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      for (auto& item : part.items) {
        ASSERT_OK(aclrtLaunchHostFunc(
            stream,
            [](void* data) {
              auto* own = static_cast<Part::Item*>(data);
              own->part->order.push_back(own->number);
            },
            &item));
      }
      EXPECT_OK(aclrtSynchronizeStream(stream));
      EXPECT_EQ(part.order.size(), static_cast<size_t>(kTasks));
    });
  }
  for (auto& thread : threads)
    thread.join();
  for (const Part& part : parts) {
    for (int i = 0; i < kTasks; ++i)
      ASSERT_EQ(part.order[i], i);
  }
}

}  // namespace
