// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>

#include "acl/acl_tdt_queue.h"
#include "api/acl/attribute_value.h"
#include "api/guard.h"
#include "transfer/queue_objects.h"

using namespace foothold;

namespace {

// What is bound now says more than what a list or a query noted earlier.
RouteStatus StatusNow(const Route& route) {
  const RouteStatus bound = Queues::Get().StatusOf(route.source, route.target);
  return bound == RouteStatus::kUnbound ? route.status : bound;
}

void BindOne(Route& route, std::unique_ptr<Error>& first_failure) {
  try {
    Queues::Get().Bind(route.source, route.target);
    route.status = RouteStatus::kBound;
  } catch (...) {
    route.status = RouteStatus::kAbnormal;
    if (first_failure == nullptr) first_failure = std::make_unique<Error>(CurrentError());
  }
}

RouteQuery::Mode CheckMode(int32_t mode) {
  const auto known = static_cast<RouteQuery::Mode>(mode);
  switch (known) {
    case RouteQuery::Mode::kSource:
    case RouteQuery::Mode::kTarget:
    case RouteQuery::Mode::kBoth:
    case RouteQuery::Mode::kAbnormal:
      return known;
  }
  Fail(kInvalidParam,
       "the mode of a query must be 0 (source), 1 (target), 2 (both) or 100 (abnormal), not {}", mode);
}

}  // namespace

acltdtQueueRoute* acltdtCreateQueueRoute(uint32_t srcId, uint32_t dstId) {
  return GuardValue(FOOTHOLD_CALL(srcId, dstId), static_cast<acltdtQueueRoute*>(nullptr), [&] {
    return static_cast<acltdtQueueRoute*>(RouteObjects::Get().Add({srcId, dstId}));
  });
}

aclError acltdtDestroyQueueRoute(const acltdtQueueRoute* route) {
  return Guard(FOOTHOLD_CALL(route), [&] { RouteObjects::Get().Remove(route); });
}

aclError acltdtGetQueueRouteParam(const acltdtQueueRoute* route, acltdtQueueRouteParamType type, size_t len,
                                  size_t* paramRetSize, void* param) {
  return Guard(FOOTHOLD_CALL(route, type, len, paramRetSize, param), [&] {
    const Route& found = RouteObjects::Get().Find(route);
    switch (type) {
      case ACL_TDT_QUEUE_ROUTE_SRC_UINT32:
        return WriteAttribute(found.source, len, paramRetSize, param);
      case ACL_TDT_QUEUE_ROUTE_DST_UINT32:
        return WriteAttribute(found.target, len, paramRetSize, param);
      case ACL_TDT_QUEUE_ROUTE_STATUS_INT32:
        return WriteAttribute(static_cast<int32_t>(StatusNow(found)), len, paramRetSize, param);
    }
    Fail(kInvalidParam,
         "type must be from ACL_TDT_QUEUE_ROUTE_SRC_UINT32 (0) to ACL_TDT_QUEUE_ROUTE_STATUS_INT32 (2), not "
         "{}",
         static_cast<int>(type));
  });
}

acltdtQueueRouteList* acltdtCreateQueueRouteList(void) {
  return GuardValue(FOOTHOLD_CALL(), static_cast<acltdtQueueRouteList*>(nullptr),
                    [&] { return static_cast<acltdtQueueRouteList*>(RouteLists::Get().Add({})); });
}

aclError acltdtDestroyQueueRouteList(const acltdtQueueRouteList* routeList) {
  return Guard(FOOTHOLD_CALL(routeList), [&] { RouteLists::Get().Remove(routeList); });
}

aclError acltdtAddQueueRoute(acltdtQueueRouteList* routeList, const acltdtQueueRoute* route) {
  return Guard(FOOTHOLD_CALL(routeList, route), [&] {
    auto& routes = RouteLists::Get().Find(routeList);
    routes.push_back(RouteObjects::Get().Find(route));
  });
}

aclError acltdtGetQueueRoute(const acltdtQueueRouteList* routeList, size_t index, acltdtQueueRoute* route) {
  return Guard(FOOTHOLD_CALL(routeList, index, route), [&] {
    const auto& routes = RouteLists::Get().Find(routeList);
    Route& found = RouteObjects::Get().Find(route);
    if (index >= routes.size())
      Fail(kInvalidParam, "index is {}, but the list has {} routes", index, routes.size());
    found = routes[index];
  });
}

size_t acltdtGetQueueRouteNum(const acltdtQueueRouteList* routeList) {
  return GuardValue(FOOTHOLD_CALL(routeList), size_t{0},
                    [&] { return RouteLists::Get().Find(routeList).size(); });
}

// Each route is tried; the first failure is the answer.
aclError acltdtBindQueueRoutes(acltdtQueueRouteList* qRouteList) {
  return Guard(FOOTHOLD_CALL(qRouteList), [&] {
    std::unique_ptr<Error> first_failure;
    for (Route& route : RouteLists::Get().Find(qRouteList))
      BindOne(route, first_failure);
    if (first_failure != nullptr) throw Error(*first_failure);
  });
}

aclError acltdtUnbindQueueRoutes(acltdtQueueRouteList* qRouteList) {
  return Guard(FOOTHOLD_CALL(qRouteList), [&] {
    for (Route& route : RouteLists::Get().Find(qRouteList)) {
      Queues::Get().Unbind(route.source, route.target);
      route.status = RouteStatus::kUnbound;
    }
  });
}

acltdtQueueRouteQueryInfo* acltdtCreateQueueRouteQueryInfo(void) {
  return GuardValue(FOOTHOLD_CALL(), static_cast<acltdtQueueRouteQueryInfo*>(nullptr),
                    [&] { return static_cast<acltdtQueueRouteQueryInfo*>(RouteQueries::Get().Add({})); });
}

aclError acltdtDestroyQueueRouteQueryInfo(const acltdtQueueRouteQueryInfo* info) {
  return Guard(FOOTHOLD_CALL(info), [&] { RouteQueries::Get().Remove(info); });
}

aclError acltdtSetQueueRouteQueryInfo(acltdtQueueRouteQueryInfo* param,
                                      acltdtQueueRouteQueryInfoParamType type, size_t len,
                                      const void* value) {
  return Guard(FOOTHOLD_CALL(param, type, len, value), [&] {
    RouteQuery& query = RouteQueries::Get().Find(param);
    switch (type) {
      case ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM:
        query.mode = CheckMode(ReadAttribute<int32_t>(value, len));
        return;
      case ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32:
        query.source = ReadAttribute<uint32_t>(value, len);
        return;
      case ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32:
        query.target = ReadAttribute<uint32_t>(value, len);
        return;
    }
    Fail(kInvalidParam, "type must be 0 (mode), 1 (source) or 2 (target), not {}", static_cast<int>(type));
  });
}

aclError acltdtQueryQueueRoutes(const acltdtQueueRouteQueryInfo* queryInfo,
                                acltdtQueueRouteList* qRouteList) {
  return Guard(FOOTHOLD_CALL(queryInfo, qRouteList), [&] {
    const RouteQuery& query = RouteQueries::Get().Find(queryInfo);
    auto& list = RouteLists::Get().Find(qRouteList);
    std::vector<Route> routes = Queues::Get().Routes();
    std::erase_if(routes, [&](const Route& route) { return !query.Wants(route); });
    list = std::move(routes);
  });
}
