// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ge::Operator: the graphs an operator runs.
#include "api/ge/attr_value_impl.h"
#include "api/ge/graph_guard.h"
#include "api/ge/graph_impl.h"
#include "api/ge/node_ports.h"

namespace ge {
namespace {

using foothold::Fail;
using foothold::GuardGraph;
using foothold::GuardGraphValue;
using foothold::kInvalidParam;
using foothold::Node;
using foothold::NodeOf;
using foothold::Subgraph;

// More graphs are a mistake that would only be noticed as lost memory.
constexpr uint32_t kMaxSubgraphs = 4096;

const char* Text(const char* text) {
  return text == nullptr ? "" : text;
}

Graph GraphIn(Node& node, Subgraph& subgraph) {
  foothold::Graph& graph = foothold::GraphOf(node, subgraph);
  graph.parent = &node;
  Graph found = foothold::ToPublic(subgraph.graph);
  GraphImpl::Of(found)->parent_node = foothold::NodeRef(node);
  return found;
}

SubgraphBuilder BuilderOf(const Subgraph& subgraph) {
  if (subgraph.builder) return [build = subgraph.builder] { return foothold::ToPublic(build()); };
  if (subgraph.graph) return [graph = subgraph.graph] { return foothold::ToPublic(graph); };
  return nullptr;
}

}  // namespace

void Operator::SubgraphRegister(const char_t* ir_name, bool dynamic) {
  (void)GuardGraph("Operator::SubgraphRegister", [&] {
    Node& node = NodeOf(*this);
    if (*Text(ir_name) == '\0') Fail(kInvalidParam, "a subgraph of {} needs a name", node.Description());
    if (!dynamic && node.FindSubgraph(ir_name) == nullptr)
      node.subgraphs.push_back({ir_name, ir_name, nullptr, nullptr});
  });
}

void Operator::SubgraphCountRegister(const char_t* ir_name, uint32_t count) {
  (void)GuardGraph("Operator::SubgraphCountRegister", [&] {
    Node& node = NodeOf(*this);
    if (count > kMaxSubgraphs)
      Fail(kInvalidParam, "{} cannot have {} subgraphs; {} is the limit", node.Description(), count,
           kMaxSubgraphs);
    for (uint32_t i = 0; i < count; ++i) {
      const std::string name = Text(ir_name) + ("_" + std::to_string(i));
      if (node.FindSubgraph(name) == nullptr) node.subgraphs.push_back({name, ir_name, nullptr, nullptr});
    }
  });
}

void Operator::SetSubgraphBuilder(const char_t* ir_name, uint32_t index, const SubgraphBuilder& builder) {
  (void)GuardGraph("Operator::SetSubgraphBuilder", [&] {
    Subgraph& subgraph = foothold::SubgraphAt(NodeOf(*this), Text(ir_name), index);
    if (!builder) Fail(kInvalidParam, "the builder of subgraph '{}' is empty", subgraph.name);
    subgraph.graph = nullptr;
    subgraph.builder = [builder] { return foothold::GraphOf(builder()); };
  });
}

size_t Operator::GetSubgraphNamesCount() const {
  return IsEmpty() ? 0 : impl_->node->subgraphs.size();
}

graphStatus Operator::GetSubgraphNames(std::vector<AscendString>& names) const {
  return GuardGraph("Operator::GetSubgraphNames", [&] {
    std::vector<AscendString> found;
    for (const Subgraph& subgraph : NodeOf(*this).subgraphs)
      found.push_back(foothold::ToPublic(subgraph.name));
    names.swap(found);
  });
}

SubgraphBuilder Operator::GetSubgraphBuilder(const char_t* name) const {
  return GuardGraphValue("Operator::GetSubgraphBuilder",
                         [&] { return BuilderOf(foothold::SubgraphNamed(NodeOf(*this), Text(name))); });
}

SubgraphBuilder Operator::GetDynamicSubgraphBuilder(const char_t* name, uint32_t index) const {
  return GuardGraphValue("Operator::GetDynamicSubgraphBuilder",
                         [&] { return BuilderOf(foothold::SubgraphAt(NodeOf(*this), Text(name), index)); });
}

Graph Operator::GetSubgraph(const char_t* name) const {
  return GuardGraphValue("Operator::GetSubgraph", [&] {
    Node& node = NodeOf(*this);
    return GraphIn(node, foothold::SubgraphNamed(node, Text(name)));
  });
}

Graph Operator::GetDynamicSubgraph(const char_t* name, uint32_t index) const {
  return GuardGraphValue("Operator::GetDynamicSubgraph", [&] {
    Node& node = NodeOf(*this);
    return GraphIn(node, foothold::SubgraphAt(node, Text(name), index));
  });
}

Graph Operator::GetSubgraphImpl(const char_t* name) const {
  return GetSubgraph(name);
}

graphStatus Operator::SetSubgraphInstanceName(const uint32_t index, const char_t* name) {
  return GuardGraph("Operator::SetSubgraphInstanceName", [&] {
    Node& node = NodeOf(*this);
    if (index >= node.subgraphs.size())
      Fail(kInvalidParam, "{} has {} subgraphs, so there is no subgraph {}", node.Description(),
           node.subgraphs.size(), index);
    foothold::GraphOf(node, node.subgraphs[index]).set_name(Text(name));
  });
}

}  // namespace ge
