// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

// Keeps what outputs, targets and operators with effects of their own need; inputs of the graph stay. True if
// something went.
bool RemoveDeadNodes(Graph& graph);

}  // namespace foothold
