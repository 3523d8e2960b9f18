// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/remove_dead_nodes.h"

#include <unordered_set>

#include "compiler/control_flow.h"
#include "compiler/sources.h"
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
  void Mark(Node& node) {
    if (live_.insert(&node).second) waiting_.push_back(&node);
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
  bool IsLive(const Node& node) const { return live_.count(&node) != 0; }

 private:
  std::unordered_set<const Node*> live_;
  std::vector<Node*> waiting_;
};

}  // namespace

bool RemoveDeadNodes(Graph& graph) {
  Marker marker;
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
  graph.Remove(dead);
  return !dead.empty();
}

}  // namespace foothold
