// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Numbers of channels and queues are those of the headers. This file only has to compile.
#include "acl/acl_base.h"
#include "acl/acl_tdt_queue.h"
#include "transfer/codes.h"
#include "transfer/queue_objects.h"

namespace foothold {

static_assert(int{kInvalidQueueId} == ACL_ERROR_INVALID_QUEUE_ID);
static_assert(int{kRtQueueEmpty} == ACL_ERROR_RT_QUEUE_EMPTY);
static_assert(int{kRtQueueFull} == ACL_ERROR_RT_QUEUE_FULL);
static_assert(static_cast<int>(RouteStatus::kUnbound) == ACL_TDT_QUEUE_ROUTE_UNBIND);
static_assert(static_cast<int>(RouteStatus::kBound) == ACL_TDT_QUEUE_ROUTE_BIND);
static_assert(static_cast<int>(RouteStatus::kAbnormal) == ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL);
static_assert(static_cast<int>(RouteQuery::Mode::kSource) == ACL_TDT_QUEUE_ROUTE_QUERY_SRC);
static_assert(static_cast<int>(RouteQuery::Mode::kTarget) == ACL_TDT_QUEUE_ROUTE_QUERY_DST);
static_assert(static_cast<int>(RouteQuery::Mode::kBoth) == ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST);
static_assert(static_cast<int>(RouteQuery::Mode::kAbnormal) == ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL);

}  // namespace foothold
