// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Conditions inside captures: IF, WHILE and SWITCH with children.
#include <array>

#include "conformance/acl_rt/built_model.h"

namespace {

constexpr auto kRelaxed = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
constexpr auto kAssign = ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT;
constexpr auto kKeep = static_cast<aclmdlRICondHandleFlag>(0);

// A capture that goes on, and conditions in it.
class Capturing {
 public:
  explicit Capturing(aclrtStream stream) : stream_(stream) {
    EXPECT_OK(aclmdlRICaptureBegin(stream, kRelaxed));
    Look();
  }
  // Into a child.
  Capturing(aclrtStream stream, aclmdlRI child) : stream_(stream), is_child_(true) {
    EXPECT_OK(aclmdlRICaptureToModelRIBegin(stream, child, kRelaxed));
    Look();
  }
  aclrtStream stream() const { return stream_; }
  aclmdlRI model() const { return model_; }
  aclmdlRICondHandle Handle(std::uint32_t value, aclmdlRICondHandleFlag flag = kAssign) const {
    aclmdlRICondHandle handle = nullptr;
    EXPECT_OK(aclmdlRICondHandleCreate(model_, value, flag, &handle));
    return handle;
  }
  template <std::size_t kCount>
  std::array<aclmdlRI, kCount> Add(aclmdlRICondHandle handle, aclmdlRICondTaskType type) const {
    std::array<aclmdlRI, kCount> children{};
    EXPECT_OK(aclmdlRIAddCondTask({handle, type, kCount, children.data()}, stream_, 0));
    for (const aclmdlRI child : children)
      EXPECT_NE(child, nullptr);
    return children;
  }
  aclmdlRI End() {
    aclmdlRI model = nullptr;
    EXPECT_OK(aclmdlRICaptureEnd(stream_, &model));
    EXPECT_EQ(model, model_);
    return model;
  }

 private:
  void Look() {
    aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
    EXPECT_OK(aclmdlRICaptureGetInfo(stream_, &status, &model_));
    EXPECT_EQ(status, ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
  }

  aclrtStream stream_;
  aclmdlRI model_ = nullptr;
  bool is_child_ = false;
};

std::uint64_t* CellOf(aclmdlRICondHandle handle) {
  std::uint64_t* cell = nullptr;
  EXPECT_OK(aclmdlRICondHandleGetCondPtr(handle, &cell));
  EXPECT_NE(cell, nullptr);
  return cell;
}

// Captures one addition into a child.
void FillWithAdd(const Session& session, aclmdlRI child, const Number& sum, const Number& summand) {
  const aclrtStream stream = session.Stream();
  Capturing capture(stream, child);
  sum.Add(summand, stream);
  capture.End();
}

void CopyCell(std::uint64_t* to, const Number& from, aclrtStream stream) {
  EXPECT_OK(aclrtMemcpyAsync(to, 4, from.get(), 4, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
}

void ExecuteOn(aclmdlRI model, aclrtStream stream) {
  EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

}  // namespace

TEST(aclmdlRIAddCondTask, RunsTheChildOfAnIfWhenItsValueIsNotZero) {
  const Session session;
  const aclrtStream stream = session.Stream();
  Capturing capture(stream);
  const aclmdlRICondHandle handle = capture.Handle(0);
  const Number value, sum, one(1), ten(10), hundred(100);
  CopyCell(CellOf(handle), value, stream);
  const auto children = capture.Add<2>(handle, ACL_MODEL_RI_COND_TYPE_IF);
  FillWithAdd(session, children[0], sum, one);
  FillWithAdd(session, children[1], sum, ten);
  sum.Add(hundred, stream);
  const aclmdlRI model = capture.End();
  EXPECT_EQ(sum.Get(), 0);
  for (const int chosen : {0, 1, 5, 0}) {
    value.Set(chosen);
    sum.Set(0);
    ExecuteOn(model, stream);
    EXPECT_EQ(sum.Get(), 100 + (chosen != 0 ? 1 : 10)) << chosen;
  }
  EXPECT_OK(aclmdlRIDestroy(model));
}

TEST(aclmdlRIAddCondTask, RunsNothingForAnIfWithoutElse) {
  const Session session;
  const aclrtStream stream = session.Stream();
  Capturing capture(stream);
  const aclmdlRICondHandle handle = capture.Handle(0);
  const Number sum, one(1);
  const auto children = capture.Add<1>(handle, ACL_MODEL_RI_COND_TYPE_IF);
  FillWithAdd(session, children[0], sum, one);
  const aclmdlRI model = capture.End();
  ExecuteOn(model, stream);
  EXPECT_EQ(sum.Get(), 0);
}

TEST(aclmdlRIAddCondTask, ChoosesTheChildOfASwitchByItsValue) {
  const Session session;
  const aclrtStream stream = session.Stream();
  Capturing capture(stream);
  const aclmdlRICondHandle handle = capture.Handle(0);
  const Number value, sum, one(1), ten(10), hundred(100);
  CopyCell(CellOf(handle), value, stream);
  const auto children = capture.Add<3>(handle, ACL_MODEL_RI_COND_TYPE_SWITCH);
  FillWithAdd(session, children[0], sum, one);
  FillWithAdd(session, children[1], sum, ten);
  FillWithAdd(session, children[2], sum, hundred);
  const aclmdlRI model = capture.End();
  const int sums[] = {1, 10, 100, 0, 0};
  for (int i = 0; i < 5; ++i) {
    value.Set(i);
    sum.Set(0);
    ExecuteOn(model, stream);
    EXPECT_EQ(sum.Get(), sums[i]) << i;
  }
}

TEST(aclmdlRIAddCondTask, RepeatsTheChildOfAWhileUntilItsTasksMakeTheValueZero) {
  const Session session;
  const aclrtStream stream = session.Stream(), inner = session.Stream();
  const Number count(25), left, minus(-1), sum, one(1);
  Capturing capture(stream);
  const aclmdlRICondHandle handle = capture.Handle(1);
  left.Assign(count, stream);
  CopyCell(CellOf(handle), left, stream);
  const auto children = capture.Add<1>(handle, ACL_MODEL_RI_COND_TYPE_WHILE);
  Capturing child(inner, children[0]);
  sum.Add(one, inner);
  left.Add(minus, inner);
  CopyCell(CellOf(handle), left, inner);
  EXPECT_EQ(child.End(), children[0]);
  const aclmdlRI model = capture.End();
  for (const int times : {25, 0, 1}) {
    count.Set(times);
    sum.Set(0);
    ExecuteOn(model, stream);
    EXPECT_EQ(sum.Get(), times);
  }
}

TEST(aclmdlRIAddCondTask, NestsConditions) {
  const Session session;
  const aclrtStream stream = session.Stream(), middle = session.Stream(), inner = session.Stream();
  const Number rows(3), columns(4), row, column, minus(-1), sum, one(1);
  Capturing capture(stream);
  const aclmdlRICondHandle outer_handle = capture.Handle(1);
  row.Assign(rows, stream);
  CopyCell(CellOf(outer_handle), row, stream);
  const auto outer = capture.Add<1>(outer_handle, ACL_MODEL_RI_COND_TYPE_WHILE);
  Capturing child(middle, outer[0]);
  const aclmdlRICondHandle inner_handle = child.Handle(1);
  column.Assign(columns, middle);
  CopyCell(CellOf(inner_handle), column, middle);
  const auto nested = child.Add<1>(inner_handle, ACL_MODEL_RI_COND_TYPE_WHILE);
  Capturing grandchild(inner, nested[0]);
  sum.Add(one, inner);
  column.Add(minus, inner);
  CopyCell(CellOf(inner_handle), column, inner);
  grandchild.End();
  row.Add(minus, middle);
  CopyCell(CellOf(outer_handle), row, middle);
  child.End();
  const aclmdlRI model = capture.End();
  ExecuteOn(model, stream);
  EXPECT_EQ(sum.Get(), 12);
  ExecuteOn(model, stream);
  EXPECT_EQ(sum.Get(), 24);
  EXPECT_OK(aclmdlRIDestroy(model));
}

TEST(aclmdlRIAddCondTask, CallsFunctionsOfTheProgramInsideChildren) {
  const Session session;
  const aclrtStream stream = session.Stream(), inner = session.Stream();
  Capturing capture(stream);
  const aclmdlRICondHandle handle = capture.Handle(1);
  const auto children = capture.Add<1>(handle, ACL_MODEL_RI_COND_TYPE_IF);
  Capturing child(inner, children[0]);
  std::atomic<int> calls{0};
  ASSERT_OK(aclrtLaunchHostFunc(
      inner, [](void* count) { static_cast<std::atomic<int>*>(count)->fetch_add(1); }, &calls));
  child.End();
  const aclmdlRI model = capture.End();
  ExecuteOn(model, stream);
  ExecuteOn(model, stream);
  EXPECT_EQ(calls, 2);
}

TEST(aclmdlRIAddCondTask, TellsTheStreamWhatFailedInsideAChild) {
  const Session session;
  const aclrtStream stream = session.Stream(), inner = session.Stream();
  void* gone = nullptr;
  ASSERT_OK(aclrtMalloc(&gone, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  for (const auto type : {ACL_MODEL_RI_COND_TYPE_IF, ACL_MODEL_RI_COND_TYPE_WHILE}) {
    Capturing capture(stream);
    const aclmdlRICondHandle handle = capture.Handle(1);
    const auto children = capture.Add<1>(handle, type);
    Capturing child(inner, children[0]);
    ASSERT_OK(aclrtMemsetAsync(gone, 64, 0, 64, inner));
    ASSERT_OK(aclrtValueWrite(CellOf(handle), 0, 0, inner));
    child.End();
    const aclmdlRI model = capture.End();
    ExecuteOn(model, stream);
    ASSERT_OK(aclrtFree(gone));
    ASSERT_OK(aclmdlRIExecuteAsync(model, stream));
    EXPECT_FAILS(ACL_ERROR_RT_SYS_DMA, aclrtSynchronizeStream(stream));
    ASSERT_OK(aclrtMalloc(&gone, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclmdlRIDestroy(model));
  }
}

// The value never changes: only the failure ends it.
TEST(aclmdlRIAddCondTask, LeavesAWhileWhoseChildFails) {
  const Session session;
  const aclrtStream stream = session.Stream(), inner = session.Stream();
  void* gone = nullptr;
  ASSERT_OK(aclrtMalloc(&gone, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  Capturing capture(stream);
  const aclmdlRICondHandle handle = capture.Handle(1);
  const auto children = capture.Add<1>(handle, ACL_MODEL_RI_COND_TYPE_WHILE);
  Capturing child(inner, children[0]);
  ASSERT_OK(aclrtMemsetAsync(gone, 64, 0, 64, inner));
  child.End();
  const aclmdlRI model = capture.End();
  ASSERT_OK(aclrtFree(gone));
  ASSERT_OK(aclmdlRIExecuteAsync(model, stream));
  EXPECT_FAILS(ACL_ERROR_RT_SYS_DMA, aclrtSynchronizeStream(stream));
}

TEST(aclmdlRIAddCondTask, RunsNothingForAnEmptyChild) {
  const Session session;
  const aclrtStream stream = session.Stream();
  for (const auto type : {ACL_MODEL_RI_COND_TYPE_IF, ACL_MODEL_RI_COND_TYPE_WHILE}) {
    Capturing capture(stream);
    capture.Add<1>(capture.Handle(1), type);
    const aclmdlRI model = capture.End();
    ASSERT_OK(aclmdlRIExecuteAsync(model, stream));
    if (type == ACL_MODEL_RI_COND_TYPE_IF) {
      EXPECT_OK(aclrtSynchronizeStream(stream));
    } else {
      EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, aclrtSynchronizeStream(stream));
    }
  }
}

TEST(aclmdlRIAddCondTask, RefusesBadArguments) {
  const Session session;
  const aclrtStream stream = session.Stream(), idle = session.Stream();
  Capturing capture(stream);
  const aclmdlRICondHandle handle = capture.Handle(0);
  aclmdlRI children[3] = {};
  const auto add = [&](aclmdlRICondHandle of, int type, uint32_t size, aclmdlRI* to, aclrtStream on,
                       uint32_t flags) {
    return aclmdlRIAddCondTask({of, static_cast<aclmdlRICondTaskType>(type), size, to}, on, flags);
  };
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, add(nullptr, 0, 1, children, stream, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, add(stream, 0, 1, children, stream, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, add(handle, 3, 1, children, stream, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, add(handle, 0, 0, children, stream, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, add(handle, 2, 0, children, stream, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, add(handle, 0, 1, nullptr, stream, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, add(handle, 0, 1, children, stream, 1));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, add(handle, 0, 1, children, idle, 0));
  Capturing other(idle);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, add(handle, 0, 1, children, idle, 0));  // of another capture
  EXPECT_EQ(children[0], nullptr);
  other.End();
  capture.End();
}

TEST(aclmdlRIDestroy, IsNotForChildren) {
  const Session session;
  const aclrtStream stream = session.Stream();
  Capturing capture(stream);
  const aclmdlRICondHandle handle = capture.Handle(0);
  const auto children = capture.Add<1>(handle, ACL_MODEL_RI_COND_TYPE_IF);
  const aclmdlRI model = capture.End();
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIDestroy(children[0]));
  EXPECT_OK(aclmdlRIDestroy(model));
  uint32_t id = 0;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIGetId(children[0], &id));
  std::uint64_t* cell = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICondHandleGetCondPtr(handle, &cell));
}

TEST(aclmdlRICondHandleCreate, KeepsOrAssignsItsDefaultAtEachRun) {
  const Session session;
  const aclrtStream stream = session.Stream(), inner = session.Stream();
  for (const auto flag : {kAssign, kKeep}) {
    const Number sum, one(1);
    Capturing capture(stream);
    const aclmdlRICondHandle handle = capture.Handle(1, flag);
    const auto children = capture.Add<1>(handle, ACL_MODEL_RI_COND_TYPE_IF);
    Capturing child(inner, children[0]);
    sum.Add(one, inner);
    ASSERT_OK(aclrtValueWrite(CellOf(handle), 0, 0, inner));
    child.End();
    const aclmdlRI model = capture.End();
    for (int run = 0; run < 3; ++run)
      ExecuteOn(model, stream);
    EXPECT_EQ(sum.Get(), flag == kAssign ? 3 : 1);
    EXPECT_OK(aclmdlRIDestroy(model));
  }
}

TEST(aclmdlRICondHandleCreate, RefusesBadArguments) {
  const Session session;
  const aclrtStream stream = session.Stream();
  Capturing capture(stream);
  aclmdlRICondHandle handle = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICondHandleCreate(nullptr, 0, kAssign, &handle));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICondHandleCreate(stream, 0, kAssign, &handle));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICondHandleCreate(capture.model(), 0, kAssign, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclmdlRICondHandleCreate(capture.model(), 0, static_cast<aclmdlRICondHandleFlag>(2), &handle));
  handle = capture.Handle(0);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICondHandleGetCondPtr(handle, nullptr));
  std::uint64_t* cell = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICondHandleGetCondPtr(nullptr, &cell));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRICondHandleGetCondPtr(stream, &cell));
  capture.End();
}

TEST(aclmdlRIAbort, EndsALoopWithoutEnd) {
  const Session session;
  const aclrtStream stream = session.Stream(), inner = session.Stream();
  const Number sum, one(1);
  Capturing capture(stream);
  const auto children = capture.Add<1>(capture.Handle(1), ACL_MODEL_RI_COND_TYPE_WHILE);
  Capturing child(inner, children[0]);
  std::atomic<int> rounds{0};
  sum.Add(one, inner);
  ASSERT_OK(aclrtLaunchHostFunc(
      inner, [](void* count) { static_cast<std::atomic<int>*>(count)->fetch_add(1); }, &rounds));
  child.End();
  const aclmdlRI model = capture.End();
  for (int run = 0; run < 3; ++run) {
    const int before = rounds;
    ASSERT_OK(aclmdlRIExecuteAsync(model, stream));
    EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(stream, 1));
    while (rounds < before + 10)
      std::this_thread::yield();
    EXPECT_OK(aclmdlRIAbort(model));
    EXPECT_FAILS(ACL_ERROR_RT_MODEL_ABORT_NORMAL, aclrtSynchronizeStream(stream));
  }
  EXPECT_OK(aclmdlRIAbort(model)) << "nothing runs";
  EXPECT_OK(aclmdlRIDestroy(model));
}
