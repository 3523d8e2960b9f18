// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/fuse_aipp.h"

#include "compiler/keep_nodes.h"
#include "compiler/node_effects.h"
#include "ops/aipp/aipp.h"

namespace foothold {
namespace {

// The channels of a pixel are its only block.
bool HasOneBlock(const Node& block) {
  const Dims& planes = block.InputType(0).dims;
  return planes.size() == 4 && block.Int("lanes", 0) == planes[1];
}

bool Fuse(Graph& graph, Node& block) {
  const OutputRef source = block.inputs()[0].source;
  if (!source || !CanBlockAipp(*source.node) || KeepsNode(*source.node) || !HasOneBlock(block)) return false;
  if (source.node->outputs()[0].consumers.size() != 1 || !IsInner(graph, *source.node)) return false;
  BlockAipp(*source.node, block.Ints("pads", {0, 0, 0, 0}), block.outputs()[0].desc);
  ReplaceUses({&block, 0}, source);
  graph.Drop(block);
  return true;
}

}  // namespace

bool FuseAipp(Graph& graph) {
  bool any = false;
  for (Node* node : graph.Order())
    if (node->type() == "BlockChannels") any |= Fuse(graph, *node);
  if (any) graph.Sweep();
  return any;
}

}  // namespace foothold
