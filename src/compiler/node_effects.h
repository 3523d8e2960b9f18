// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What passes must know before they move or remove a node. Any thread.
#pragma once

#include "ir/graph.h"

namespace foothold {

bool IsStateful(const Node& node);
// Reads memory that others write; computed later, it might see another value.
bool ReadsState(const Node& node);
// An output of the graph, or one of its targets.
bool IsAskedFor(const Graph& graph, const Node& node);
// Nobody but other nodes of the graph has an interest in it, and nobody waits for it.
bool IsInner(const Graph& graph, const Node& node);

}  // namespace foothold
