// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Whether a product of floats may keep weights that are known when it is compiled in float16, as modes of
// precision allow. A mark on the node, which every copy of it has; saved models keep it. One thread at a
// time, like the graph.
#pragma once

#include "ir/graph.h"

namespace foothold {

// For all products of the graph and of the graphs its nodes run.
void AllowHalfWeights(Graph& graph);
bool MayHalveWeights(const Node& node);

}  // namespace foothold
