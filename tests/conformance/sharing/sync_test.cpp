// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Events and notifies of one process in another.
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "conformance/device_fixture.h"
#include "conformance/sharing/share_peer.h"

namespace {

constexpr int kGone = ACL_ERROR_RT_IPC_ERROR;

// Two processes with one event; `one` has recorded it behind work that waits for "release gate".
class SharedEvents : public testing::Test {
 protected:
  SharedEvents() {
    one.Get("allocate gate 8 0");
    one.Get("fill gate 0");
    one.Get("event e");
    other.Get("openevent e " + one.Get("eventhandle e"));
  }
  void RecordBehindGate() {
    one.Get("hold gate");
    one.Get("record e");
  }

  SharePeer one, other;
};

TEST_F(SharedEvents, HoldBackStreamsOfOtherProcesses) {
  EXPECT_EQ(other.Get("queryevent e"), "complete") << "never recorded";
  other.Get("waitevent e");
  other.Get("sync 5000");
  RecordBehindGate();
  EXPECT_EQ(other.Get("queryevent e"), "pending");
  EXPECT_EQ(other.Do("syncevent e 20"), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  other.Get("waitevent e");
  EXPECT_EQ(other.Do("sync 20"), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  one.Get("release gate");
  other.Get("sync -1");
  other.Get("syncevent e -1");
  EXPECT_EQ(other.Get("queryevent e"), "complete");
  EXPECT_EQ(one.Get("queryevent e"), "complete");
}

TEST_F(SharedEvents, WakeThreadsOfOtherProcesses) {
  RecordBehindGate();
  other.Begin("syncevent e -1");
  one.Get("release gate");
  EXPECT_EQ(other.Finish(), ACL_SUCCESS);
}

TEST_F(SharedEvents, CanBeRecordedByEither) {
  other.Get("record e");
  other.Get("sync -1");
  one.Get("syncevent e -1");
  RecordBehindGate();
  other.Get("waitevent e");
  other.Get("record e");
  EXPECT_EQ(one.Get("queryevent e"), "pending");
  one.Get("release gate");
  one.Get("syncevent e -1");
  other.Get("sync -1");
}

TEST_F(SharedEvents, KeepEarlierWaitsApartFromLaterRecords) {
  RecordBehindGate();
  other.Get("waitevent e");
  one.Get("release gate");
  other.Get("sync -1");
  one.Get("fill gate 0");
  RecordBehindGate();
  other.Get("sync -1");
  EXPECT_EQ(other.Get("queryevent e"), "pending");
  one.Get("release gate");
  other.Get("syncevent e -1");
}

TEST_F(SharedEvents, FailWhereTheirRecorderWasKilled) {
  RecordBehindGate();
  other.Get("waitevent e");
  one.Kill();
  EXPECT_EQ(other.Do("sync -1"), kGone);
  EXPECT_EQ(other.Do("syncevent e -1"), kGone);
  EXPECT_EQ(other.Get("queryevent e"), "complete");
  other.Get("destroyevent e");
}

TEST_F(SharedEvents, OutliveTheirCreatorWhenTheyWereReached) {
  one.Get("record e");
  one.Get("sync -1");
  one.Kill();
  other.Get("waitevent e");
  other.Get("sync -1");
  other.Get("syncevent e -1");
  other.Get("record e");
  other.Get("syncevent e -1");
}

TEST_F(SharedEvents, DoNotCareWhenAWaiterIsKilled) {
  RecordBehindGate();
  other.Get("waitevent e");
  other.Kill();
  one.Get("release gate");
  one.Get("sync -1");
  one.Get("destroyevent e");
}

TEST_F(SharedEvents, CannotBeOpenedOnceTheyAreDestroyed) {
  const std::string handle = one.Get("eventhandle e");
  SharePeer third;
  third.Get("openevent e " + handle);
  one.Get("destroyevent e");
  SharePeer fourth;
  EXPECT_EQ(fourth.Do("openevent e " + handle), kGone);
  third.Get("record e");
  other.Get("syncevent e -1");
}

TEST(SharedEvent, RefusesWrongArguments) {
  Session session;
  aclrtIpcEventHandle handle{};
  aclrtEvent plain = session.Event(), shared = nullptr, opened = nullptr;
  ASSERT_OK(aclrtCreateEventExWithFlag(&shared, ACL_EVENT_IPC));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcGetEventHandle(plain, &handle));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcGetEventHandle(shared, nullptr));
  EXPECT_NE(aclrtIpcGetEventHandle(nullptr, &handle), ACL_SUCCESS);
  EXPECT_FAILS(kGone, aclrtIpcOpenEventHandle(handle, &opened));
  ASSERT_OK(aclrtIpcGetEventHandle(shared, &handle));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcOpenEventHandle(handle, nullptr));
  ASSERT_OK(aclrtIpcOpenEventHandle(handle, &opened)) << "also in the process that made it";
  EXPECT_OK(aclrtRecordEvent(shared, nullptr));
  EXPECT_OK(aclrtSynchronizeEvent(opened));
  EXPECT_FAILS(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, [&] {
    uint64_t time = 0;
    return aclrtEventGetTimestamp(opened, &time);
  }());
  EXPECT_OK(aclrtDestroyEvent(opened));
  EXPECT_OK(aclrtDestroyEvent(shared));
}

class SharedNotifies : public testing::Test {
 protected:
  SharedNotifies() {
    one.Get("notify n");
    other.Get("importnotify n " + one.Get("notifykey n 2"));
  }
  SharePeer one, other;
};

TEST_F(SharedNotifies, AreSetByOneAndTakenByTheOther) {
  other.Get("takenotify n 0");
  EXPECT_EQ(other.Do("sync 20"), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  one.Get("setnotify n");
  other.Get("sync -1");
  one.Get("takenotify n 0");
  EXPECT_EQ(one.Do("sync 20"), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) << "it was reset";
  other.Get("setnotify n");
  one.Get("sync -1");
}

TEST_F(SharedNotifies, GoBackAndForth) {
  for (int i = 0; i < 200; ++i) {
    other.Get("takenotify n 0");
    one.Get("setnotify n");
    other.Get("sync -1");
  }
}

TEST_F(SharedNotifies, AreSetBeforeTheyAreWaitedFor) {
  one.Get("setnotify n");
  one.Get("sync -1");
  other.Get("takenotify n 0");
  other.Get("sync -1");
}

TEST_F(SharedNotifies, KeepTheTimeLimitOfAWait) {
  other.Get("takenotify n 1");
  EXPECT_EQ(other.Do("sync -1"), ACL_ERROR_RT_WAIT_TIMEOUT);
}

TEST_F(SharedNotifies, FailWhereNobodyIsLeftToSetThem) {
  other.Get("takenotify n 0");
  one.Kill();
  EXPECT_EQ(other.Do("sync -1"), kGone);
  other.Get("destroynotify n");
}

TEST_F(SharedNotifies, FailForTheExporterToo) {
  one.Get("takenotify n 0");
  other.Kill();
  EXPECT_EQ(one.Do("sync -1"), kGone);
}

TEST_F(SharedNotifies, WaitForProcessesThatComeLater) {
  other.Get("destroynotify n");
  one.Get("takenotify n 0");
  EXPECT_EQ(one.Do("sync 250"), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) << "nobody has died";
  SharePeer third;
  third.Get("importnotify n " + one.Get("notifykey n 2"));
  third.Get("setnotify n");
  one.Get("sync -1");
}

TEST_F(SharedNotifies, AreTakenThoughTheirSetterIsDead) {
  one.Get("setnotify n");
  one.Get("sync -1");
  one.Kill();
  other.Get("takenotify n 0");
  other.Get("sync -1");
}

TEST(SharedNotify, KeepsItsValueWhenItIsExported) {
  SharePeer one, other;
  one.Get("notify n");
  one.Get("setnotify n");
  one.Get("sync -1");
  const std::string key = one.Get("notifykey n 0");
  EXPECT_EQ(other.Do("importnotify n " + key), ACL_ERROR_RT_NO_PERMISSION);
  one.Get("admitnotify n " + std::to_string(other.pid()));
  EXPECT_EQ(one.Get("notifykey n 0"), key);
  other.Get("importnotify n " + key);
  other.Get("takenotify n 0");
  other.Get("sync -1");
}

TEST(SharedNotify, IsFoundByStreamsThatWaitedBefore) {
  SharePeer one, other;
  one.Get("notify n");
  one.Get("takenotify n 0");
  EXPECT_EQ(one.Do("sync 20"), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  other.Get("importnotify n " + one.Get("notifykey n 2"));
  other.Get("setnotify n");
  one.Get("sync -1");
}

TEST(SharedNotify, RefusesWrongArguments) {
  Session session;
  aclrtNotify notify = nullptr, opened = nullptr;
  ASSERT_OK(aclrtCreateNotify(&notify, 0));
  char key[65];
  int32_t pid = getpid();
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtNotifyGetExportKey(notify, nullptr, 65, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtNotifyGetExportKey(notify, key, 64, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtNotifyGetExportKey(notify, key, 65, 1));
  EXPECT_NE(aclrtNotifyGetExportKey(nullptr, key, 65, 0), ACL_SUCCESS);
  ASSERT_OK(aclrtNotifyGetExportKey(notify, key, 65, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtNotifySetImportPid(notify, nullptr, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtNotifySetImportPid(notify, &pid, 0));
  EXPECT_OK(aclrtNotifySetImportPid(notify, &pid, 1));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtNotifyImportByKey(nullptr, key, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtNotifyImportByKey(&opened, nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtNotifyImportByKey(&opened, key, 1));
  EXPECT_FAILS(kGone, aclrtNotifyImportByKey(&opened, "nonsense", 0));
  ASSERT_OK(aclrtNotifyImportByKey(&opened, key, 2)) << "also in the process that made it";
  EXPECT_OK(aclrtRecordNotify(notify, nullptr));
  EXPECT_OK(aclrtWaitAndResetNotify(opened, nullptr, 10));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  aclrtServerPid server{0, &pid, 1};
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtNotifySetImportPidInterServer(notify, &server, 1));
  EXPECT_OK(aclrtDestroyNotify(opened));
  EXPECT_OK(aclrtDestroyNotify(notify));
}

}  // namespace
