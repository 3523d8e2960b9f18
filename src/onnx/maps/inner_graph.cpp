// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/maps/inner_graph.h"

namespace foothold::onnx {

void AddSubgraph(Node& node, const std::string& name, const std::shared_ptr<Graph>& graph) {
  graph->parent = &node;
  node.subgraphs.push_back({name, name, nullptr, graph});
}

void ImportInner(GraphImport& inner) {
  const std::size_t before = inner.report().size();
  inner.ImportNodes();
  if (inner.report().size() != before) throw AlreadyReported();
}

OutputRef AsScalar(GraphBuilder& graph, OutputRef value) {
  return graph.Op("Reshape", {value, graph.Ints({})});
}

}  // namespace foothold::onnx
