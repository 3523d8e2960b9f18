// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/node_effects.h"

#include <algorithm>

#include "compiler/keep_nodes.h"
#include "compiler/sources.h"
#include "ops/op.h"

namespace foothold {

bool IsStateful(const Node& node) {
  const OpDef* op = FindOp(node.type());
  return op == nullptr || op->stateful();
}

bool ReadsState(const Node& node) {
  return std::any_of(node.inputs().begin(), node.inputs().end(), [](const Input& input) {
    if (!input.source) return false;
    const Node& source = *input.source.node;
    return IsVariable(source) || source.type() == "RefData" || (!IsSource(source) && IsStateful(source));
  });
}

bool IsAskedFor(const Graph& graph, const Node& node) {
  return graph.outputs.Has(node) ||
         std::find(graph.targets.begin(), graph.targets.end(), &node) != graph.targets.end();
}

bool IsInner(const Graph& graph, const Node& node) {
  return node.control_inputs().empty() && node.control_outputs().empty() && !IsAskedFor(graph, node) &&
         !KeepsNode(node);
}

}  // namespace foothold
