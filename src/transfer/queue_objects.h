// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What programs describe queues and routes with. Objects of the process; one is used by one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/host_objects.h"
#include "transfer/queues.h"

namespace foothold {

struct QueueAttributes {
  static constexpr std::uint32_t kMaxDepth = 8192;

  std::string name;
  std::uint32_t depth = 8;
};

struct RouteQuery {
  enum class Mode : std::int32_t { kSource = 0, kTarget = 1, kBoth = 2, kAbnormal = 100 };

  Mode mode = Mode::kSource;
  std::uint32_t source = 0;
  std::uint32_t target = 0;

  bool Wants(const Route& route) const {
    if (mode == Mode::kAbnormal) return route.status == RouteStatus::kAbnormal;
    return (mode == Mode::kTarget || route.source == source) &&
           (mode == Mode::kSource || route.target == target);
  }
};

using QueueAttributeSets = HostObjects<QueueAttributes, HandleKind::kQueueAttributes>;
using RouteObjects = HostObjects<Route, HandleKind::kQueueRoute>;
using RouteLists = HostObjects<std::vector<Route>, HandleKind::kRouteList>;
using RouteQueries = HostObjects<RouteQuery, HandleKind::kRouteQuery>;

}  // namespace foothold
