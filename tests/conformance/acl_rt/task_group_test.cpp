// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Groups of captured tasks and replacing them: aclmdlRICaptureTaskGrpBegin, End, TaskUpdateBegin and End.
#include "conformance/acl_rt/capture_fixture.h"

namespace {

struct Grouped {
  aclmdlRI instance = nullptr;
  aclrtTaskGrp group = nullptr;
};

// A count of cell 0, a group that counts cell 1, a count of cell 0.
Grouped Capture(const Cells& cells, aclrtStream stream) {
  Grouped made;
  made.instance = Captured(stream, [&] {
    EXPECT_OK(cells.Count(0, stream));
    EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream));
    EXPECT_OK(cells.Count(1, stream));
    EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream, &made.group));
    EXPECT_OK(cells.Count(0, stream));
  });
  return made;
}

TEST(aclmdlRICaptureTaskUpdateBegin, ReplacesTheTasksOfAGroup) {
  const Session session;
  const Cells cells(4);
  const aclrtStream stream = session.Stream(), update = session.Stream();
  const Grouped made = Capture(cells, stream);
  RunTimes(made.instance, stream);
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{2, 1, 0, 0}));
  for (const std::size_t target : {2u, 3u}) {
    EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(update, made.group));
    EXPECT_OK(cells.Count(target, update));
    EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(update));
    EXPECT_OK(aclrtSynchronizeStream(update));
    RunTimes(made.instance, stream);
  }
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{6, 1, 1, 1}));
}

TEST(aclmdlRICaptureTaskUpdateBegin, BringsDisabledTasksBack) {
  const Session session;
  const Cells cells(3);
  const aclrtStream stream = session.Stream(), update = session.Stream();
  const Grouped made = Capture(cells, stream);
  aclrtStream lane = nullptr;
  std::uint32_t count = 1;
  ASSERT_OK(aclmdlRIGetStreams(made.instance, &lane, &count));
  aclmdlRITask tasks[3] = {};
  count = 3;
  ASSERT_OK(aclmdlRIGetTasksByStream(lane, tasks, &count));
  ASSERT_OK(aclmdlRITaskDisable(tasks[1]));
  RunTimes(made.instance, stream);
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{2, 0, 0}));
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(update, made.group));
  EXPECT_OK(cells.Count(2, update));
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(update));
  EXPECT_OK(aclrtSynchronizeStream(update));
  RunTimes(made.instance, stream);
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{4, 0, 1}));
}

TEST(aclmdlRICaptureTaskUpdateEnd, ARunInsideItselfFails) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream(), update = session.Stream();
  const aclmdlRI inner = Captured(stream, [&] { EXPECT_OK(cells.Count(0, stream)); });
  aclrtTaskGrp group = nullptr;
  const aclmdlRI outer = Captured(stream, [&] {
    EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream));
    EXPECT_OK(aclmdlRIExecuteAsync(inner, stream));
    EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream, &group));
    EXPECT_OK(cells.Count(0, stream));
  });
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(update, group));
  EXPECT_OK(aclmdlRIExecuteAsync(outer, update));
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(update));
  EXPECT_OK(aclrtSynchronizeStream(update));
  for (int i = 1; i < 3; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(outer, stream));
    EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, aclrtSynchronizeStream(stream));
    EXPECT_EQ(cells[0], i);
  }
}

// As torch_npu does: the run is queued first and waits for the update.
TEST(aclmdlRICaptureTaskUpdateBegin, WorksWhileARunWaitsForIt) {
  const Session session;
  const Cells cells(3);
  const aclrtStream stream = session.Stream(), update = session.Stream();
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_EXTERNAL));
  aclrtTaskGrp group = nullptr;
  const aclmdlRI instance = Captured(stream, [&] {
    EXPECT_OK(aclrtStreamWaitEvent(stream, event));
    EXPECT_OK(aclrtResetEvent(event, stream));
    EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream));
    EXPECT_OK(cells.Count(0, stream));
    EXPECT_OK(aclmdlRICaptureTaskGrpEnd(stream, &group));
  });
  for (int round = 0; round < 4; ++round) {
    EXPECT_OK(aclmdlRIExecuteAsync(instance, stream));
    EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(update, group));
    EXPECT_OK(cells.Count(round % 2 == 0 ? 1 : 2, update));
    EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(update));
    EXPECT_OK(aclrtRecordEvent(event, update));
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{0, 2, 2}));
}

TEST(aclmdlRICaptureTaskUpdateEnd, RefusesOtherCalls) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream(), update = session.Stream();
  const Grouped made = Capture(cells, stream);
  const auto try_update = [&](const auto& queue) {
    EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(update, made.group));
    queue();
    return aclmdlRICaptureTaskUpdateEnd(update);
  };
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_UPDATE_FAILED, try_update([] {}));
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_UPDATE_FAILED, try_update([&] {
                 EXPECT_OK(cells.Count(0, update));
                 EXPECT_OK(cells.Count(0, update));
               }));
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_UPDATE_FAILED, try_update([&] { EXPECT_OK(cells.Copy(0, 1, update)); }));
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_UPDATE_FAILED, try_update([&] {
                 EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_INTR, aclrtRecordEvent(session.Event(), update));
                 EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclrtSynchronizeStream(update));
               }));
  RunTimes(made.instance, stream);
  EXPECT_EQ(cells.Read(), (std::vector<std::int32_t>{2, 1}));
  EXPECT_OK(cells.Count(0, update));
  EXPECT_OK(aclrtSynchronizeStream(update));
}

TEST(aclmdlRICaptureTaskGrpBegin, IsPairedWithItsEnd) {
  const Session session;
  const Cells cells(1);
  const aclrtStream stream = session.Stream();
  aclrtTaskGrp group = nullptr;
  aclmdlRI instance = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, aclmdlRICaptureTaskGrpBegin(stream));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, aclmdlRICaptureTaskGrpEnd(stream, &group));
  EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_STATUS, aclmdlRICaptureTaskUpdateEnd(stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICaptureTaskUpdateBegin(stream, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICaptureTaskUpdateBegin(stream, stream));
  EXPECT_OK(aclmdlRICaptureBegin(stream, kGlobal));
  EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_STATUS, aclmdlRICaptureTaskGrpEnd(stream, &group));
  EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream));
  EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_STATUS, aclmdlRICaptureTaskGrpBegin(stream));
  EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_INTR, aclrtRecordEvent(session.Event(), stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICaptureTaskGrpEnd(stream, nullptr));
  EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_INTR, aclmdlRICaptureEnd(stream, &instance));
  EXPECT_EQ(StatusOf(stream), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
}

TEST(aclmdlRICaptureTaskUpdateBegin, NeedsALiveGroupAndAFreeStream) {
  const Session session;
  const Cells cells(2);
  const aclrtStream stream = session.Stream(), other = session.Stream();
  const Grouped made = Capture(cells, stream);
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(stream, made.group));
  EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_STATUS, aclmdlRICaptureTaskUpdateBegin(stream, made.group));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclmdlRICaptureBegin(stream, kRelaxed));
  EXPECT_OK(cells.Count(1, stream));
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(stream));
  EXPECT_OK(aclmdlRICaptureBegin(other, kRelaxed));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclmdlRICaptureTaskUpdateBegin(other, made.group));
  aclmdlRI second = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(other, &second));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclmdlRIDestroy(made.instance));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICaptureTaskUpdateBegin(stream, made.group));
}

}  // namespace
