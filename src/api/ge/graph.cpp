// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ge::Graph: what a graph is made of when it is built from operators.
#include <fmt/format.h>

#include "api/ge/attr_value_impl.h"
#include "api/ge/graph_guard.h"
#include "api/ge/graph_impl.h"
#include "api/ge/node_ports.h"

namespace ge {
namespace {

using foothold::Fail;
using foothold::GraphOf;
using foothold::GuardGraph;
using foothold::GuardGraphValue;
using foothold::kInvalidParam;
using foothold::Node;
using foothold::NodeOf;
using foothold::OutputRef;

[[noreturn]] void RefuseName(const foothold::Graph& graph, const Node& node) {
  throw foothold::Error(
      kInvalidParam, fmt::format("graph '{}' has another node of the name '{}'", graph.name(), node.name()),
      "E13009");
}

void CheckNames(const foothold::Graph& graph) {
  std::set<std::string_view> names;
  for (const Node* node : graph.nodes())
    if (!names.insert(node->name()).second) RefuseName(graph, *node);
}

std::vector<Node*> NodesOf(const std::vector<Operator>& ops) {
  std::vector<Node*> nodes;
  for (const Operator& op : ops)
    nodes.push_back(&NodeOf(op));
  return nodes;
}

// What SetOutputs collects before it changes anything.
struct Outputs {
  std::vector<OutputRef> values;
  std::vector<Node*> without_values;  // run all the same

  void AddAll(Node& node) {
    for (size_t port = 0; port < node.outputs().size(); ++port)
      values.push_back({&node, static_cast<int>(port)});
    if (node.outputs().empty()) without_values.push_back(&node);
  }
  void Add(Node& node, int64_t port) {
    foothold::OutputAt(node, port);
    values.push_back({&node, static_cast<int>(port)});
  }
};

void Apply(foothold::Graph& graph, const Outputs& outputs) {
  for (const OutputRef& value : outputs.values)
    graph.Add(*value.node);
  for (Node* node : outputs.without_values)
    graph.Add(*node);
  graph.AddConnected();
  graph.outputs = outputs.values;
  for (Node* node : outputs.without_values)
    if (std::find(graph.targets.begin(), graph.targets.end(), node) == graph.targets.end())
      graph.targets.push_back(node);
  CheckNames(graph);
}

}  // namespace

Graph::Graph(const char_t* name)
    : impl_(GuardGraphValue("Graph", [&] {
        auto impl = std::make_shared<GraphImpl>();
        impl->graph = std::make_shared<foothold::Graph>(name == nullptr ? "" : name);
        return impl;
      })) {}

GraphPtr Graph::ConstructFromInputs(const std::vector<Operator>& inputs, const AscendString& name) {
  return GuardGraphValue("Graph::ConstructFromInputs", [&]() -> GraphPtr {
    if (inputs.empty()) Fail(kInvalidParam, "a graph cannot be found without an input");
    auto graph = std::make_shared<Graph>(name.GetString());
    NodesOf(inputs);  // refuses empty operators before anything is made
    graph->SetInputs(inputs);
    return graph;
  });
}

Graph& Graph::SetInputs(const std::vector<Operator>& inputs) {
  (void)GuardGraph("Graph::SetInputs", [&] {
    foothold::Graph& graph = *GraphOf(*this);
    std::vector<Node*> nodes = NodesOf(inputs);
    for (Node* node : nodes)
      graph.Add(*node);
    graph.AddConnected();
    graph.inputs = std::move(nodes);
    CheckNames(graph);
  });
  return *this;
}

Graph& Graph::SetOutputs(const std::vector<Operator>& outputs) {
  (void)GuardGraph("Graph::SetOutputs", [&] {
    Outputs found;
    for (const Operator& op : outputs)
      found.AddAll(NodeOf(op));
    Apply(*GraphOf(*this), found);
  });
  return *this;
}

Graph& Graph::SetOutputs(const std::vector<std::pair<Operator, std::vector<size_t>>>& output_indexs) {
  (void)GuardGraph("Graph::SetOutputs", [&] {
    Outputs found;
    for (const auto& [op, ports] : output_indexs) {
      if (ports.empty()) found.AddAll(NodeOf(op));
      for (const size_t port : ports)
        found.Add(NodeOf(op), static_cast<int64_t>(port));
    }
    Apply(*GraphOf(*this), found);
  });
  return *this;
}

Graph& Graph::SetOutputs(const std::vector<std::pair<ge::Operator, AscendString>>& outputs) {
  (void)GuardGraph("Graph::SetOutputs", [&] {
    Outputs found;
    for (const auto& [op, name] : outputs) {
      Node& node = NodeOf(op);
      if (name.GetLength() == 0) {
        found.AddAll(node);
        continue;
      }
      found.Add(node, &foothold::OutputNamed(node, name.GetString()) - node.outputs().data());
    }
    Apply(*GraphOf(*this), found);
  });
  return *this;
}

graphStatus Graph::SetOutputs(const std::vector<std::pair<GNode, int32_t>>& outputs) {
  return GuardGraph("Graph::SetOutputs", [&] {
    Outputs found;
    for (const auto& [node, port] : outputs)
      found.Add(NodeOf(node), port);
    Apply(*GraphOf(*this), found);
  });
}

Graph& Graph::SetTargets(const std::vector<Operator>& targets) {
  (void)GuardGraph("Graph::SetTargets", [&] {
    foothold::Graph& graph = *GraphOf(*this);
    std::vector<Node*> nodes = NodesOf(targets);
    for (Node* node : nodes)
      graph.Add(*node);
    graph.AddConnected();
    graph.targets = std::move(nodes);
    CheckNames(graph);
  });
  return *this;
}

bool Graph::IsValid() const {
  return impl_ != nullptr && (impl_->declared_valid || !impl_->graph->nodes().empty());
}

graphStatus Graph::SetValid() {
  return GuardGraph("Graph::SetValid", [&] { (void)GraphOf(*this), impl_->declared_valid = true; });
}

graphStatus Graph::AddOp(const ge::Operator& op) {
  return GuardGraph("Graph::AddOp", [&] {
    Node& node = NodeOf(op);
    foothold::Graph& graph = *GraphOf(*this);
    const Node* same_name = graph.Find(node.name());
    if (same_name != nullptr && same_name != &node) RefuseName(graph, node);
    graph.Add(node);
  });
}

graphStatus Graph::FindOpByName(const char_t* name, ge::Operator& op) const {
  return GuardGraph("Graph::FindOpByName", [&] {
    const foothold::Graph& graph = *GraphOf(*this);
    Node* node = name == nullptr ? nullptr : graph.Find(name);
    if (node == nullptr)
      Fail(kInvalidParam, "graph '{}' has no operator '{}'", graph.name(), name == nullptr ? "" : name);
    op = foothold::ToOperator(*node);
  });
}

graphStatus Graph::FindOpByType(const char_t* type, std::vector<ge::Operator>& ops) const {
  return GuardGraph("Graph::FindOpByType", [&] {
    if (type == nullptr) Fail(kInvalidParam, "the type is null");
    std::vector<ge::Operator> found;
    for (Node* node : GraphOf(*this)->nodes())
      if (node->type() == type) found.push_back(foothold::ToOperator(*node));
    ops.swap(found);
  });
}

graphStatus Graph::GetAllOpName(std::vector<AscendString>& names) const {
  return GuardGraph("Graph::GetAllOpName", [&] {
    std::vector<AscendString> found;
    for (const Node* node : GraphOf(*this)->nodes())
      found.push_back(foothold::ToPublic(node->name()));
    names.swap(found);
  });
}

graphStatus Graph::GetName(AscendString& name) const {
  return GuardGraph("Graph::GetName", [&] { name = foothold::ToPublic(GraphOf(*this)->name()); });
}

void Graph::SetNeedIteration(bool need_iteration) {
  (void)GuardGraph("Graph::SetNeedIteration", [&] { GraphOf(*this)->need_iteration = need_iteration; });
}

graphStatus Graph::SetAttr(const AscendString& name, const AttrValue& attr_value) {
  return GuardGraph("Graph::SetAttr", [&] {
    foothold::Graph& graph = *GraphOf(*this);
    foothold::SetAttribute(graph.attributes, name.GetString(), foothold::ToAttribute(attr_value),
                           "graph '" + graph.name() + "'");
  });
}

graphStatus Graph::GetAttr(const AscendString& name, AttrValue& attr_value) const {
  return GuardGraph("Graph::GetAttr", [&] {
    const foothold::Graph& graph = *GraphOf(*this);
    foothold::FromAttribute(
        foothold::GetAttribute(graph.attributes, name.GetString(), "graph '" + graph.name() + "'"),
        attr_value, name.GetString());
  });
}

graphStatus Graph::CopyFrom(const Graph& src_graph) {
  return GuardGraph("Graph::CopyFrom", [&] {
    const std::string name = impl_ == nullptr ? GraphOf(src_graph)->name() : impl_->graph->name();
    std::shared_ptr<foothold::Graph> copy = GraphOf(src_graph)->Clone();
    std::vector<std::shared_ptr<foothold::Graph>> unused;
    for (const auto& subgraph : GraphImpl::Of(src_graph)->unused_subgraphs)
      unused.push_back(subgraph->Clone());
    GraphImpl& to = GraphImpl::Ensure(*this);
    copy->set_name(name);
    to.graph = std::move(copy);
    to.unused_subgraphs = std::move(unused);
  });
}

}  // namespace ge
