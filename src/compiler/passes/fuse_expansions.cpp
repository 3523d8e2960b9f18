// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/fuse_expansions.h"

#include "compiler/infer.h"
#include "compiler/keep_nodes.h"
#include "compiler/node_effects.h"
#include "ops/convolution/expanded_depthwise.h"

namespace foothold {
namespace {

bool IsBlockedConvolution(const Node& node) {
  return node.type() == "BlockedConv2D";
}

// The convolution before one that nobody else reads.
Node* ExpansionBefore(const Graph& graph, const Node& node) {
  Node* before = node.inputs()[static_cast<std::size_t>(node.InputIndex("x"))].source.node;
  if (before == nullptr || !IsBlockedConvolution(*before)) return nullptr;
  const bool alone = before->outputs()[0].consumers.size() == 1 && IsInner(graph, *before);
  return alone && !ReadsState(*before) ? before : nullptr;
}

bool Fuse(Graph& graph, Node& node) {
  if (!IsBlockedConvolution(node) || KeepsNode(node) || node.Int("groups", 1) == 1) return false;
  Node* expansion = ExpansionBefore(graph, node);
  if (expansion == nullptr) return false;
  if (!IsExpandedDepthwise(OpContext(*expansion, KnownValues(*expansion)),
                           OpContext(node, KnownValues(node))))
    return false;
  MakeExpandedDepthwise(*expansion, node);
  graph.Drop(*expansion);
  return true;
}

}  // namespace

bool FuseExpansions(Graph& graph) {
  bool any = false;
  for (Node* node : graph.Order())
    any |= Fuse(graph, *node);
  if (any) graph.Sweep();
  return any;
}

}  // namespace foothold
