// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/custom_mapping.h"

#include <algorithm>
#include <climits>
#include <type_traits>

#include "onnx/node_import.h"
#include "prototypes/late_operators.h"

namespace foothold::onnx {
namespace {

bool IsList(const PrototypePort& port) {
  return port.kind == PortKind::kDynamic;
}

// How many of the node's values the ports before and behind a list leave to it.
int ListLength(const std::vector<PrototypePort>& ports, int values) {
  const auto others =
      std::count_if(ports.begin(), ports.end(), [](const auto& port) { return !IsList(port); });
  return std::max(values - static_cast<int>(others), 0);
}

void ConnectInputs(NodeImport& node, const Prototype& prototype, OpBuilder& op) {
  int next = 0;
  for (const PrototypePort& port : prototype.inputs) {
    if (!IsList(port)) {
      op.In(port.name, node.InOr(next++));
      continue;
    }
    std::vector<OutputRef> values;
    for (int left = ListLength(prototype.inputs, node.inputs()); left > 0; --left)
      values.push_back(node.In(next++));
    op.InList(port.name, values);
  }
  if (next < node.inputs())
    node.Unsupported("it has {} inputs, and the operator of that name takes {}", node.inputs(), next);
}

// Flags are integers in ONNX.
Attribute Converted(const NodeImport& node, const PrototypeAttribute& declared, const ModelAttribute& value) {
  using Type = PrototypeAttributeType;
  const auto* const number = std::get_if<std::int64_t>(&value);
  if (number != nullptr && declared.type == Type::kBool) return *number != 0;
  if (number != nullptr && declared.type == Type::kInt) return *number;
  if (const auto* const text = std::get_if<std::string>(&value);
      text != nullptr && declared.type == Type::kString)
    return *text;
  if (const auto* const real = std::get_if<float>(&value); real != nullptr && declared.type == Type::kFloat)
    return *real;
  if (const auto* const list = std::get_if<Ints>(&value); list != nullptr && declared.type == Type::kListInt)
    return *list;
  if (const auto* const list = std::get_if<Floats>(&value);
      list != nullptr && declared.type == Type::kListFloat)
    return *list;
  node.Unsupported("attribute '{}' is not of the kind {} that the operator declares", declared.name,
                   AttributeTypeName(declared.type));
}

void SetAttributes(const NodeImport& node, const Prototype& prototype, OpBuilder& op) {
  for (const auto& [name, value] : node.node().attributes) {
    const PrototypeAttribute* const declared = prototype.FindAttribute(name);
    if (declared == nullptr) node.Unsupported("the operator of that name has no attribute '{}'", name);
    op.Set(name, Converted(node, *declared, value));
  }
}

void MapCustom(NodeImport& node) {
  const Prototype* const prototype = FindPrototype(node.op());
  if (prototype == nullptr) node.Unsupported("the operator has gone");
  OpBuilder op = node.Op(node.op());
  ConnectInputs(node, *prototype, op);
  SetAttributes(node, *prototype, op);
  for (const PrototypePort& port : prototype->outputs)
    if (IsList(port))
      op.Outputs(port.name, static_cast<std::size_t>(ListLength(prototype->outputs, node.outputs())));
  for (int i = 0; i < node.outputs(); ++i)
    node.Out(i, op.Out(i));
}

}  // namespace

const Mapping* FindCustomMapping(std::string_view op) {
  static const auto* const any = new Mapping{"", MapCustom, 1, INT_MAX};
  return IsLateOperator(op) ? any : nullptr;
}

}  // namespace foothold::onnx
