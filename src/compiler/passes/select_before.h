// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

// Elements selected from what an element-wise node makes are what it makes of selected elements: the
// selecting node becomes the element-wise one, which reads views, if nobody else reads what it selects from.
// True if it did.
bool SelectBefore(const Graph& graph, Node& node);

}  // namespace foothold
