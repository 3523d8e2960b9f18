// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ge::Graph: nodes, edges and subgraphs of a graph that is being edited.
#include <algorithm>

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
using foothold::Subgraph;

// Producers first, if they can be told apart while the graph is being edited.
std::vector<Node*> Sequence(const foothold::Graph& graph) {
  try {
    return graph.Order();
  } catch (const foothold::Error&) {
    return graph.nodes();
  }
}

void Collect(foothold::Graph& graph, std::vector<GNode>& nodes) {
  for (Node* node : Sequence(graph)) {
    nodes.push_back(foothold::ToGNode(*node));
    for (Subgraph& subgraph : node->subgraphs)
      if (subgraph.graph || subgraph.builder) Collect(foothold::GraphOf(*node, subgraph), nodes);
  }
}

struct FoundSubgraph {
  std::shared_ptr<foothold::Graph> graph;
  Node* parent;
};

void CollectSubgraphs(foothold::Graph& graph, std::vector<FoundSubgraph>& found) {
  for (Node* node : graph.nodes()) {
    for (Subgraph& subgraph : node->subgraphs) {
      if (!subgraph.graph && !subgraph.builder) continue;
      foothold::Graph& below = foothold::GraphOf(*node, subgraph);
      below.parent = node;
      found.push_back({subgraph.graph, node});
      CollectSubgraphs(below, found);
    }
  }
}

std::vector<FoundSubgraph> AllSubgraphs(const GraphImpl& impl) {
  std::vector<FoundSubgraph> found;
  CollectSubgraphs(*impl.graph, found);
  for (const auto& subgraph : impl.unused_subgraphs)
    found.push_back({subgraph, nullptr});
  return found;
}

GraphPtr HandleOf(const FoundSubgraph& found, const GraphImpl& above) {
  auto handle = std::make_shared<Graph>(foothold::ToPublic(found.graph));
  GraphImpl& impl = *GraphImpl::Of(*handle);
  impl.parent = above.graph;
  if (found.parent != nullptr) impl.parent_node = foothold::NodeRef(*found.parent);
  return handle;
}

Node& Member(const foothold::Graph& graph, const GNode& handle) {
  Node& node = NodeOf(handle);
  if (!graph.Contains(node)) Fail(kInvalidParam, "{} is not in graph '{}'", node.Description(), graph.name());
  return node;
}

void RemoveDataEdge(Node& from, int32_t out, Node& to, int32_t in) {
  if (foothold::InputAt(to, in).source != OutputRef{&from, out})
    Fail(kInvalidParam, "there is no edge from output {} of {} to input {} of {}", out, from.Description(),
         in, to.Description());
  to.Disconnect(in);
}

void RemoveControlEdge(Node& from, Node& to) {
  const auto& sources = to.control_inputs();
  if (std::find(sources.begin(), sources.end(), &from) == sources.end())
    Fail(kInvalidParam, "there is no control edge from {} to {}", from.Description(), to.Description());
  to.RemoveControlInput(from);
}

}  // namespace

std::vector<GNode> Graph::GetAllNodes() const {
  return GuardGraphValue("Graph::GetAllNodes", [&] {
    std::vector<GNode> nodes;
    Collect(*GraphOf(*this), nodes);
    return nodes;
  });
}

std::vector<GNode> Graph::GetDirectNode() const {
  return GuardGraphValue("Graph::GetDirectNode", [&] {
    std::vector<GNode> nodes;
    for (Node* node : Sequence(*GraphOf(*this)))
      nodes.push_back(foothold::ToGNode(*node));
    return nodes;
  });
}

GNodePtr Graph::FindNodeByName(const AscendString& node_name) const {
  return GuardGraphValue("Graph::FindNodeByName", [&]() -> GNodePtr {
    Node* node = GraphOf(*this)->Find(node_name.GetString());
    return node == nullptr ? nullptr : foothold::ToGNodePtr(*node);
  });
}

GNode Graph::AddNodeByOp(const Operator& op) {
  return GuardGraphValue("Graph::AddNodeByOp", [&]() -> GNode {
    if (AddOp(op) != GRAPH_SUCCESS) return {};
    return foothold::ToGNode(NodeOf(op));
  });
}

graphStatus Graph::RemoveNode(GNode& node) {
  return RemoveNode(node, false);
}

graphStatus Graph::RemoveNode(GNode& node, bool contain_subgraph) {
  return GuardGraph("Graph::RemoveNode", [&] {
    foothold::Graph& graph = *GraphOf(*this);
    Node& removed = Member(graph, node);
    graph.Remove(removed);
    if (contain_subgraph) removed.subgraphs.clear();
  });
}

graphStatus Graph::AddDataEdge(GNode& src_node, const int32_t src_port_index, GNode& dst_node,
                               const int32_t dst_port_index) {
  return GuardGraph("Graph::AddDataEdge", [&] {
    const foothold::Graph& graph = *GraphOf(*this);
    Node& to = Member(graph, dst_node);
    if (foothold::InputAt(to, dst_port_index).source)
      Fail(kInvalidParam, "input {} of {} has a source already", dst_port_index, to.Description());
    to.Connect(dst_port_index, {&Member(graph, src_node), src_port_index});
  });
}

graphStatus Graph::AddControlEdge(GNode& src_node, GNode& dst_node) {
  return GuardGraph("Graph::AddControlEdge", [&] {
    const foothold::Graph& graph = *GraphOf(*this);
    Member(graph, dst_node).AddControlInput(Member(graph, src_node));
  });
}

graphStatus Graph::RemoveEdge(GNode& src_node, const int32_t src_port_index, GNode& dst_node,
                              const int32_t dst_port_index) {
  return GuardGraph("Graph::RemoveEdge", [&] {
    const foothold::Graph& graph = *GraphOf(*this);
    Node& from = Member(graph, src_node);
    Node& to = Member(graph, dst_node);
    if (src_port_index == -1 && dst_port_index == -1) return RemoveControlEdge(from, to);
    RemoveDataEdge(from, src_port_index, to, dst_port_index);
  });
}

std::vector<GraphPtr> Graph::GetAllSubgraphs() const {
  return GuardGraphValue("Graph::GetAllSubgraphs", [&] {
    (void)GraphOf(*this);
    std::vector<GraphPtr> graphs;
    for (const FoundSubgraph& found : AllSubgraphs(*impl_))
      graphs.push_back(HandleOf(found, *impl_));
    return graphs;
  });
}

GraphPtr Graph::GetSubGraph(const char* name) const {
  return GuardGraphValue("Graph::GetSubGraph", [&]() -> GraphPtr {
    (void)GraphOf(*this);
    for (const FoundSubgraph& found : AllSubgraphs(*impl_))
      if (name != nullptr && found.graph->name() == name) return HandleOf(found, *impl_);
    return nullptr;
  });
}

graphStatus Graph::AddSubGraph(const Graph& subgraph) {
  return GuardGraph("Graph::AddSubGraph", [&] {
    const std::shared_ptr<foothold::Graph>& added = GraphOf(subgraph);
    if (added == GraphOf(*this)) Fail(kInvalidParam, "graph '{}' cannot be its own subgraph", added->name());
    for (const FoundSubgraph& found : AllSubgraphs(*impl_))
      if (found.graph->name() == added->name())
        Fail(kInvalidParam, "there is a subgraph '{}' already", added->name());
    impl_->unused_subgraphs.push_back(added);
    GraphImpl::Of(subgraph)->parent = impl_->graph;
  });
}

graphStatus Graph::RemoveSubgraph(const char* name) {
  return GuardGraph("Graph::RemoveSubgraph", [&] {
    (void)GraphOf(*this);
    const std::string_view wanted = name == nullptr ? "" : name;
    if (std::erase_if(impl_->unused_subgraphs, [&](const auto& graph) { return graph->name() == wanted; }) >
        0)
      return;
    for (const FoundSubgraph& found : AllSubgraphs(*impl_)) {
      if (found.graph->name() != wanted) continue;
      std::erase_if(found.parent->subgraphs, [&](const Subgraph& old) { return old.graph == found.graph; });
      return;
    }
    Fail(kInvalidParam, "graph '{}' has no subgraph '{}'", impl_->graph->name(), wanted);
  });
}

ConstGraphPtr Graph::GetParentGraph() const {
  return GuardGraphValue("Graph::GetParentGraph", [&]() -> ConstGraphPtr {
    (void)GraphOf(*this);
    return impl_->parent == nullptr ? nullptr
                                    : std::make_shared<const Graph>(foothold::ToPublic(impl_->parent));
  });
}

GNodePtr Graph::GetParentNode() const {
  return GuardGraphValue("Graph::GetParentNode", [&]() -> GNodePtr {
    Node* const parent = GraphOf(*this)->parent;
    return parent == nullptr ? nullptr : foothold::ToGNodePtr(*parent);
  });
}

}  // namespace ge
