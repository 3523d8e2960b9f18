// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Labels in the streams of a model, and switches that go on at one of them.
#include <array>

#include "conformance/acl_rt/built_model.h"

namespace {

aclrtLabel NewLabel() {
  aclrtLabel label = nullptr;
  EXPECT_OK(aclrtCreateLabel(&label));
  return label;
}

template <std::size_t kCount>
aclrtLabelList ListOf(std::array<aclrtLabel, kCount> labels) {
  aclrtLabelList list = nullptr;
  EXPECT_OK(aclrtCreateLabelList(labels.data(), labels.size(), &list));
  return list;
}

}  // namespace

TEST(aclrtSwitchLabelByIndex, GoesOnAtTheLabelOfTheIndex) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  const aclrtLabel first = NewLabel(), second = NewLabel(), third = NewLabel();
  const aclrtLabelList list = ListOf(std::array{first, second, third});
  const Number index, sum, one(1), ten(10), hundred(100);
  ASSERT_OK(aclrtSwitchLabelByIndex(index.get(), 3, list, head));
  sum.Add(hundred, head);  // skipped
  ASSERT_OK(aclrtSetLabel(first, head));
  sum.Add(ten, head);
  ASSERT_OK(aclrtSetLabel(second, head));
  sum.Add(one, head);
  ASSERT_OK(aclrtSetLabel(third, head));
  const aclmdlRI model = building.End(head);
  // They are known to the model from here on.
  EXPECT_OK(aclrtDestroyLabelList(list));
  for (const aclrtLabel label : {first, second, third})
    EXPECT_OK(aclrtDestroyLabel(label));
  const int sums[] = {11, 1, 0, 0, 0};
  for (int i = 0; i < 5; ++i) {  // beyond the end is the last label
    index.Set(i == 4 ? -1 : i);
    sum.Set(0);
    Execute(model);
    EXPECT_EQ(sum.Get(), sums[i]) << i;
  }
}

TEST(aclrtSwitchLabelByIndex, HasAsManyLabelsAsItWasTold) {
  const Session session;
  for (const uint32_t count : {1u, 2u, 9u}) {
    Building building;
    const aclrtStream head = building.Head();
    const std::array labels{NewLabel(), NewLabel()};
    const Number index(1), sum, one(1);
    ASSERT_OK(aclrtSwitchLabelByIndex(index.get(), count, ListOf(labels), head));
    ASSERT_OK(aclrtSetLabel(labels[0], head));
    sum.Add(one, head);
    ASSERT_OK(aclrtSetLabel(labels[1], head));
    Execute(building.End(head));
    EXPECT_EQ(sum.Get(), count == 1 ? 1 : 0) << count;
  }
}

TEST(aclrtSwitchLabelByIndex, JumpsBackAndToOtherStreams) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head(), other = building.Activated();
  const std::array labels{NewLabel(), NewLabel()};
  const aclrtLabelList list = ListOf(labels);
  const Number minus(-1), steps(10), index(0), one(1), sum, far;
  // Adds one until the steps are done, then goes on in the middle of the other stream.
  ASSERT_OK(aclrtSetLabel(labels[0], head));
  sum.Add(one, head);
  steps.Add(minus, head);
  const Number zero(0);
  ASSERT_OK(
      aclrtSwitchStream(steps.get(), ACL_RT_EQUAL, zero.get(), ACL_RT_SWITCH_INT32, other, nullptr, head));
  ASSERT_OK(aclrtSwitchLabelByIndex(index.get(), 2, list, head));
  index.Assign(one, other);
  ASSERT_OK(aclrtSwitchLabelByIndex(index.get(), 2, list, other));
  far.Add(one, other);  // skipped
  ASSERT_OK(aclrtSetLabel(labels[1], other));
  far.Add(index, other);
  Execute(building.End(other));
  EXPECT_EQ(sum.Get(), 10);
  EXPECT_EQ(far.Get(), 1);

  Building across;
  const aclrtStream from = across.Head(), to = across.Activated();
  const aclrtLabel middle = NewLabel();
  const Number where, hundred(100), total;
  ASSERT_OK(aclrtSwitchLabelByIndex(where.get(), 1, ListOf(std::array{middle}), from));
  total.Add(hundred, from);
  total.Add(hundred, to);
  ASSERT_OK(aclrtSetLabel(middle, to));
  total.Add(one, to);
  const aclmdlRI model = across.End(to);
  Execute(model);
  Execute(model);
  EXPECT_EQ(total.Get(), 2);
}

TEST(aclrtSwitchLabelByIndex, FailsTheRunAtALabelThatWasNeverSet) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  const aclrtLabel set = NewLabel(), never = NewLabel();
  const Number index;
  ASSERT_OK(aclrtSwitchLabelByIndex(index.get(), 2, ListOf(std::array{set, never}), head));
  ASSERT_OK(aclrtSetLabel(set, head));
  const aclmdlRI model = building.End(head);
  Execute(model);
  index.Set(1);
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, aclmdlRIExecute(model, -1));
  index.Set(0);
  Execute(model);
}

TEST(aclrtSwitchLabelByIndex, RefusesBadArguments) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  const aclrtLabelList list = ListOf(std::array{NewLabel()});
  const Number index;
  uint32_t host = 0;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSwitchLabelByIndex(nullptr, 1, list, head));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSwitchLabelByIndex(&host, 1, list, head));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSwitchLabelByIndex(index.get(), 0, list, head));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSwitchLabelByIndex(index.get(), 1, nullptr, head));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtSwitchLabelByIndex(index.get(), 1, head, head));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSwitchLabelByIndex(index.get(), 1, list, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclrtSwitchLabelByIndex(index.get(), 1, list, session.Stream()));
}

TEST(aclrtSetLabel, RefusesBadArguments) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  const aclrtLabel label = NewLabel(), gone = NewLabel();
  ASSERT_OK(aclrtDestroyLabel(gone));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetLabel(nullptr, head));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtSetLabel(gone, head));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtSetLabel(head, head));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetLabel(label, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclrtSetLabel(label, StoredStream()));
  ASSERT_OK(aclrtSetLabel(label, head));
  ASSERT_OK(aclrtSetLabel(label, head));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclmdlRIBuildEnd(building.get(), nullptr));  // set twice
  ASSERT_OK(aclrtPersistentTaskClean(head));
  ASSERT_OK(aclrtSetLabel(label, head));
  EXPECT_OK(aclmdlRIBuildEnd(building.get(), nullptr));
}

TEST(aclrtCreateLabel, BelongsToAContext) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head();
  aclrtContext other = nullptr;
  ASSERT_OK(aclrtCreateContext(&other, 0));
  const aclrtLabel foreign = NewLabel();
  ASSERT_OK(aclrtSetCurrentContext(session.context()));
  EXPECT_FAILS(ACL_ERROR_RT_LABEL_CONTEXT, aclrtSetLabel(foreign, head));
  aclrtLabel labels[] = {foreign};
  aclrtLabelList list = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_LABEL_CONTEXT, aclrtCreateLabelList(labels, 1, &list));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateLabel(nullptr));
  std::thread([] {
    aclrtLabel label = nullptr;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, aclrtCreateLabel(&label));
  }).join();
}

TEST(aclrtCreateLabel, HasALimit) {
  const Session session;
  std::vector<aclrtLabel> labels;
  aclrtLabel label = nullptr;
  while (labels.size() < 70000 && aclrtCreateLabel(&label) == ACL_SUCCESS)
    labels.push_back(label);
  EXPECT_LE(labels.size(), 65535u);
  EXPECT_GT(labels.size(), 65000u) << "but for what other tests have left";
  EXPECT_FAILS(ACL_ERROR_RT_OVER_LIMIT, aclrtCreateLabel(&label));
  for (const aclrtLabel one : labels)
    EXPECT_OK(aclrtDestroyLabel(one));
  EXPECT_OK(aclrtDestroyLabel(NewLabel()));
}

TEST(aclrtCreateLabelList, RefusesBadArguments) {
  const Session session;
  aclrtLabel labels[] = {NewLabel(), nullptr};
  aclrtLabelList list = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateLabelList(nullptr, 1, &list));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateLabelList(labels, 1, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateLabelList(labels, 0, &list));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateLabelList(labels, 65536, &list));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateLabelList(labels, 2, &list));
  ASSERT_OK(aclrtCreateLabelList(labels, 1, &list));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtDestroyLabel(list));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtDestroyLabelList(labels[0]));
  EXPECT_OK(aclrtDestroyLabelList(list));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtDestroyLabelList(list));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtDestroyLabelList(nullptr));
  EXPECT_OK(aclrtDestroyLabel(labels[0]));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtDestroyLabel(labels[0]));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtDestroyLabel(nullptr));
}
