// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

bool IsCall(const Node& node);  // PartitionedCall and its Stateful and Stateless twins

// Puts the graph of every PartitionedCall and StatefulPartitionedCall in its place; names of its nodes get
// the name of the call and a slash in front. True if there was one.
bool InlineCalls(Graph& graph);

}  // namespace foothold
