// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/turned_views.h"

#include <fmt/format.h>

#include "compiler/infer.h"
#include "compiler/sources.h"
#include "ops/elementwise/element_step.h"
#include "ops/op.h"

namespace foothold {
namespace {

bool IsElementWise(Node& node) {
  const OpDef* op = FindOp(node.type());
  if (op == nullptr || !op->reads_views()) return false;
  return op->writes_views() || FormulaOf(OpContext(node, KnownValues(node))).has_value();
}

void Turn(Graph& graph, Node& node, std::size_t port) {
  const Input& input = node.inputs()[port];
  const TensorType type = input.desc;
  Node& copy = graph.Make("TensorMove", fmt::format("{}/turned{}", node.name(), port));
  copy.AddInput("x", PortKind::kRequired);
  copy.AddOutput("y", PortKind::kRequired).desc = PortDesc(type);
  copy.Connect(0, input.source);  // so that the port has its type
  copy.ConnectView(0, input.source, *input.view);
  node.Connect(static_cast<int>(port), {&copy, 0});
}

}  // namespace

bool IsTurned(const StridedView& view) {
  std::size_t last = view.dims.size();
  while (last > 0 && view.dims[last - 1] == 1)
    --last;
  if (last == 0 || view.strides[last - 1] <= 1) return false;
  for (std::size_t i = 0; i + 1 < last; ++i)
    if (view.dims[i] > 1 && view.strides[i] != 0 && view.strides[i] < view.strides[last - 1]) return true;
  return false;
}

bool TurnBefore(Graph& graph) {
  bool changed = false;
  const std::vector<Node*> nodes = graph.nodes();
  for (Node* node : nodes) {
    if (IsSource(*node)) continue;
    for (std::size_t port = 0; port < node->inputs().size(); ++port) {
      const auto& view = node->inputs()[port].view;
      if (!view || !IsTurned(*view) || !IsElementWise(*node)) continue;
      Turn(graph, *node, port);
      changed = true;
    }
  }
  return changed;
}

}  // namespace foothold
