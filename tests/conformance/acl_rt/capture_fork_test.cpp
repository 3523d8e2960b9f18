// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Streams that join a capture over events: forks, joins, what was not joined, events of outside.
#include "conformance/acl_rt/capture_fixture.h"

namespace {

// Waits in `to` for all that is in `from`.
void Order(const Session& session, aclrtStream from, aclrtStream to) {
  const aclrtEvent event = session.Event();
  EXPECT_OK(aclrtRecordEvent(event, from));
  EXPECT_OK(aclrtStreamWaitEvent(to, event));
  EXPECT_OK(aclrtDestroyEvent(event));
}

TEST(aclmdlRICaptureBegin, ForksAndJoinsKeepTheOrder) {
  const Session session;
  Cells cells(4);
  const aclrtStream main = session.Stream(), left = session.Stream(), right = session.Stream();
  const aclmdlRI instance = Captured(main, [&] {
    EXPECT_OK(cells.Count(0, main));
    Order(session, main, left);
    Order(session, main, right);
    EXPECT_OK(cells.Add(1, 0, left));
    EXPECT_OK(cells.Add(2, 0, right));
    Order(session, right, left);
    EXPECT_OK(cells.Add(1, 2, left));
    Order(session, left, main);
    EXPECT_OK(cells.Copy(3, 1, main));
  });
  RunTimes(instance, main);
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{1, 2, 1, 2}));
  RunTimes(instance, left, 2);
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{3, 16, 6, 16}));
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclmdlRICaptureBegin, BranchesThatWaitForEachOtherRunSideBySide) {
  const Session session;
  Cells cells(3);
  const aclrtStream main = session.Stream(), other = session.Stream();
  aclrtNotify there = nullptr, back = nullptr;
  EXPECT_OK(aclrtCreateNotify(&there, ACL_NOTIFY_DEFAULT));
  EXPECT_OK(aclrtCreateNotify(&back, ACL_NOTIFY_DEFAULT));
  const aclmdlRI instance = Captured(main, [&] {
    Order(session, main, other);
    EXPECT_OK(aclrtWaitAndResetNotify(there, main, 0));
    EXPECT_OK(cells.Add(1, 0, main));
    EXPECT_OK(aclrtRecordNotify(back, main));
    EXPECT_OK(cells.Count(0, other));
    EXPECT_OK(aclrtRecordNotify(there, other));
    EXPECT_OK(aclrtWaitAndResetNotify(back, other, 0));
    EXPECT_OK(cells.Add(2, 1, other));
    Order(session, other, main);
  });
  for (int i = 0; i < 20; ++i)
    RunTimes(instance, main);
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{20, 210, 1540}));
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclmdlRICaptureBegin, LargeBranchesGiveWhatOneStreamGives) {
  const Session session;
  constexpr std::size_t kBytes = 4 << 20;
  void *from = nullptr, *left = nullptr, *right = nullptr;
  for (void** block : {&from, &left, &right})
    ASSERT_OK(aclrtMalloc(block, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  const aclrtStream main = session.Stream(), other = session.Stream();
  const aclmdlRI instance = Captured(main, [&] {
    EXPECT_OK(aclrtMemsetAsync(from, kBytes, 7, kBytes, main));
    Order(session, main, other);
    EXPECT_OK(aclrtMemcpyAsync(left, kBytes, from, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, main));
    EXPECT_OK(aclrtMemcpyAsync(right, kBytes, from, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, other));
    Order(session, other, main);
  });
  for (int round = 0; round < 20; ++round) {
    for (void* block : {left, right})
      EXPECT_OK(aclrtMemset(block, kBytes, round, kBytes));
    RunTimes(instance, main, 2);
    for (const void* block : {left, right}) {
      std::vector<unsigned char> bytes(kBytes);
      EXPECT_OK(aclrtMemcpy(bytes.data(), kBytes, block, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
      EXPECT_EQ(bytes, std::vector<unsigned char>(kBytes, 7));
    }
  }
  EXPECT_OK(aclmdlRIDestroy(instance));
}

TEST(aclmdlRICaptureEnd, EveryStreamHasToBeJoined) {
  const Session session;
  const Cells cells(1);
  const aclrtStream main = session.Stream(), other = session.Stream();
  aclmdlRI instance = nullptr;
  EXPECT_OK(aclmdlRICaptureBegin(main, kGlobal));
  Order(session, main, other);
  EXPECT_OK(cells.Count(0, other));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_UNJOINED, aclmdlRICaptureEnd(main, &instance));
  EXPECT_EQ(StatusOf(other), ACL_MODEL_RI_CAPTURE_STATUS_NONE);

  EXPECT_OK(aclmdlRICaptureBegin(main, kGlobal));
  Order(session, main, other);
  EXPECT_OK(cells.Count(0, other));
  Order(session, other, main);
  EXPECT_OK(cells.Count(0, other));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_UNJOINED, aclmdlRICaptureEnd(main, &instance));
  EXPECT_OK(aclrtSynchronizeStream(other));
}

TEST(aclmdlRICaptureEnd, AStreamMayBeJoinedThroughAnother) {
  const Session session;
  const Cells cells(1);
  const aclrtStream main = session.Stream(), second = session.Stream(), third = session.Stream();
  const aclmdlRI instance = Captured(main, [&] {
    Order(session, main, second);
    Order(session, second, third);
    EXPECT_OK(cells.Count(0, third));
    Order(session, third, second);
    Order(session, second, main);
  });
  RunTimes(instance, main, 2);
  EXPECT_EQ(cells[0], 2);
}

TEST(aclmdlRICaptureEnd, AnEventMayBeRecordedAgainAndReset) {
  const Session session;
  const Cells cells(2);
  const aclrtStream main = session.Stream(), other = session.Stream();
  const aclrtEvent event = session.Event();
  const aclmdlRI instance = Captured(main, [&] {
    EXPECT_OK(aclrtRecordEvent(event, main));
    EXPECT_OK(aclrtStreamWaitEvent(other, event));
    EXPECT_OK(aclrtResetEvent(event, other));
    EXPECT_OK(cells.Count(0, other));
    EXPECT_OK(aclrtRecordEvent(event, other));
    EXPECT_OK(aclrtStreamWaitEvent(main, event));
    EXPECT_OK(cells.Add(1, 0, main));
  });
  RunTimes(instance, main, 2);
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{2, 3}));
  EXPECT_OK(aclrtRecordEvent(event, main));
  EXPECT_OK(aclrtSynchronizeEvent(event));
}

TEST(aclrtRecordEventWithFlag, ExternalRecordsAreMadeAtEachRun) {
  const Session session;
  const Cells cells(1);
  const aclrtStream main = session.Stream(), other = session.Stream();
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED,
               aclrtRecordEventWithFlag(event, main, ACL_EVENT_RECORD_EXTERNAL));
  const aclmdlRI instance = Captured(main, [&] {
    EXPECT_OK(cells.Count(0, main));
    EXPECT_OK(aclrtRecordEventWithFlag(event, main, ACL_EVENT_RECORD_EXTERNAL));
    EXPECT_OK(aclrtSynchronizeEvent(event));  // not of the capture
  });
  EXPECT_OK(aclmdlRIExecuteAsync(instance, main));
  EXPECT_OK(aclrtSynchronizeStream(main));
  EXPECT_OK(aclrtStreamWaitEvent(other, event));
  EXPECT_OK(cells.Count(0, other));
  EXPECT_OK(aclrtSynchronizeStream(other));
  EXPECT_EQ(cells[0], 2);
}

TEST(aclrtStreamWaitEventWithFlag, ExternalWaitsWaitForWhatIsRecordedThen) {
  const Session session;
  const Cells cells(1);
  const aclrtStream main = session.Stream(), outside = session.Stream();
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  const aclmdlRI instance = Captured(main, [&] {
    EXPECT_OK(aclrtStreamWaitEventWithFlag(main, event, 0, ACL_EVENT_WAIT_EXTERNAL));
    EXPECT_OK(cells.Count(0, main));
  });
  RunTimes(instance, main);  // never recorded
  Gate gate;
  gate.Hold(outside);
  EXPECT_OK(aclrtRecordEvent(event, outside));
  EXPECT_OK(aclmdlRIExecuteAsync(instance, main));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(main, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(main));
  EXPECT_EQ(cells[0], 2);
}

TEST(aclrtCreateEventWithFlag, ExternalEventsHoldRunsUntilTheyAreRecorded) {
  const Session session;
  const Cells cells(1);
  const aclrtStream main = session.Stream(), outside = session.Stream();
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_EXTERNAL));
  const aclmdlRI instance = Captured(main, [&] {
    EXPECT_OK(aclrtStreamWaitEvent(main, event));
    EXPECT_OK(aclrtResetEvent(event, main));
    EXPECT_OK(cells.Count(0, main));
  });
  for (int round = 1; round <= 3; ++round) {
    EXPECT_OK(aclmdlRIExecuteAsync(instance, main));
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(main, 5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    EXPECT_OK(aclrtRecordEvent(event, outside));
    EXPECT_OK(aclrtSynchronizeStream(main));
    EXPECT_EQ(cells[0], round);
  }
  EXPECT_OK(aclmdlRIDestroy(instance));
}

}  // namespace
