// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What ge::Operator and ge::GNode both do with the ports, attributes and subgraphs of a node. Everything that
// is refused throws kInvalidParam with the node named. One thread at a time per node.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/graph.h"
#include "ir/node.h"

namespace foothold {

// Ports, attributes and subgraphs as the prototype of its type has them; nothing for an unknown type.
void FillFromPrototype(Node& node);

Input& InputAt(Node& node, std::int64_t index);
Output& OutputAt(Node& node, std::int64_t index);
Input& InputNamed(Node& node, const char* name);
Output& OutputNamed(Node& node, const char* name);
// What the program said about the port, or what its source says.
const PortDesc& InputDesc(const Input& input);
// Keeps the port's own attributes.
void UpdateDesc(PortDesc& port, const PortDesc& desc);

// Appends, or puts in front of others, `count` more instances of a dynamic port; `position` -1 is the end.
void AddInputInstances(Node& node, const std::string& group, std::uint32_t count, int position);
void AddOutputInstances(Node& node, const std::string& group, std::uint32_t count, int position);

// An attribute keeps the kind it was declared or first set with.
void SetAttribute(Node& node, std::string_view name, Attribute value);
const Attribute& GetAttribute(const Node& node, std::string_view name);
void SetAttribute(Attributes& attributes, std::string_view name, Attribute value, const std::string& owner);
const Attribute& GetAttribute(const Attributes& attributes, std::string_view name, const std::string& owner);

// The value of an input that comes from a constant, else null.
const TensorValue* ConstantAt(const Input& input);

// `name` as declared, with _<index> or <index> for one of a list.
Subgraph& SubgraphNamed(Node& node, std::string_view name);
// One of those declared as `group`, made if the declaration has not been counted yet.
Subgraph& SubgraphAt(Node& node, const std::string& group, std::uint32_t index);
void SetSubgraph(Node& node, Subgraph& subgraph, std::shared_ptr<Graph> graph);

}  // namespace foothold
