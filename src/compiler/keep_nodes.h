// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Nodes somebody wants to see run, such as those that are dumped: passes leave them in the graph, under their
// names and as they are.
#pragma once

#include <functional>

#include "ir/graph.h"

namespace foothold {

using NodePredicate = std::function<bool(const Node&)>;

// Marks the nodes of the graph and of all graphs its nodes run, before an Executable is made of it; copies of
// the graph keep the marks. An empty predicate marks none.
void KeepNodes(Graph& graph, const NodePredicate& keeps);

// Every pass that would take a node away, or make another one of it, has to ask.
bool KeepsNode(const Node& node);

}  // namespace foothold
