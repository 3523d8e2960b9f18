// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ge::GNode: attributes of the node and of its ports.
#include "api/ge/attr_value_impl.h"
#include "api/ge/graph_guard.h"
#include "api/ge/graph_impl.h"
#include "api/ge/node_ports.h"

namespace ge {
namespace {

using foothold::GuardGraph;
using foothold::Node;
using foothold::NodeOf;

template <typename Public>
graphStatus Set(const GNode& node, const AscendString& name, const Public& value) {
  return GuardGraph("GNode::SetAttr", [&] {
    foothold::SetAttribute(NodeOf(node), name.GetString(), foothold::ToAttribute(value));
  });
}

template <typename Public>
graphStatus Get(const GNode& node, const AscendString& name, Public& value) {
  return GuardGraph("GNode::GetAttr", [&] {
    foothold::FromAttribute(foothold::GetAttribute(NodeOf(node), name.GetString()), value, name.GetString());
  });
}

}  // namespace

#define FOOTHOLD_NODE_ATTR(...)                                                    \
  graphStatus GNode::SetAttr(const AscendString& name, __VA_ARGS__& value) const { \
    return Set(*this, name, value);                                                \
  }                                                                                \
  graphStatus GNode::GetAttr(const AscendString& name, __VA_ARGS__& value) const { \
    return Get(*this, name, value);                                                \
  }

FOOTHOLD_NODE_ATTR(int64_t)
FOOTHOLD_NODE_ATTR(int32_t)
FOOTHOLD_NODE_ATTR(uint32_t)
FOOTHOLD_NODE_ATTR(float32_t)
FOOTHOLD_NODE_ATTR(AscendString)
FOOTHOLD_NODE_ATTR(bool)
FOOTHOLD_NODE_ATTR(Tensor)
FOOTHOLD_NODE_ATTR(OpBytes)
FOOTHOLD_NODE_ATTR(ge::DataType)
FOOTHOLD_NODE_ATTR(AttrValue)
FOOTHOLD_NODE_ATTR(std::vector<int64_t>)
FOOTHOLD_NODE_ATTR(std::vector<int32_t>)
FOOTHOLD_NODE_ATTR(std::vector<uint32_t>)
FOOTHOLD_NODE_ATTR(std::vector<float32_t>)
FOOTHOLD_NODE_ATTR(std::vector<AscendString>)
FOOTHOLD_NODE_ATTR(std::vector<bool>)
FOOTHOLD_NODE_ATTR(std::vector<Tensor>)
FOOTHOLD_NODE_ATTR(std::vector<ge::DataType>)
FOOTHOLD_NODE_ATTR(std::vector<std::vector<int64_t>>)

bool GNode::HasAttr(const AscendString& name) {
  return impl_ != nullptr && impl_->node->FindAttribute(name.GetString()) != nullptr;
}

graphStatus GNode::GetOutputAttr(const AscendString& name, uint32_t output_index,
                                 AttrValue& attr_value) const {
  return GuardGraph("GNode::GetOutputAttr", [&] {
    Node& node = NodeOf(*this);
    foothold::FromAttribute(
        foothold::GetAttribute(foothold::OutputAt(node, output_index).desc.details().attributes,
                               name.GetString(), "an output of " + node.Description()),
        attr_value, name.GetString());
  });
}

graphStatus GNode::SetOutputAttr(const AscendString& name, uint32_t output_index,
                                 const AttrValue& attr_value) {
  return GuardGraph("GNode::SetOutputAttr", [&] {
    Node& node = NodeOf(*this);
    foothold::SetAttribute(foothold::OutputAt(node, output_index).desc.EditDetails().attributes,
                           name.GetString(), foothold::ToAttribute(attr_value),
                           "an output of " + node.Description());
  });
}

graphStatus GNode::GetInputAttr(const AscendString& name, uint32_t input_index, AttrValue& attr_value) const {
  return GuardGraph("GNode::GetInputAttr", [&] {
    Node& node = NodeOf(*this);
    foothold::FromAttribute(
        foothold::GetAttribute(foothold::InputAt(node, input_index).desc.details().attributes,
                               name.GetString(), "an input of " + node.Description()),
        attr_value, name.GetString());
  });
}

graphStatus GNode::SetInputAttr(const AscendString& name, uint32_t input_index, const AttrValue& attr_value) {
  return GuardGraph("GNode::SetInputAttr", [&] {
    Node& node = NodeOf(*this);
    foothold::SetAttribute(foothold::InputAt(node, input_index).desc.EditDetails().attributes,
                           name.GetString(), foothold::ToAttribute(attr_value),
                           "an input of " + node.Description());
  });
}

}  // namespace ge
