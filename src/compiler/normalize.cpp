// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/normalize.h"

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "compiler/check_graph.h"
#include "compiler/passes/inline_calls.h"
#include "compiler/passes/load_constants.h"
#include "compiler/passes/remove_dead_nodes.h"
#include "compiler/sources.h"
#include "ir/node_walk.h"

namespace foothold {
namespace {

std::vector<Node*> NodesOfType(const Graph& graph, std::string_view type) {
  std::vector<Node*> found;
  for (Node* node : TypeWalk(graph.nodes()))
    if (node->type() == type) found.push_back(node);
  return found;
}

// A graph from a file says what it gives back with a node of its own.
void TakeNetOutputs(Graph& graph) {
  for (Node* node : NodesOfType(graph, "NetOutput")) {
    if (graph.outputs.empty())
      for (const Input& input : node->inputs())
        if (input.source) graph.outputs.push_back(input.source);
    for (Node* before : node->control_inputs())
      graph.targets.push_back(before);
    graph.Drop(*node);
  }
  graph.Sweep();
}

void TakeSummaries(NormalGraph& normal) {
  for (Node* node : NodesOfType(*normal.graph, "Summary")) {
    const OutputRef source = node->inputs().empty() ? OutputRef{} : node->inputs()[0].source;
    if (!source) Fail(kInvalidParam, "{} has nothing connected with its input", node->Description());
    normal.summaries.push_back(node->name());
    normal.graph->outputs.push_back(source);
    normal.graph->Drop(*node);
  }
  normal.graph->Sweep();
}

std::string SaveKey(const OutputRef& source) {
  return source.port == 0 ? source.node->name() : fmt::format("{}:{}", source.node->name(), source.port);
}

void TakeSaves(NormalGraph& normal) {
  for (Node* node : NodesOfType(*normal.graph, "Save")) {
    for (const Input& input : node->inputs()) {
      if (!input.source) Fail(kInvalidParam, "{}: input '{}' has no source", node->Description(), input.name);
      normal.saves.push_back(SaveKey(input.source));
      normal.graph->outputs.push_back(input.source);
    }
    normal.graph->Drop(*node);
  }
  normal.graph->Sweep();
}

std::int64_t IndexOf(const Node& node) {
  return node.Int("index", 0);
}

bool AreNumbered(const std::vector<Node*>& data) {
  std::vector<bool> seen(data.size(), false);
  for (const Node* node : data) {
    const std::int64_t index = IndexOf(*node);
    if (index < 0 || index >= static_cast<std::int64_t>(data.size()) || seen[static_cast<std::size_t>(index)])
      return false;
    seen[static_cast<std::size_t>(index)] = true;
  }
  return true;
}

}  // namespace

bool IsNormalizedAway(const Node& node) {
  const std::string& type = node.type();
  return IsCall(node) || IsLoaded(node) || type == "Summary" || type == "Save" || type == "NetOutput";
}

std::vector<Node*> OrderInputs(Graph& graph) {
  std::vector<Node*> data;
  std::unordered_set<const Node*> found;
  const auto take = [&](const std::vector<Node*>& nodes) {
    for (Node* node : TypeWalk(nodes))
      if (IsData(*node) && found.insert(node).second) data.push_back(node);
  };
  take(graph.inputs);
  take(graph.nodes());
  if (AreNumbered(data))
    std::sort(data.begin(), data.end(), [](Node* a, Node* b) { return IndexOf(*a) < IndexOf(*b); });
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i]->attributes["index"] = static_cast<std::int64_t>(i);
  return data;
}

NormalGraph Normalize(const Graph& source, const ConstantSources& constants) {
  NormalGraph normal;
  normal.graph = source.Clone();
  Graph& graph = *normal.graph;
  TakeNetOutputs(graph);
  // An operator without outputs in the list of outputs is only run (Save).
  graph.outputs.EraseIf([&](const OutputRef& output) {
    const bool has_ports = !output.node->outputs().empty();
    if (!has_ports) graph.targets.push_back(output.node);
    return !has_ports;
  });
  CheckGraph(graph);
  for (const OutputRef& output : graph.outputs)
    normal.output_names.push_back(fmt::format("{}:{}", output.node->name(), output.port));
  InlineCalls(graph);
  LoadConstants(graph, constants);
  graph.inputs = OrderInputs(graph);
  normal.caller_outputs = graph.outputs.size();
  TakeSummaries(normal);
  TakeSaves(normal);
  RemoveDeadNodes(graph);
  return normal;
}

}  // namespace foothold
