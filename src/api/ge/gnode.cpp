// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ge::GNode: ports, links and subgraphs of a node.
#include "api/ge/attr_value_impl.h"
#include "api/ge/graph_guard.h"
#include "api/ge/graph_impl.h"
#include "api/ge/node_ports.h"

namespace ge {
namespace {

using foothold::Fail;
using foothold::FromPublic;
using foothold::GuardGraph;
using foothold::GuardGraphValue;
using foothold::kInvalidParam;
using foothold::Node;
using foothold::NodeOf;
using foothold::Subgraph;
using foothold::ToPublic;

constexpr int32_t kNoPort = -1;

std::vector<GNodePtr> ToGNodes(const std::vector<Node*>& nodes) {
  std::vector<GNodePtr> found;
  for (Node* node : nodes)
    found.push_back(foothold::ToGNodePtr(*node));
  return found;
}

GraphPtr GraphIn(Node& node, Subgraph& subgraph) {
  foothold::GraphOf(node, subgraph).parent = &node;
  auto found = std::make_shared<Graph>(ToPublic(subgraph.graph));
  GraphImpl::Of(*found)->parent_node = foothold::NodeRef(node);
  return found;
}

std::vector<int32_t> Instances(const std::vector<int>& ports, const Node& node, const AscendString& name) {
  if (ports.empty()) Fail(kInvalidParam, "{} has no ports '{}'", node.Description(), name.GetString());
  return {ports.begin(), ports.end()};
}

}  // namespace

GNode::GNode() = default;

graphStatus GNode::GetType(AscendString& type) const {
  return GuardGraph("GNode::GetType", [&] { type = ToPublic(NodeOf(*this).type()); });
}

graphStatus GNode::GetName(AscendString& name) const {
  return GuardGraph("GNode::GetName", [&] { name = ToPublic(NodeOf(*this).name()); });
}

std::pair<GNodePtr, int32_t> GNode::GetInDataNodesAndPortIndexs(const int32_t index) const {
  using Source = std::pair<GNodePtr, int32_t>;
  Source source(nullptr, kNoPort);
  (void)GuardGraph("GNode::GetInDataNodesAndPortIndexs", [&] {
    const foothold::OutputRef from = foothold::InputAt(NodeOf(*this), index).source;
    if (from) source = Source(foothold::ToGNodePtr(*from.node), from.port);
  });
  return source;
}

std::vector<GNodePtr> GNode::GetInControlNodes() const {
  return GuardGraphValue("GNode::GetInControlNodes",
                         [&] { return ToGNodes(NodeOf(*this).control_inputs()); });
}

std::vector<std::pair<GNodePtr, int32_t>> GNode::GetOutDataNodesAndPortIndexs(const int32_t index) const {
  return GuardGraphValue("GNode::GetOutDataNodesAndPortIndexs", [&] {
    std::vector<std::pair<GNodePtr, int32_t>> found;
    for (const foothold::InputRef& to : foothold::OutputAt(NodeOf(*this), index).consumers)
      found.emplace_back(foothold::ToGNodePtr(*to.node), to.port);
    return found;
  });
}

std::vector<GNodePtr> GNode::GetOutControlNodes() const {
  return GuardGraphValue("GNode::GetOutControlNodes",
                         [&] { return ToGNodes(NodeOf(*this).control_outputs()); });
}

graphStatus GNode::GetInputConstData(const int32_t index, Tensor& data) const {
  return GuardGraph("GNode::GetInputConstData", [&]() -> graphStatus {
    const foothold::TensorValue* value = foothold::ConstantAt(foothold::InputAt(NodeOf(*this), index));
    if (value == nullptr) return GRAPH_NODE_WITHOUT_CONST_INPUT;
    data = ToPublic(*value);
    return GRAPH_SUCCESS;
  });
}

graphStatus GNode::GetInputIndexByName(const AscendString& name, int32_t& index) {
  return GuardGraph("GNode::GetInputIndexByName", [&] {
    Node& node = NodeOf(*this);
    index = static_cast<int32_t>(&foothold::InputNamed(node, name.GetString()) - node.inputs().data());
  });
}

graphStatus GNode::GetOutputIndexByName(const AscendString& name, int32_t& index) {
  return GuardGraph("GNode::GetOutputIndexByName", [&] {
    Node& node = NodeOf(*this);
    index = static_cast<int32_t>(&foothold::OutputNamed(node, name.GetString()) - node.outputs().data());
  });
}

graphStatus GNode::GetDynamicInputIndexesByName(const AscendString& name, std::vector<int32_t>& indexes) {
  return GuardGraph("GNode::GetDynamicInputIndexesByName", [&] {
    indexes = Instances(NodeOf(*this).InputGroup(name.GetString()), NodeOf(*this), name);
  });
}

graphStatus GNode::GetDynamicOutputIndexesByName(const AscendString& name, std::vector<int32_t>& indexes) {
  return GuardGraph("GNode::GetDynamicOutputIndexesByName", [&] {
    indexes = Instances(NodeOf(*this).OutputGroup(name.GetString()), NodeOf(*this), name);
  });
}

size_t GNode::GetInputsSize() const {
  return impl_ == nullptr ? 0 : impl_->node->inputs().size();
}

size_t GNode::GetOutputsSize() const {
  return impl_ == nullptr ? 0 : impl_->node->outputs().size();
}

graphStatus GNode::GetInputDesc(const int32_t index, TensorDesc& tensor_desc) const {
  return GuardGraph("GNode::GetInputDesc", [&] {
    tensor_desc = ToPublic(foothold::InputDesc(foothold::InputAt(NodeOf(*this), index)));
  });
}

graphStatus GNode::UpdateInputDesc(const int32_t index, const TensorDesc& tensor_desc) {
  return GuardGraph("GNode::UpdateInputDesc", [&] {
    foothold::UpdateDesc(foothold::InputAt(NodeOf(*this), index).desc, FromPublic(tensor_desc));
  });
}

graphStatus GNode::GetOutputDesc(const int32_t index, TensorDesc& tensor_desc) const {
  return GuardGraph("GNode::GetOutputDesc",
                    [&] { tensor_desc = ToPublic(foothold::OutputAt(NodeOf(*this), index).desc); });
}

graphStatus GNode::UpdateOutputDesc(const int32_t index, const TensorDesc& tensor_desc) {
  return GuardGraph("GNode::UpdateOutputDesc", [&] {
    foothold::UpdateDesc(foothold::OutputAt(NodeOf(*this), index).desc, FromPublic(tensor_desc));
  });
}

graphStatus GNode::GetSubgraph(uint32_t index, GraphPtr& graph) const {
  return GuardGraph("GNode::GetSubgraph", [&] {
    Node& node = NodeOf(*this);
    if (index >= node.subgraphs.size())
      Fail(kInvalidParam, "{} has {} subgraphs, so there is no subgraph {}", node.Description(),
           node.subgraphs.size(), index);
    graph = GraphIn(node, node.subgraphs[index]);
  });
}

graphStatus GNode::GetALLSubgraphs(std::vector<GraphPtr>& graph_list) const {
  return GuardGraph("GNode::GetALLSubgraphs", [&] {
    Node& node = NodeOf(*this);
    std::vector<GraphPtr> found;
    for (Subgraph& subgraph : node.subgraphs)
      found.push_back(GraphIn(node, subgraph));
    graph_list.swap(found);
  });
}

graphStatus GNode::SetSubgraph(const AscendString& subgraph_ir_name, const Graph& subgraph) {
  return GuardGraph("GNode::SetSubgraph", [&] {
    Node& node = NodeOf(*this);
    foothold::SetSubgraph(node, foothold::SubgraphNamed(node, subgraph_ir_name.GetString()),
                          foothold::GraphOf(subgraph));
  });
}

graphStatus GNode::SetSubgraphs(const AscendString& subgraph_ir_name, const std::vector<Graph>& subgraphs) {
  return GuardGraph("GNode::SetSubgraphs", [&] {
    Node& node = NodeOf(*this);
    const std::string group = subgraph_ir_name.GetString();
    std::vector<Subgraph> made;
    for (size_t i = 0; i < subgraphs.size(); ++i)
      made.push_back({group + "_" + std::to_string(i), group, nullptr, foothold::GraphOf(subgraphs[i])});
    std::erase_if(node.subgraphs, [&](const Subgraph& old) { return old.group == group; });
    for (Subgraph& subgraph : made) {
      subgraph.graph->parent = &node;
      node.subgraphs.push_back(std::move(subgraph));
    }
  });
}

}  // namespace ge
