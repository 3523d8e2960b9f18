// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/remove_dead_nodes.h"

#include <vector>

#include "base/error.h"
#include "compiler/control_flow.h"
#include "compiler/sources.h"
#include "ir/node_walk.h"
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
  explicit Marker(const Graph& graph) : graph_(graph), live_(graph.nodes().size(), 0) {}

  void Mark(const Node& node) {
    const std::size_t place = graph_.PlaceOf(node);
    FOOTHOLD_CHECK(place != Graph::kNowhere);
    if (live_[place] == 0 && place >= next_) waiting_.push_back(&node);
    live_[place] = 1;
  }
  // From the last to the first: producers mostly come before what reads them.
  void MarkProducers() {
    for (next_ = graph_.nodes().size(); next_ > 0;) {
      --next_;
      if (next_ >= kNodesAhead) FetchPorts(*graph_.nodes()[next_ - kNodesAhead]);
      if (live_[next_] != 0) MarkProducersOf(*graph_.nodes()[next_]);
      while (!waiting_.empty()) {
        const Node& node = *waiting_.back();
        waiting_.pop_back();
        MarkProducersOf(node);
      }
    }
  }
  bool IsLive(std::size_t place) const { return live_[place] != 0; }

 private:
  void MarkProducersOf(const Node& node) {
    for (const Input& input : node.inputs())
      if (input.source) Mark(*input.source.node);
    for (const Node* before : node.control_inputs())
      Mark(*before);
  }

  const Graph& graph_;
  std::vector<char> live_;              // by place
  std::size_t next_ = Graph::kNowhere;  // nodes from here on have had their turn
  std::vector<const Node*> waiting_;    // that were found live after it
};

}  // namespace

bool RemoveDeadNodes(Graph& graph) {
  Marker marker(graph);
  for (const OutputRef& output : graph.outputs)
    marker.Mark(*output.node);
  for (Node* target : graph.targets)
    marker.Mark(*target);
  for (Node* node : TypeWalk(graph.nodes()))
    if (HasEffects(*node) || IsData(*node)) marker.Mark(*node);
  marker.MarkProducers();
  std::vector<Node*> dead;
  for (std::size_t place = 0; place < graph.nodes().size(); ++place)
    if (!marker.IsLive(place)) dead.push_back(graph.nodes()[place]);
  if (!dead.empty()) graph.Remove(dead);
  return !dead.empty();
}

}  // namespace foothold
