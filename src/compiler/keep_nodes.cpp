// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/keep_nodes.h"

namespace foothold {
namespace {

// An attribute travels with every copy of a node.
constexpr const char* kMark = "_keep";

}  // namespace

void KeepNodes(Graph& graph, const NodePredicate& keeps) {
  if (!keeps) return;
  for (Node* node : graph.nodes()) {
    if (keeps(*node)) node->attributes[kMark] = true;
    for (const Subgraph& subgraph : node->subgraphs)
      if (subgraph.graph) KeepNodes(*subgraph.graph, keeps);
  }
}

bool KeepsNode(const Node& node) {
  return node.FindAttribute(kMark) != nullptr;
}

}  // namespace foothold
