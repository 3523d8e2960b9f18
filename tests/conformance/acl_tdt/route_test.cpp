// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <thread>
#include <utility>
#include <vector>

#include "conformance/acl_tdt/queue_fixture.h"

namespace {

class RouteTest : public QueueFixture {
 protected:
  using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

  static acltdtQueueRouteList* List(const Pairs& pairs) {
    acltdtQueueRouteList* const list = acltdtCreateQueueRouteList();
    for (const auto& [source, target] : pairs) {
      acltdtQueueRoute* const route = acltdtCreateQueueRoute(source, target);
      EXPECT_OK(acltdtAddQueueRoute(list, route));
      EXPECT_OK(acltdtDestroyQueueRoute(route));
    }
    return list;
  }
  static aclError Bind(const Pairs& pairs) {
    acltdtQueueRouteList* const list = List(pairs);
    const aclError code = acltdtBindQueueRoutes(list);
    EXPECT_OK(acltdtDestroyQueueRouteList(list));
    return code;
  }
  static void Unbind(const Pairs& pairs) {
    acltdtQueueRouteList* const list = List(pairs);
    EXPECT_OK(acltdtUnbindQueueRoutes(list));
    EXPECT_OK(acltdtDestroyQueueRouteList(list));
  }
  static int32_t StatusOf(acltdtQueueRoute* route) {
    int32_t status = -1;
    size_t written = 0;
    EXPECT_OK(acltdtGetQueueRouteParam(route, ACL_TDT_QUEUE_ROUTE_STATUS_INT32, 4, &written, &status));
    return status;
  }
  static int32_t StatusIn(acltdtQueueRouteList* list, size_t index) {
    acltdtQueueRoute* const route = acltdtCreateQueueRoute(0, 0);
    EXPECT_OK(acltdtGetQueueRoute(list, index, route));
    const int32_t status = StatusOf(route);
    EXPECT_OK(acltdtDestroyQueueRoute(route));
    return status;
  }
  // The routes a query finds.
  static Pairs Query(acltdtQueueRouteQueryMode mode, uint32_t source, uint32_t target) {
    acltdtQueueRouteQueryInfo* const info = acltdtCreateQueueRouteQueryInfo();
    acltdtQueueRouteList* const list = acltdtCreateQueueRouteList();
    EXPECT_OK(acltdtSetQueueRouteQueryInfo(info, ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM, sizeof(mode), &mode));
    EXPECT_OK(acltdtSetQueueRouteQueryInfo(info, ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, 4, &source));
    EXPECT_OK(acltdtSetQueueRouteQueryInfo(info, ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32, 4, &target));
    EXPECT_OK(acltdtQueryQueueRoutes(info, list));
    Pairs pairs(acltdtGetQueueRouteNum(list));
    acltdtQueueRoute* const route = acltdtCreateQueueRoute(0, 0);
    for (size_t i = 0; i < pairs.size(); ++i) {
      size_t written = 0;
      EXPECT_OK(acltdtGetQueueRoute(list, i, route));
      EXPECT_OK(
          acltdtGetQueueRouteParam(route, ACL_TDT_QUEUE_ROUTE_SRC_UINT32, 4, &written, &pairs[i].first));
      EXPECT_OK(
          acltdtGetQueueRouteParam(route, ACL_TDT_QUEUE_ROUTE_DST_UINT32, 4, &written, &pairs[i].second));
    }
    EXPECT_OK(acltdtDestroyQueueRoute(route));
    EXPECT_OK(acltdtDestroyQueueRouteList(list));
    EXPECT_OK(acltdtDestroyQueueRouteQueryInfo(info));
    return pairs;
  }
};

TEST_F(RouteTest, PassesOnWhatComes) {
  const uint32_t from = Queue(2), to = Queue(2);
  EXPECT_OK(acltdtEnqueue(from, Buffer("before"), 0));
  acltdtQueueRoute* const route = acltdtCreateQueueRoute(from, to);
  acltdtQueueRouteList* const list = List({{from, to}});
  EXPECT_EQ(StatusOf(route), ACL_TDT_QUEUE_ROUTE_UNBIND);
  EXPECT_OK(acltdtBindQueueRoutes(list));
  EXPECT_EQ(StatusOf(route), ACL_TDT_QUEUE_ROUTE_BIND);
  EXPECT_EQ(StatusIn(list, 0), ACL_TDT_QUEUE_ROUTE_BIND);
  EXPECT_OK(acltdtBindQueueRoutes(list));  // again
  EXPECT_OK(acltdtEnqueue(from, Buffer("after"), 0));
  EXPECT_EQ(Take(to), "before");
  EXPECT_EQ(Take(to), "after");
  EXPECT_OK(acltdtUnbindQueueRoutes(list));
  EXPECT_EQ(StatusOf(route), ACL_TDT_QUEUE_ROUTE_UNBIND);
  EXPECT_EQ(StatusIn(list, 0), ACL_TDT_QUEUE_ROUTE_UNBIND);
  EXPECT_OK(acltdtEnqueue(from, Buffer("stays"), 0));
  EXPECT_EQ(Take(to), "");
  EXPECT_EQ(Take(from), "stays");
  EXPECT_OK(acltdtDestroyQueueRoute(route));
  EXPECT_OK(acltdtDestroyQueueRouteList(list));
}

TEST_F(RouteTest, FillsBothQueuesBeforeItIsFull) {
  const uint32_t from = Queue(1), to = Queue(1);
  EXPECT_OK(Bind({{from, to}}));
  EXPECT_OK(acltdtEnqueue(from, Buffer("1"), 0));
  EXPECT_OK(acltdtEnqueue(from, Buffer("2"), 0));
  acltdtBuf const third = Buffer("3");
  EXPECT_EQ(acltdtEnqueue(from, third, 0), ACL_ERROR_RT_QUEUE_FULL);
  EXPECT_EQ(Take(to), "1");  // makes room for the next
  EXPECT_OK(acltdtEnqueue(from, third, 0));
  EXPECT_EQ(Take(to), "2");
  EXPECT_EQ(Take(to), "3");
}

TEST_F(RouteTest, GoesThroughSeveralQueuesAndGathers) {
  const uint32_t a = Queue(2), b = Queue(2), middle = Queue(1), end = Queue(1);
  EXPECT_OK(Bind({{middle, end}, {a, middle}, {b, middle}}));
  for (const char* text : {"1", "2", "3"})
    EXPECT_OK(acltdtEnqueue(a, Buffer(text), 0));
  EXPECT_OK(acltdtEnqueue(b, Buffer("b"), 0));
  std::vector<std::string> got;
  for (int i = 0; i < 4; ++i)
    got.push_back(Take(end));
  std::sort(got.begin(), got.end());
  EXPECT_EQ(got, (std::vector<std::string>{"1", "2", "3", "b"}));
}

TEST_F(RouteTest, GivesEachTargetABufferOfItsOwn) {
  const uint32_t from = Queue(1), left = Queue(1), right = Queue(1);
  EXPECT_OK(Bind({{from, left}, {from, right}}));
  acltdtBuf const head = Buffer("head");
  EXPECT_OK(acltdtAppendBufChain(head, Buffer("tail")));
  EXPECT_OK(acltdtEnqueue(from, head, 0));
  acltdtBuf at_left = nullptr, at_right = nullptr, tail = nullptr;
  ASSERT_OK(acltdtDequeue(left, &at_left, 0));
  ASSERT_OK(acltdtDequeue(right, &at_right, 0));
  EXPECT_NE(at_left, at_right);
  EXPECT_OK(acltdtFreeBuf(at_left));
  EXPECT_EQ(TextOf(at_right), "head");
  EXPECT_OK(acltdtGetBufFromChain(at_right, 1, &tail));
  EXPECT_EQ(TextOf(tail), "tail");
  EXPECT_OK(acltdtFreeBuf(at_right));
}

TEST_F(RouteTest, WaitsForTheSlowestTarget) {
  const uint32_t from = Queue(1), left = Queue(1), right = Queue(1);
  EXPECT_OK(Bind({{from, left}, {from, right}}));
  EXPECT_OK(acltdtEnqueue(from, Buffer("1"), 0));
  EXPECT_OK(acltdtEnqueue(from, Buffer("2"), 0));
  EXPECT_EQ(Take(left), "1");
  EXPECT_EQ(Take(left), "") << "the other one is full";
  EXPECT_EQ(Take(right), "1");
  EXPECT_EQ(Take(left), "2");
  EXPECT_EQ(Take(right), "2");
}

TEST_F(RouteTest, CarriesBetweenThreads) {
  const uint32_t from = Queue(1), middle = Queue(1), to = Queue(1);
  EXPECT_OK(Bind({{from, middle}, {middle, to}}));
  std::thread sender([&] {
    for (int i = 0; i < 500; ++i)
      EXPECT_OK(acltdtEnqueue(from, Buffer(std::to_string(i)), -1));
  });
  for (int i = 0; i < 500; ++i)
    ASSERT_EQ(Take(to, -1), std::to_string(i));
  sender.join();
}

TEST_F(RouteTest, RefusesCirclesAndUnknownQueues) {
  const uint32_t a = Queue(1), b = Queue(1), c = Queue(1);
  EXPECT_OK(Bind({{a, b}, {b, c}}));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, Bind({{c, a}}));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, Bind({{a, a}}));
  const uint32_t d = Queue(1);
  acltdtQueueRouteList* const list = List({{a, 7777}, {a, d}});
  EXPECT_FAILS(ACL_ERROR_INVALID_QUEUE_ID, acltdtBindQueueRoutes(list));
  EXPECT_EQ(StatusIn(list, 0), ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL);
  EXPECT_EQ(StatusIn(list, 1), ACL_TDT_QUEUE_ROUTE_BIND) << "each one is tried";
  EXPECT_OK(acltdtDestroyQueueRouteList(list));
}

TEST_F(RouteTest, IsAbnormalOnceAnEndIsGone) {
  const uint32_t from = Queue(1), to = Queue(1), other = Queue(1);
  EXPECT_OK(Bind({{from, to}, {from, other}}));
  End(to);
  EXPECT_EQ(Query(ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL, 0, 0), (Pairs{{from, to}}));
  acltdtQueueRoute* const route = acltdtCreateQueueRoute(from, to);
  EXPECT_EQ(StatusOf(route), ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL);
  EXPECT_OK(acltdtDestroyQueueRoute(route));
  EXPECT_OK(acltdtEnqueue(from, Buffer("1"), 0));
  EXPECT_EQ(Take(other), "1") << "the other route goes on";
  Unbind({{from, to}});
  EXPECT_EQ(Query(ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL, 0, 0), Pairs{});
  End(from);
  Unbind({{from, other}});
}

TEST_F(RouteTest, IsFoundBySourceAndTarget) {
  const uint32_t a = Queue(1), b = Queue(1), c = Queue(1);
  EXPECT_OK(Bind({{a, b}, {a, c}, {b, c}}));
  EXPECT_EQ(Query(ACL_TDT_QUEUE_ROUTE_QUERY_SRC, a, 0), (Pairs{{a, b}, {a, c}}));
  EXPECT_EQ(Query(ACL_TDT_QUEUE_ROUTE_QUERY_DST, 0, c), (Pairs{{a, c}, {b, c}}));
  EXPECT_EQ(Query(ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST, b, c), (Pairs{{b, c}}));
  EXPECT_EQ(Query(ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST, c, a), Pairs{});
  EXPECT_EQ(Query(ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL, 0, 0), Pairs{});
  Unbind({{a, b}, {a, c}, {b, c}, {c, a}});
}

TEST_F(RouteTest, RefusesWhatIsNoneOfItsObjects) {
  acltdtQueueRoute* const route = acltdtCreateQueueRoute(1, 2);
  acltdtQueueRouteList* const list = acltdtCreateQueueRouteList();
  acltdtQueueRouteQueryInfo* const info = acltdtCreateQueueRouteQueryInfo();
  uint32_t value = 0;
  size_t written = 0;
  const auto kSource = ACL_TDT_QUEUE_ROUTE_SRC_UINT32;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetQueueRouteParam(nullptr, kSource, 4, &written, &value));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetQueueRouteParam(route, kSource, 2, &written, &value));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetQueueRouteParam(route, kSource, 4, nullptr, &value));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetQueueRouteParam(route, kSource, 4, &written, nullptr));
  EXPECT_FAILS(
      ACL_ERROR_INVALID_PARAM,
      acltdtGetQueueRouteParam(route, static_cast<acltdtQueueRouteParamType>(3), 4, &written, &value));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtAddQueueRoute(nullptr, route));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtAddQueueRoute(list, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetQueueRoute(list, 0, route));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetQueueRoute(nullptr, 0, route));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtGetQueueRoute(list, 0, nullptr));
  EXPECT_EQ(acltdtGetQueueRouteNum(nullptr), 0u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtBindQueueRoutes(nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtUnbindQueueRoutes(nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtQueryQueueRoutes(nullptr, list));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtQueryQueueRoutes(info, nullptr));
  const auto kMode = ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM;
  value = 3;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSetQueueRouteQueryInfo(info, kMode, 4, &value));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSetQueueRouteQueryInfo(info, kMode, 1, &value));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSetQueueRouteQueryInfo(info, kMode, 4, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSetQueueRouteQueryInfo(nullptr, kMode, 4, &value));
  EXPECT_FAILS(
      ACL_ERROR_INVALID_PARAM,
      acltdtSetQueueRouteQueryInfo(info, static_cast<acltdtQueueRouteQueryInfoParamType>(3), 4, &value));
  EXPECT_OK(acltdtDestroyQueueRoute(route));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDestroyQueueRoute(route));
  EXPECT_OK(acltdtDestroyQueueRouteList(list));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDestroyQueueRouteList(list));
  EXPECT_OK(acltdtDestroyQueueRouteQueryInfo(info));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDestroyQueueRouteQueryInfo(info));
}

}  // namespace
