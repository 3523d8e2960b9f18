// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Streams of a model that start each other.
#include "conformance/acl_rt/built_model.h"

TEST(aclrtActiveStream, StartsAStreamBesideTheOther) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head(), activated = building.Activated(), idle = building.Activated();
  std::uint64_t* const cell = session.Cell(0);
  const Number sum, one(1), never;
  never.Add(one, idle);
  ASSERT_OK(aclrtValueWait(cell, 1, ACL_STREAM_WAIT_VALUE_EQ, activated));
  sum.Add(one, activated);
  ASSERT_OK(aclrtActiveStream(activated, head));
  ASSERT_OK(aclrtValueWrite(cell, 1, 0, head));  // goes on beside it
  const aclmdlRI model = building.End(activated);
  for (int run = 1; run <= 3; ++run) {
    Execute(model);
    EXPECT_EQ(sum.Get(), run);
  }
  EXPECT_EQ(never.Get(), 0) << "a stream that is never activated does not run";
}

TEST(aclrtActiveStream, RefusesStreamsOutsideOfOneModel) {
  const Session session;
  Building building, other;
  const aclrtStream head = building.Head(), foreign = other.Head(), unbound = StoredStream();
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclrtActiveStream(unbound, head));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclrtActiveStream(head, unbound));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_MODEL, aclrtActiveStream(foreign, head));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtActiveStream(nullptr, head));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtActiveStream(head, nullptr));
}

TEST(aclrtActiveStream, FailsTheRunIfTheStreamLeftTheModel) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head(), activated = building.Activated();
  ASSERT_OK(aclrtActiveStream(activated, head));
  const aclmdlRI model = building.End(head);
  Execute(model);
  ASSERT_OK(aclmdlRIUnbindStream(model, activated));
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_EXECUTE, aclmdlRIExecute(model, -1));
}

TEST(aclrtSwitchStream, ComparesInSixWays) {
  const Session session;
  const int values[] = {-1, 0, 1};
  for (int condition = ACL_RT_EQUAL; condition <= ACL_RT_LESS_OR_EQUAL; ++condition) {
    Building building;
    const aclrtStream head = building.Head(), chosen = building.Activated();
    const Number left, right(0), one(1), ten(10), sum;
    ASSERT_OK(aclrtSwitchStream(left.get(), static_cast<aclrtCondition>(condition), right.get(),
                                ACL_RT_SWITCH_INT32, chosen, nullptr, head));
    sum.Add(one, head);  // unless the other stream is chosen
    sum.Add(ten, chosen);
    ASSERT_OK(aclmdlRIEndTask(building.get(), chosen));
    const aclmdlRI model = building.End(head);
    for (const int value : values) {
      const bool holds[] = {value == 0, value != 0, value > 0, value >= 0, value < 0, value <= 0};
      left.Set(value);
      sum.Set(0);
      Execute(model);
      EXPECT_EQ(sum.Get(), holds[condition] ? 10 : 1) << value << " by condition " << condition;
    }
  }
}

TEST(aclrtSwitchStream, ComparesAllOf64Bits) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head(), chosen = building.Activated();
  std::uint64_t* const left = session.Cell(std::uint64_t{1} << 40);
  std::uint64_t* const right = session.Cell(0);
  const Number sum, one(1);
  ASSERT_OK(aclrtSwitchStream(left, ACL_RT_GREATER, right, ACL_RT_SWITCH_INT64, chosen, nullptr, head));
  sum.Add(one, chosen);
  Execute(building.End(chosen));
  EXPECT_EQ(sum.Get(), 1);
}

// while (i < n) { ++i; sum += i; }
TEST(aclrtSwitchStream, MakesLoopsThatEnd) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head(), body = building.Activated();
  const Number i, n(100), one(1), sum, zero;
  i.Assign(zero, head);
  sum.Assign(zero, head);
  ASSERT_OK(aclrtSwitchStream(i.get(), ACL_RT_LESS, n.get(), ACL_RT_SWITCH_INT32, body, nullptr, head));
  ASSERT_OK(aclmdlRIEndTask(building.get(), head));
  i.Add(one, body);
  sum.Add(i, body);
  ASSERT_OK(aclrtSwitchStream(i.get(), ACL_RT_LESS, n.get(), ACL_RT_SWITCH_INT32, body, nullptr, body));
  const aclmdlRI model = building.End(body);
  for (const int count : {100, 0, 7}) {
    n.Set(count);
    Execute(model);
    EXPECT_EQ(sum.Get(), count * (count + 1) / 2);
  }
}

// Two streams that hand the run to each other.
TEST(aclrtSwitchStream, StartsAStreamAgainThatHasEnded) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head(), other = building.Activated();
  const Number i, n(50), one(1);
  i.Add(one, head);
  ASSERT_OK(aclrtActiveStream(other, head));
  i.Add(one, other);
  ASSERT_OK(aclrtSwitchStream(i.get(), ACL_RT_LESS, n.get(), ACL_RT_SWITCH_INT32, head, nullptr, other));
  Execute(building.End(other));
  EXPECT_EQ(i.Get(), 50);
}

TEST(aclrtSwitchStream, RefusesWhatItCannotCompare) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head(), chosen = building.Activated();
  const Number value;
  std::int32_t host = 0;
  const auto switch_stream = [&](void* left, int condition, void* right, int type, aclrtStream otherwise) {
    return aclrtSwitchStream(left, static_cast<aclrtCondition>(condition), right,
                             static_cast<aclrtCompareDataType>(type), chosen, otherwise, head);
  };
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, switch_stream(value.get(), 6, value.get(), 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, switch_stream(value.get(), 0, value.get(), 2, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, switch_stream(nullptr, 0, value.get(), 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, switch_stream(value.get(), 0, &host, 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, switch_stream(value.get(), 0, value.get(), 0, chosen));
}

TEST(aclrtSwitchStream, FailsTheRunIfItsMemoryIsGone) {
  const Session session;
  Building building;
  const aclrtStream head = building.Head(), chosen = building.Activated();
  const Number value;
  ASSERT_OK(
      aclrtSwitchStream(value.get(), ACL_RT_EQUAL, value.get(), ACL_RT_SWITCH_INT32, chosen, nullptr, head));
  const aclmdlRI model = building.End(head);
  ASSERT_OK(aclrtFree(value.get()));
  EXPECT_FAILS(ACL_ERROR_RT_SYS_DMA, aclmdlRIExecute(model, -1));
}
