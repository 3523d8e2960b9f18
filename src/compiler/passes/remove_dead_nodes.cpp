// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/remove_dead_nodes.h"

#include "compiler/control_flow.h"
#include "compiler/sources.h"
#include "ir/node_table.h"
#include "ops/op.h"

namespace foothold {
namespace {

// Operators without a kernel stay, so that compiling reports them: the program put them there for a reason.
bool HasEffects(const Node& node) {
  if (IsSource(node)) return false;
  if (RunsGraphs(node)) return GraphsHaveEffects(node);
  const OpDef* op = FindOp(node.type());
  return op != nullptr && op->stateful();
}

class Marker {
 public:
  explicit Marker(const Graph& graph) : live_(graph) {}

  void Mark(Node& node) {
    char& live = live_[node];
    if (live == 0) waiting_.push_back(&node);
    live = 1;
  }
  void MarkProducers() {
    while (!waiting_.empty()) {
      const Node& node = *waiting_.back();
      waiting_.pop_back();
      for (const Input& input : node.inputs())
        if (input.source) Mark(*input.source.node);
      for (Node* before : node.control_inputs())
        Mark(*before);
    }
  }
  bool IsLive(const Node& node) { return live_[node] != 0; }

 private:
  NodeTable<char> live_;
  std::vector<Node*> waiting_;
};

}  // namespace

bool RemoveDeadNodes(Graph& graph) {
  Marker marker(graph);
  for (const OutputRef& output : graph.outputs)
    marker.Mark(*output.node);
  for (Node* target : graph.targets)
    marker.Mark(*target);
  for (Node* node : graph.nodes())
    if (HasEffects(*node) || IsData(*node)) marker.Mark(*node);
  marker.MarkProducers();
  std::vector<Node*> dead;
  for (Node* node : graph.nodes())
    if (!marker.IsLive(*node)) dead.push_back(node);
  if (!dead.empty()) graph.Remove(dead);
  return !dead.empty();
}

}  // namespace foothold
