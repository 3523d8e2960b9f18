// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/matrix/half_weights.h"

namespace foothold {
namespace {

constexpr const char* kMark = "_half_weights";

bool IsProduct(const Node& node) {
  const std::string& type = node.type();
  return type == "MatMul" || type == "MatMulV2" || type == "BatchMatMul" || type == "BatchMatMulV2";
}

}  // namespace

void AllowHalfWeights(Graph& graph) {
  for (Node* node : graph.nodes()) {
    if (IsProduct(*node)) node->attributes[kMark] = true;
    for (const Subgraph& subgraph : node->subgraphs)
      if (subgraph.graph) AllowHalfWeights(*subgraph.graph);
  }
}

bool MayHalveWeights(const Node& node) {
  return node.Bool(kMark, false);
}

}  // namespace foothold
