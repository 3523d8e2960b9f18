// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/ge/node_ports.h"

#include <fmt/format.h>

#include "base/error.h"
#include "prototypes/prototype.h"

namespace foothold {
namespace {

// More instances are a mistake that would only be noticed as lost memory.
constexpr std::uint32_t kMaxInstances = 65536;

template <typename Ports>
std::string Names(const Ports& ports) {
  std::string names;
  for (const auto& port : ports)
    names += (names.empty() ? "'" : ", '") + port.name + "'";
  return names.empty() ? "none" : names;
}

void CheckInstances(const Node& node, const std::string& group, std::uint32_t count) {
  if (count > kMaxInstances)
    Fail(kInvalidParam, "{} cannot have {} instances of '{}'; {} is the limit", node.Description(), count,
         group, kMaxInstances);
}

bool IsDynamic(const PrototypePort& port) {
  return port.kind == PortKind::kDynamic;
}

}  // namespace

void FillFromPrototype(Node& node) {
  const Prototype* prototype = FindPrototype(node.type());
  if (prototype == nullptr) return;
  node.ReservePorts(prototype->inputs.size(), prototype->outputs.size());
  for (const PrototypePort& port : prototype->inputs)
    if (!IsDynamic(port)) node.AddInput(port.name, port.kind);
  for (const PrototypePort& port : prototype->outputs)
    if (!IsDynamic(port)) node.AddOutput(port.name, port.kind);
  for (const PrototypeAttribute& attribute : prototype->attributes)
    node.attributes[attribute.name] = attribute.default_value;
  for (const PrototypeSubgraph& subgraph : prototype->subgraphs)
    if (!subgraph.dynamic) node.subgraphs.push_back({subgraph.name, subgraph.name, nullptr, nullptr});
}

Input& InputAt(Node& node, std::int64_t index) {
  if (index < 0 || index >= static_cast<std::int64_t>(node.inputs().size()))
    Fail(kInvalidParam, "{} has {} inputs, so there is no input {}", node.Description(), node.inputs().size(),
         index);
  return node.inputs()[static_cast<std::size_t>(index)];
}

Output& OutputAt(Node& node, std::int64_t index) {
  if (index < 0 || index >= static_cast<std::int64_t>(node.outputs().size()))
    Fail(kInvalidParam, "{} has {} outputs, so there is no output {}", node.Description(),
         node.outputs().size(), index);
  return node.outputs()[static_cast<std::size_t>(index)];
}

Input& InputNamed(Node& node, const char* name) {
  const int index = name == nullptr ? -1 : node.InputIndex(name);
  if (index < 0)
    Fail(kInvalidParam, "{} has no input '{}'; it has {}", node.Description(), name == nullptr ? "" : name,
         Names(node.inputs()));
  return node.inputs()[static_cast<std::size_t>(index)];
}

Output& OutputNamed(Node& node, const char* name) {
  const int index = name == nullptr ? -1 : node.OutputIndex(name);
  if (index < 0)
    Fail(kInvalidParam, "{} has no output '{}'; it has {}", node.Description(), name == nullptr ? "" : name,
         Names(node.outputs()));
  return node.outputs()[static_cast<std::size_t>(index)];
}

const PortDesc& InputDesc(const Input& input) {
  if (input.desc.set || !input.source) return input.desc;
  return input.source.node->outputs()[static_cast<std::size_t>(input.source.port)].desc;
}

void UpdateDesc(PortDesc& port, const PortDesc& desc) {
  Attributes own = port.details().attributes;
  port = desc;
  port.set = true;
  if (!own.empty()) port.EditDetails().attributes.merge(own);
}

void AddInputInstances(Node& node, const std::string& group, std::uint32_t count, int position) {
  CheckInstances(node, group, count);
  const std::size_t first = node.InputGroup(group).size();
  for (std::uint32_t i = 0; i < count; ++i)
    node.AddInput(group + std::to_string(first + i), PortKind::kDynamic, group,
                  position < 0 ? -1 : position + static_cast<int>(i));
}

void AddOutputInstances(Node& node, const std::string& group, std::uint32_t count, int position) {
  CheckInstances(node, group, count);
  const std::size_t first = node.OutputGroup(group).size();
  for (std::uint32_t i = 0; i < count; ++i)
    node.AddOutput(group + std::to_string(first + i), PortKind::kDynamic, group,
                   position < 0 ? -1 : position + static_cast<int>(i));
}

const TensorValue* ConstantAt(const Input& input) {
  if (!input.source) return nullptr;
  const Node& producer = *input.source.node;
  if (producer.type() != "Const" && producer.type() != "Constant") return nullptr;
  const Attribute* value = producer.FindAttribute("value");
  return value == nullptr ? nullptr : std::get_if<TensorValue>(value);
}

Subgraph& SubgraphNamed(Node& node, std::string_view name) {
  for (Subgraph& subgraph : node.subgraphs) {
    const std::string_view own = subgraph.name;
    const bool listed = own != subgraph.group;
    const bool without_underscore =
        listed && name.size() + 1 == own.size() && name.starts_with(subgraph.group) &&
        name.substr(subgraph.group.size()) == own.substr(subgraph.group.size() + 1);
    if (own == name || without_underscore) return subgraph;
  }
  Fail(kInvalidParam, "{} has no subgraph '{}'; it has {}", node.Description(), name, Names(node.subgraphs));
}

Subgraph& SubgraphAt(Node& node, const std::string& group, std::uint32_t index) {
  std::uint32_t position = 0;
  for (Subgraph& subgraph : node.subgraphs)
    if (subgraph.group == group && position++ == index) return subgraph;
  Fail(kInvalidParam, "{} has {} subgraphs '{}', so there is no subgraph {}", node.Description(), position,
       group, index);
}

void SetSubgraph(Node& node, Subgraph& subgraph, std::shared_ptr<Graph> graph) {
  graph->parent = &node;
  subgraph.graph = std::move(graph);
  subgraph.builder = nullptr;
}

}  // namespace foothold
