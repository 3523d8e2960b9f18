// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "transfer/queue_objects.h"

namespace foothold {
namespace {

// Before there are threads, so that no fork finds them half made.
[[maybe_unused]] const QueueAttributeSets& attributes_made_at_load = QueueAttributeSets::Get();
[[maybe_unused]] const RouteObjects& routes_made_at_load = RouteObjects::Get();
[[maybe_unused]] const RouteLists& lists_made_at_load = RouteLists::Get();
[[maybe_unused]] const RouteQueries& queries_made_at_load = RouteQueries::Get();

}  // namespace
}  // namespace foothold
