// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Wrong handles: every function that takes a stream, an event or a notify is given ones that are null, made
// up, of another kind, destroyed or of another context, and must answer the documented code with a text.
#include <functional>

#include "conformance/device_fixture.h"

namespace {

struct Call {
  const char* name;
  std::function<aclError(void*)> call;
  bool takes_null = false;  // as the default stream
};

struct BadHandle {
  const char* what;
  void* handle;
};

void Nothing(void*) {}

// Everything that is no live object of the wanted kind.
class BadHandles {
 public:
  explicit BadHandles(const Session& session) : context_(session.context()) {
    EXPECT_OK(aclrtCreateNotify(&notify_, 0));
    EXPECT_OK(aclrtCntNotifyCreate(&counter_, 0));
    stream_ = session.Stream();
    event_ = session.Event();
    memory_ = session.Cell(0);
  }
  std::vector<BadHandle> For(void* live_kind, void* destroyed) const {
    std::vector<BadHandle> bad = {{"garbage", reinterpret_cast<void*>(0x1234)},
                                  {"an address", const_cast<BadHandles*>(this)},
                                  {"all ones", reinterpret_cast<void*>(~std::uintptr_t{0})},
                                  {"destroyed", destroyed},
                                  {"next to a live one", static_cast<char*>(live_kind) + 1},
                                  {"a context", context_},
                                  {"device memory", memory_}};
    for (const BadHandle& other : {BadHandle{"a stream", stream_}, BadHandle{"an event", event_},
                                   BadHandle{"a notify", notify_}, BadHandle{"a counted notify", counter_}}) {
      if (KindOf(other.handle) != KindOf(live_kind)) bad.push_back(other);
    }
    return bad;
  }

 private:
  static std::uintptr_t KindOf(void* handle) { return reinterpret_cast<std::uintptr_t>(handle) >> 56; }

  aclrtContext context_;
  aclrtStream stream_;
  aclrtEvent event_;
  aclrtNotify notify_ = nullptr;
  aclrtCntNotify counter_ = nullptr;
  void* memory_ = nullptr;
};

void ExpectRefused(const std::vector<Call>& calls, const std::vector<BadHandle>& handles, aclError code) {
  for (const Call& call : calls) {
    for (const BadHandle& bad : handles) {
      RecentError();
      EXPECT_EQ(call.call(bad.handle), code) << call.name << " with " << bad.what;
      EXPECT_NE(RecentError(), "") << call.name << " with " << bad.what;
    }
  }
}

std::vector<Call> ControlCalls(const Session& session) {
  const aclrtStream good = session.Stream();
  const aclrtEvent event = session.Event();
  aclrtNotify notify = nullptr;
  aclrtCntNotify counter = nullptr;
  EXPECT_OK(aclrtCreateNotify(&notify, 0));
  EXPECT_OK(aclrtCntNotifyCreate(&counter, 0));
  std::uint64_t* cell = session.Cell(0);
  static uint32_t number;
  static int32_t id;
  static aclrtStreamStatus status;
  static aclrtStreamAttrValue value;
  static aclrtCntNotifyRecordInfo record;
  static aclrtCntNotifyWaitInfo wait;
  const auto self = static_cast<uint64_t>(pthread_self());
  const auto cores = ACL_RT_DEV_RES_CUBE_CORE;
  return {
      {"aclrtDestroyStream", [](void* s) { return aclrtDestroyStream(s); }},
      {"aclrtDestroyStreamForce", [](void* s) { return aclrtDestroyStreamForce(s); }},
      {"aclrtPersistentTaskClean", [](void* s) { return aclrtPersistentTaskClean(s); }},
      {"aclrtSubscribeHostFunc", [=](void* s) { return aclrtSubscribeHostFunc(self, s); }},
      {"aclrtUnSubscribeHostFunc", [=](void* s) { return aclrtUnSubscribeHostFunc(self, s); }},
      {"aclrtActiveStream, active", [=](void* s) { return aclrtActiveStream(s, good); }},
      {"aclrtActiveStream", [=](void* s) { return aclrtActiveStream(good, s); }},
      {"aclrtSwitchStream, true",
       [=](void* s) {
         return aclrtSwitchStream(cell, ACL_RT_EQUAL, cell, ACL_RT_SWITCH_INT64, s, nullptr, good);
       }},
      {"aclrtSwitchStream",
       [=](void* s) {
         return aclrtSwitchStream(cell, ACL_RT_EQUAL, cell, ACL_RT_SWITCH_INT64, good, nullptr, s);
       }},
      {"aclrtStreamQuery", [](void* s) { return aclrtStreamQuery(s, &status); }, true},
      {"aclrtSynchronizeStream", [](void* s) { return aclrtSynchronizeStream(s); }, true},
      {"aclrtSynchronizeStreamWithTimeout", [](void* s) { return aclrtSynchronizeStreamWithTimeout(s, 5); },
       true},
      {"aclrtStreamGetId", [](void* s) { return aclrtStreamGetId(s, &id); }, true},
      {"aclrtStreamGetPriority", [](void* s) { return aclrtStreamGetPriority(s, &number); }, true},
      {"aclrtStreamGetFlags", [](void* s) { return aclrtStreamGetFlags(s, &number); }, true},
      {"aclrtSetStreamFailureMode", [](void* s) { return aclrtSetStreamFailureMode(s, 0); }, true},
      {"aclrtSetStreamAttribute",
       [](void* s) { return aclrtSetStreamAttribute(s, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value); }, true},
      {"aclrtGetStreamAttribute",
       [](void* s) { return aclrtGetStreamAttribute(s, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value); }, true},
      {"aclrtSetStreamOverflowSwitch", [](void* s) { return aclrtSetStreamOverflowSwitch(s, 0); }, true},
      {"aclrtGetStreamOverflowSwitch", [](void* s) { return aclrtGetStreamOverflowSwitch(s, &number); },
       true},
      {"aclrtSetStreamResLimit", [=](void* s) { return aclrtSetStreamResLimit(s, cores, 1); }, true},
      {"aclrtGetStreamResLimit", [=](void* s) { return aclrtGetStreamResLimit(s, cores, &number); }, true},
      {"aclrtResetStreamResLimit", [](void* s) { return aclrtResetStreamResLimit(s); }, true},
      {"aclrtUseStreamResInCurrentThread", [](void* s) { return aclrtUseStreamResInCurrentThread(s); }, true},
      {"aclrtUnuseStreamResInCurrentThread", [](void* s) { return aclrtUnuseStreamResInCurrentThread(s); },
       true},
      {"aclrtStreamStop", [](void* s) { return aclrtStreamStop(s); }, true},
      {"aclrtStreamAbort", [](void* s) { return aclrtStreamAbort(s); }, true},
      {"aclrtSubscribeReport", [=](void* s) { return aclrtSubscribeReport(self, s); }, true},
      {"aclrtLaunchCallback",
       [](void* s) { return aclrtLaunchCallback(Nothing, nullptr, ACL_CALLBACK_NO_BLOCK, s); }, true},
      {"aclrtUnSubscribeReport", [=](void* s) { return aclrtUnSubscribeReport(self, s); }, true},
      {"aclrtLaunchHostFunc", [](void* s) { return aclrtLaunchHostFunc(s, Nothing, nullptr); }, true},
      {"aclrtRecordEvent", [=](void* s) { return aclrtRecordEvent(event, s); }, true},
      {"aclrtRecordEventWithFlag", [=](void* s) { return aclrtRecordEventWithFlag(event, s, 0); }, true},
      {"aclrtResetEvent", [=](void* s) { return aclrtResetEvent(event, s); }, true},
      {"aclrtStreamWaitEvent", [=](void* s) { return aclrtStreamWaitEvent(s, event); }, true},
      {"aclrtStreamWaitEventWithTimeout",
       [=](void* s) { return aclrtStreamWaitEventWithTimeout(s, event, 1); }, true},
      {"aclrtStreamWaitEventWithFlag", [=](void* s) { return aclrtStreamWaitEventWithFlag(s, event, 1, 0); },
       true},
      {"aclrtRecordNotify", [=](void* s) { return aclrtRecordNotify(notify, s); }, true},
      {"aclrtWaitAndResetNotify", [=](void* s) { return aclrtWaitAndResetNotify(notify, s, 1); }, true},
      {"aclrtCntNotifyRecord", [=](void* s) { return aclrtCntNotifyRecord(counter, s, &record); }, true},
      {"aclrtCntNotifyWaitWithTimeout",
       [=](void* s) {
         wait.mode = ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE;
         return aclrtCntNotifyWaitWithTimeout(counter, s, &wait);
       },
       true},
      {"aclrtCntNotifyReset", [=](void* s) { return aclrtCntNotifyReset(counter, s); }, true},
      {"aclrtValueWrite", [=](void* s) { return aclrtValueWrite(cell, 1, 0, s); }, true},
      {"aclrtValueWait", [=](void* s) { return aclrtValueWait(cell, 1, ACL_STREAM_WAIT_VALUE_EQ, s); }, true},
  };
}

std::vector<Call> MemoryCalls() {
  void* memory = nullptr;
  EXPECT_OK(aclrtMalloc(&memory, 1024, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMemset(memory, 1024, 0, 1024));
  auto* to = static_cast<float*>(memory);
  const auto* from = static_cast<const char*>(memory) + 512;
  static void *dst, *src;
  static size_t size = 8, index = 0, failed;
  static aclrtMemcpyBatchAttr attribute;
  dst = to;
  EXPECT_OK(aclrtMallocHost(&src, size));
  attribute.dstLoc = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  attribute.srcLoc = {0, ACL_MEM_LOCATION_TYPE_HOST};
  constexpr auto kKind = ACL_MEMCPY_DEVICE_TO_DEVICE;
  return {
      {"aclrtMemcpyAsync", [=](void* s) { return aclrtMemcpyAsync(to, 8, from, 8, kKind, s); }, true},
      {"aclrtMemcpyAsyncWithCondition",
       [=](void* s) { return aclrtMemcpyAsyncWithCondition(to, 8, from, 8, kKind, s); }, true},
      {"aclrtMemcpy2dAsync", [=](void* s) { return aclrtMemcpy2dAsync(to, 8, from, 8, 8, 2, kKind, s); },
       true},
      {"aclrtMemcpyBatchAsync",
       [](void* s) {
         return aclrtMemcpyBatchAsync(&dst, &size, &src, &size, 1, &attribute, &index, 1, &failed, s);
       },
       true},
      {"aclrtMemcpyBatchAsyncV2",
       [](void* s) { return aclrtMemcpyBatchAsyncV2(&dst, &size, &src, &size, 1, &attribute, &index, 1, s); },
       true},
      {"aclrtMemsetAsync", [=](void* s) { return aclrtMemsetAsync(to, 8, 0, 8, s); }, true},
      {"aclrtMemsetD32Async", [=](void* s) { return aclrtMemsetD32Async(to, 8, 0, 2, s); }, true},
      {"aclrtCmoAsync", [=](void* s) { return aclrtCmoAsync(to, 8, ACL_RT_CMO_TYPE_PREFETCH, s); }, true},
      {"aclrtReduceAsync",
       [=](void* s) {
         return aclrtReduceAsync(to, from, 8, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, s, nullptr);
       },
       true},
      {"aclrtGetOverflowStatus", [=](void* s) { return aclrtGetOverflowStatus(to, 64, s); }, true},
      {"aclrtResetOverflowStatus", [](void* s) { return aclrtResetOverflowStatus(s); }, true},
  };
}

std::vector<Call> StreamCalls(const Session& session) {
  std::vector<Call> calls = ControlCalls(session);
  for (Call& call : MemoryCalls())
    calls.push_back(std::move(call));
  return calls;
}

TEST(Handles, OfStreamsAreChecked) {
  const Session session;
  const BadHandles bad(session);
  const auto calls = StreamCalls(session);
  const aclrtStream destroyed = session.Stream();
  ASSERT_OK(aclrtDestroyStream(destroyed));
  const aclrtStream forced = session.Stream();
  ASSERT_OK(aclrtDestroyStreamForce(forced));
  auto handles = bad.For(session.Stream(), destroyed);
  handles.push_back({"destroyed by force", forced});
  ExpectRefused(calls, handles, ACL_ERROR_RT_INVALID_HANDLE);
}

TEST(Handles, OfStreamsOfAnotherContextAreRefused) {
  const Session session;
  const auto calls = StreamCalls(session);
  aclrtContext other = nullptr;
  ASSERT_OK(aclrtCreateContext(&other, 0));
  const aclrtStream foreign = session.Stream();
  ASSERT_OK(aclrtSetCurrentContext(session.context()));
  ExpectRefused(calls, {{"a stream of another context", foreign}}, ACL_ERROR_RT_STREAM_CONTEXT);
  ASSERT_OK(aclrtDestroyContext(other));
  ExpectRefused(calls, {{"a stream of a destroyed context", foreign}}, ACL_ERROR_RT_INVALID_HANDLE);
}

TEST(Handles, OfNullStreamsMeanTheDefaultStreamOrNothing) {
  const Session session;
  for (const Call& call : StreamCalls(session)) {
    RecentError();
    EXPECT_EQ(call.call(nullptr), call.takes_null ? ACL_SUCCESS : ACL_ERROR_RT_PARAM_INVALID)
        << call.name << " " << RecentError();
  }
}

TEST(Handles, OfStreamsNeedACurrentContext) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const auto calls = StreamCalls(session);
  std::thread([&] {
    ExpectRefused(calls, {{"a stream", stream}, {"null", nullptr}}, ACL_ERROR_RT_CONTEXT_NULL);
  }).join();
}

TEST(Handles, OfEventsAreChecked) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const aclrtEvent good = session.Event();
  static uint32_t number;
  static uint64_t time;
  static float ms;
  static aclrtEventRecordedStatus recorded;
  static aclrtEventStatus status;
  static aclrtEventWaitStatus waits;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const std::vector<Call> calls = {
      {"aclrtDestroyEvent", [](void* e) { return aclrtDestroyEvent(e); }},
      {"aclrtRecordEvent", [=](void* e) { return aclrtRecordEvent(e, stream); }},
      {"aclrtRecordEventWithFlag", [=](void* e) { return aclrtRecordEventWithFlag(e, stream, 0); }},
      {"aclrtResetEvent", [=](void* e) { return aclrtResetEvent(e, stream); }},
      {"aclrtStreamWaitEvent", [=](void* e) { return aclrtStreamWaitEvent(stream, e); }},
      {"aclrtStreamWaitEventWithTimeout",
       [=](void* e) { return aclrtStreamWaitEventWithTimeout(stream, e, 0); }},
      {"aclrtStreamWaitEventWithFlag",
       [=](void* e) { return aclrtStreamWaitEventWithFlag(stream, e, 0, 0); }},
      {"aclrtQueryEventStatus", [](void* e) { return aclrtQueryEventStatus(e, &recorded); }},
      {"aclrtQueryEvent", [](void* e) { return aclrtQueryEvent(e, &status); }},
      {"aclrtQueryEventWaitStatus", [](void* e) { return aclrtQueryEventWaitStatus(e, &waits); }},
      {"aclrtSynchronizeEvent", [](void* e) { return aclrtSynchronizeEvent(e); }},
      {"aclrtSynchronizeEventWithTimeout", [](void* e) { return aclrtSynchronizeEventWithTimeout(e, 1); }},
      {"aclrtEventElapsedTime, start", [=](void* e) { return aclrtEventElapsedTime(&ms, e, good); }},
      {"aclrtEventGetTimestamp", [](void* e) { return aclrtEventGetTimestamp(e, &time); }},
      {"aclrtGetEventId", [](void* e) { return aclrtGetEventId(e, &number); }},
  };
#pragma GCC diagnostic pop
  const aclrtEvent destroyed = session.Event();
  ASSERT_OK(aclrtDestroyEvent(destroyed));
  const BadHandles bad(session);
  ExpectRefused(calls, bad.For(good, destroyed), ACL_ERROR_RT_INVALID_HANDLE);
  ExpectRefused(calls, {{"null", nullptr}}, ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_OK(aclrtRecordEvent(good, stream));
  ASSERT_OK(aclrtSynchronizeEvent(good));
  const std::vector<Call> end = {
      {"aclrtEventElapsedTime, end", [=](void* e) { return aclrtEventElapsedTime(&ms, good, e); }}};
  ExpectRefused(end, bad.For(good, destroyed), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST(Handles, OfNotifiesAreChecked) {
  const Session session;
  const aclrtStream stream = session.Stream();
  static uint32_t number;
  const std::vector<Call> calls = {
      {"aclrtDestroyNotify", [](void* n) { return aclrtDestroyNotify(n); }},
      {"aclrtRecordNotify", [=](void* n) { return aclrtRecordNotify(n, stream); }},
      {"aclrtWaitAndResetNotify", [=](void* n) { return aclrtWaitAndResetNotify(n, stream, 0); }},
      {"aclrtGetNotifyId", [](void* n) { return aclrtGetNotifyId(n, &number); }},
      {"aclrtNotifyBatchReset", [](void* n) { return aclrtNotifyBatchReset(&n, 1); }},
  };
  aclrtNotify good = nullptr, destroyed = nullptr;
  ASSERT_OK(aclrtCreateNotify(&good, 0));
  ASSERT_OK(aclrtCreateNotify(&destroyed, 0));
  ASSERT_OK(aclrtDestroyNotify(destroyed));
  ExpectRefused(calls, BadHandles(session).For(good, destroyed), ACL_ERROR_RT_INVALID_HANDLE);
  ExpectRefused(calls, {{"null", nullptr}}, ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST(Handles, OfCountedNotifiesAreChecked) {
  const Session session;
  const aclrtStream stream = session.Stream();
  static uint32_t number;
  static aclrtCntNotifyRecordInfo record;
  static aclrtCntNotifyWaitInfo wait;
  const std::vector<Call> calls = {
      {"aclrtCntNotifyDestroy", [](void* n) { return aclrtCntNotifyDestroy(n); }},
      {"aclrtCntNotifyRecord", [=](void* n) { return aclrtCntNotifyRecord(n, stream, &record); }},
      {"aclrtCntNotifyWaitWithTimeout",
       [=](void* n) { return aclrtCntNotifyWaitWithTimeout(n, stream, &wait); }},
      {"aclrtCntNotifyReset", [=](void* n) { return aclrtCntNotifyReset(n, stream); }},
      {"aclrtCntNotifyGetId", [](void* n) { return aclrtCntNotifyGetId(n, &number); }},
  };
  aclrtCntNotify good = nullptr, destroyed = nullptr;
  ASSERT_OK(aclrtCntNotifyCreate(&good, 0));
  ASSERT_OK(aclrtCntNotifyCreate(&destroyed, 0));
  ASSERT_OK(aclrtCntNotifyDestroy(destroyed));
  ExpectRefused(calls, BadHandles(session).For(good, destroyed), ACL_ERROR_RT_INVALID_HANDLE);
  ExpectRefused(calls, {{"null", nullptr}}, ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST(Handles, OfBeforeTheResetMeanNothingAfterwards) {
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  {
    const Session session;
    stream = session.Stream();
    event = session.Event();
  }
  const Session session;
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtSynchronizeStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtStreamWaitEvent(session.Stream(), event));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtSynchronizeEvent(event));
}

}  // namespace
