// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Notifies, counted notifies, and waiting for values in memory.
#include <tuple>

#include "conformance/device_fixture.h"

namespace {

aclrtNotify Notify() {
  aclrtNotify notify = nullptr;
  EXPECT_OK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
  return notify;
}

aclrtCntNotify Counter() {
  aclrtCntNotify notify = nullptr;
  EXPECT_OK(aclrtCntNotifyCreate(&notify, ACL_NOTIFY_DEFAULT));
  return notify;
}

aclError Record(aclrtCntNotify notify, aclrtStream stream, int mode, uint32_t value) {
  aclrtCntNotifyRecordInfo info = {static_cast<aclrtCntNotifyRecordMode>(mode), value};
  return aclrtCntNotifyRecord(notify, stream, &info);
}

aclError Wait(aclrtCntNotify notify, aclrtStream stream, int mode, uint32_t value, bool clear = false,
              uint32_t timeout = 0) {
  aclrtCntNotifyWaitInfo info = {};
  info.mode = static_cast<aclrtCntNotifyWaitMode>(mode);
  info.value = value;
  info.timeout = timeout;
  info.isClear = clear;
  return aclrtCntNotifyWaitWithTimeout(notify, stream, &info);
}

bool IsBusy(aclrtStream stream) {
  return aclrtSynchronizeStreamWithTimeout(stream, 20) == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
}

TEST(aclrtCreateNotify, ChecksItsArguments) {
  const Session session;
  aclrtNotify notify = nullptr;
  EXPECT_OK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEVICE_USE_ONLY));
  EXPECT_OK(aclrtDestroyNotify(notify));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateNotify(&notify, 2));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateNotify(nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCntNotifyCreate(&notify, 2));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCntNotifyCreate(nullptr, 0));
  uint32_t first = 0, second = 0;
  EXPECT_OK(aclrtGetNotifyId(Notify(), &first));
  EXPECT_OK(aclrtCntNotifyGetId(Counter(), &second));
  EXPECT_NE(first, second);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetNotifyId(Notify(), nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCntNotifyGetId(Counter(), nullptr));
}

TEST(aclrtCreateNotify, FailsWhenTheDeviceHasNoMore) {
  InChild({{"FOOTHOLD_MAX_NOTIFIES", "2"}}, [] {
    const Session session;
    const aclrtNotify first = Notify();
    const aclrtCntNotify second = Counter();
    aclrtNotify more = nullptr;
    EXPECT_FAILS(ACL_ERROR_RT_NO_NOTIFY_RESOURCE, aclrtCreateNotify(&more, 0));
    EXPECT_FAILS(ACL_ERROR_RT_NO_NOTIFY_RESOURCE, aclrtCntNotifyCreate(&more, 0));
    EXPECT_OK(aclrtDestroyNotify(first));
    EXPECT_OK(aclrtCntNotifyDestroy(second));
    EXPECT_OK(aclrtCreateNotify(&more, 0));
  });
}

TEST(aclrtWaitAndResetNotify, LetsOneWaitPassPerRecord) {
  const Session session;
  const aclrtStream setter = session.Stream(), waiter = session.Stream();
  const aclrtNotify notify = Notify();
  ASSERT_OK(aclrtWaitAndResetNotify(notify, waiter, 0));
  ASSERT_OK(aclrtWaitAndResetNotify(notify, waiter, 0));
  EXPECT_TRUE(IsBusy(waiter));
  ASSERT_OK(aclrtRecordNotify(notify, setter));
  ASSERT_OK(aclrtSynchronizeStream(setter));
  EXPECT_TRUE(IsBusy(waiter));
  ASSERT_OK(aclrtRecordNotify(notify, setter));
  EXPECT_OK(aclrtSynchronizeStream(waiter));
  // Records do not add up.
  ASSERT_OK(aclrtRecordNotify(notify, setter));
  ASSERT_OK(aclrtRecordNotify(notify, setter));
  ASSERT_OK(aclrtSynchronizeStream(setter));
  ASSERT_OK(aclrtWaitAndResetNotify(notify, waiter, 0));
  EXPECT_OK(aclrtSynchronizeStream(waiter));
  ASSERT_OK(aclrtWaitAndResetNotify(notify, waiter, 1));
  EXPECT_FAILS(ACL_ERROR_RT_WAIT_TIMEOUT, aclrtSynchronizeStream(waiter));
}

TEST(aclrtWaitAndResetNotify, PlaysPingPong) {
  const Session session;
  const aclrtStream ping = session.Stream(), pong = session.Stream();
  const aclrtNotify to = Notify(), fro = Notify();
  std::uint64_t* cell = session.Cell(0);
  constexpr std::uint64_t kRounds = 1000;
  for (std::uint64_t i = 0; i < kRounds; ++i) {
    ASSERT_OK(aclrtValueWrite(cell, 2 * i + 1, 0, ping));
    ASSERT_OK(aclrtRecordNotify(to, ping));
    ASSERT_OK(aclrtWaitAndResetNotify(fro, ping, 0));
    ASSERT_OK(aclrtWaitAndResetNotify(to, pong, 0));
    ASSERT_OK(aclrtValueWait(cell, 2 * i + 1, ACL_STREAM_WAIT_VALUE_EQ, pong));
    ASSERT_OK(aclrtValueWrite(cell, 2 * i + 2, 0, pong));
    ASSERT_OK(aclrtRecordNotify(fro, pong));
  }
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_EQ(session.Read(cell), 2 * kRounds);
}

TEST(aclrtNotifyBatchReset, ClearsAllOrNone) {
  const Session session;
  const aclrtStream stream = session.Stream();
  aclrtNotify notifies[2] = {Notify(), Notify()};
  for (aclrtNotify notify : notifies)
    ASSERT_OK(aclrtRecordNotify(notify, stream));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  aclrtNotify mixed[2] = {notifies[0], nullptr};
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtNotifyBatchReset(mixed, 2));
  ASSERT_OK(aclrtWaitAndResetNotify(notifies[0], stream, 0));  // still set
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtNotifyBatchReset(notifies, 2));
  ASSERT_OK(aclrtWaitAndResetNotify(notifies[1], stream, 0));
  EXPECT_TRUE(IsBusy(stream));
  const aclrtStream other = session.Stream();
  ASSERT_OK(aclrtRecordNotify(notifies[1], other));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtNotifyBatchReset(nullptr, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtNotifyBatchReset(notifies, 0));
}

TEST(aclrtDestroyNotify, DoesNotDisturbThoseWhoWait) {
  const Session session;
  const aclrtStream setter = session.Stream(), waiter = session.Stream();
  const aclrtNotify notify = Notify();
  Gate gate;
  gate.Hold(setter);
  ASSERT_OK(aclrtRecordNotify(notify, setter));
  ASSERT_OK(aclrtWaitAndResetNotify(notify, waiter, 0));
  EXPECT_OK(aclrtDestroyNotify(notify));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(waiter));
}

TEST(aclrtCntNotifyRecord, SetsAddsAndCombinesBits) {
  const Session session;
  const aclrtStream stream = session.Stream();
  const aclrtCntNotify counter = Counter();
  const auto holds = [&](uint32_t value) {
    EXPECT_OK(Wait(counter, stream, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, value));
    EXPECT_OK(aclrtSynchronizeStream(stream)) << value;
  };
  holds(0);
  ASSERT_OK(Record(counter, stream, ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 5));
  holds(5);
  ASSERT_OK(Record(counter, stream, ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 4));
  holds(9);
  ASSERT_OK(Record(counter, stream, ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE, 6));
  holds(15);
  ASSERT_OK(Record(counter, stream, ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE, 6));
  holds(6);
  ASSERT_OK(aclrtCntNotifyReset(counter, stream));
  holds(0);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, Record(counter, stream, 3, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCntNotifyRecord(counter, stream, nullptr));
}

TEST(aclrtCntNotifyWaitWithTimeout, KnowsFiveConditions) {
  const Session session;
  const aclrtStream setter = session.Stream(), waiter = session.Stream();
  const aclrtCntNotify counter = Counter();
  // Each condition: what it is compared with, a value that fails it, one that meets it.
  for (auto [mode, operand, fails, meets] :
       {std::tuple(ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE, 5u, 5u, 4u),
        std::tuple(ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 5u, 6u, 5u),
        std::tuple(ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE, 5u, 5u, 6u),
        std::tuple(ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE, 5u, 4u, 5u),
        std::tuple(ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE, 5u, 4u, 7u)}) {
    ASSERT_OK(Record(counter, setter, ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, fails));
    ASSERT_OK(aclrtSynchronizeStream(setter));
    ASSERT_OK(Wait(counter, waiter, mode, operand));
    EXPECT_TRUE(IsBusy(waiter)) << mode;
    ASSERT_OK(Record(counter, setter, ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, meets));
    EXPECT_OK(aclrtSynchronizeStream(waiter)) << mode;
  }
  ASSERT_OK(Record(counter, setter, ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 9));
  ASSERT_OK(aclrtSynchronizeStream(setter));
  ASSERT_OK(Wait(counter, waiter, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 9, true));
  ASSERT_OK(Wait(counter, waiter, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 0));
  EXPECT_OK(aclrtSynchronizeStream(waiter));
  ASSERT_OK(Wait(counter, waiter, ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE, 0, false, 1));
  EXPECT_FAILS(ACL_ERROR_RT_WAIT_TIMEOUT, aclrtSynchronizeStream(waiter));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, Wait(counter, waiter, 5, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCntNotifyWaitWithTimeout(counter, waiter, nullptr));
}

TEST(aclrtValueWait, IsSatisfiedByAnotherStream) {
  const Session session;
  const aclrtStream writer = session.Stream(), waiter = session.Stream();
  const std::uint64_t big = std::uint64_t{1} << 63;
  // Flag, operand, a value that fails it, one that meets it.
  for (auto [flag, operand, fails, meets] :
       {std::tuple(ACL_STREAM_WAIT_VALUE_GEQ, std::uint64_t{5}, std::uint64_t{4}, std::uint64_t{6}),
        std::tuple(ACL_STREAM_WAIT_VALUE_GEQ, big - 1, big - 2, big + 1),  // compares the difference
        std::tuple(ACL_STREAM_WAIT_VALUE_EQ, std::uint64_t{5}, std::uint64_t{6}, std::uint64_t{5}),
        std::tuple(ACL_STREAM_WAIT_VALUE_AND, std::uint64_t{6}, std::uint64_t{9}, std::uint64_t{2}),
        std::tuple(ACL_STREAM_WAIT_VALUE_NOR, std::uint64_t{1}, ~std::uint64_t{1}, std::uint64_t{4})}) {
    std::uint64_t* cell = session.Cell(fails);
    ASSERT_OK(aclrtValueWait(cell, operand, flag, waiter));
    EXPECT_TRUE(IsBusy(waiter)) << flag;
    ASSERT_OK(aclrtValueWrite(cell, meets, 0, writer));
    EXPECT_OK(aclrtSynchronizeStream(waiter)) << flag;
  }
}

TEST(aclrtValueWait, IsSatisfiedByACopyOfTheHost) {
  const Session session;
  const aclrtStream stream = session.Stream();
  std::uint64_t* cell = session.Cell(0);
  ASSERT_OK(aclrtValueWait(cell, 3, ACL_STREAM_WAIT_VALUE_EQ, stream));
  EXPECT_TRUE(IsBusy(stream));
  const std::uint64_t value = 3;
  ASSERT_OK(aclrtMemcpy(cell, 8, &value, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST(aclrtValueWait, ChecksItsArguments) {
  const Session session;
  const aclrtStream stream = session.Stream();
  std::uint64_t* cell = session.Cell(0);
  auto* odd = reinterpret_cast<char*>(cell) + 4;
  std::uint64_t host = 0;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtValueWait(nullptr, 0, 0, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtValueWrite(nullptr, 0, 0, stream));
  EXPECT_FAILS(ACL_ERROR_RT_ADDR_UNALIGNED, aclrtValueWait(odd, 0, 0, stream));
  EXPECT_FAILS(ACL_ERROR_RT_ADDR_UNALIGNED, aclrtValueWrite(odd, 0, 0, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtValueWait(&host, 0, 0, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtValueWrite(&host, 0, 0, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtValueWait(cell, 0, 4, stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtValueWrite(cell, 0, 1, stream));
  EXPECT_OK(aclrtValueWrite(cell, 8, 0, nullptr));
  EXPECT_OK(aclrtValueWait(cell, 8, ACL_STREAM_WAIT_VALUE_EQ, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

// Memory that is freed under a waiting stream fails the wait instead of being read.
TEST(aclrtValueWait, FailsWhenItsMemoryIsFreed) {
  const Session session;
  const aclrtStream stream = session.Stream();
  std::uint64_t* cell = session.Cell(0);
  ASSERT_OK(aclrtValueWait(cell, 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
  EXPECT_TRUE(IsBusy(stream));
  ASSERT_OK(aclrtFree(cell));
  RecentError();
  EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_NE(RecentError().find("aclrtValueWait"), std::string::npos);
}

}  // namespace
