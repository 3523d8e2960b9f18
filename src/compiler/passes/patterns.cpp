// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/patterns.h"

#include <algorithm>
#include <cmath>

#include "compiler/keep_nodes.h"
#include "compiler/node_effects.h"
#include "compiler/sources.h"
#include "ir/stored_weight.h"

namespace foothold {

const TensorValue* KnownValue(const OutputRef& value) {
  if (!value || !IsConstant(*value.node)) return nullptr;
  const TensorValue& known = ConstantValue(*value.node);
  LoadWeight(known);
  return &known;
}

std::optional<double> KnownScalar(const OutputRef& value) {
  if (!value || !IsConstant(*value.node) || ElementCount(TypeOf(value).dims) != 1) return std::nullopt;
  return Scalar(ConstantValue(*value.node));
}

bool IsAbout(double number, double wanted) {
  return std::fabs(number - wanted) <= 1e-6 * std::fabs(wanted);
}

const TensorType& TypeOf(const OutputRef& value) {
  return value.node->outputs()[static_cast<std::size_t>(value.port)].desc;
}

bool IsFloat(const OutputRef& value) {
  return value && TypeOf(value).type == DataType::kFloat;
}

Node* Maker(const OutputRef& value, std::string_view type) {
  if (!value || value.node->type() != type || value.node->outputs().size() != 1) return nullptr;
  return value.node;
}

OutputRef Operand(const Node& node, int port) {
  const auto at = static_cast<std::size_t>(port);
  return at < node.inputs().size() ? node.inputs()[at].source : OutputRef();
}

OutputRef OtherOperand(const Node& node, const OutputRef& value) {
  if (node.inputs().size() != 2 || Operand(node, 0) == Operand(node, 1)) return {};
  if (Operand(node, 0) == value) return Operand(node, 1);
  return Operand(node, 1) == value ? Operand(node, 0) : OutputRef();
}

Node* OnlyReader(const Graph& graph, const Node& node) {
  if (node.outputs().size() != 1 || node.outputs()[0].consumers.size() != 1 || !IsInner(graph, node))
    return nullptr;
  Node* reader = node.outputs()[0].consumers[0].node;
  const bool may_go = reader->outputs().size() == 1 && reader->control_inputs().empty() &&
                      reader->control_outputs().empty() && !KeepsNode(*reader) && !IsStateful(*reader);
  return may_go ? reader : nullptr;
}

bool IsClosed(const Graph& graph, const std::vector<Node*>& nodes, const Node& last) {
  if (KeepsNode(last) || !last.control_inputs().empty()) return false;
  const auto is_one = [&](const InputRef& use) {
    return std::find(nodes.begin(), nodes.end(), use.node) != nodes.end();
  };
  return std::all_of(nodes.begin(), nodes.end(), [&](const Node* node) {
    if (IsStateful(*node) || ReadsState(*node)) return false;
    const auto& consumers = node->outputs()[0].consumers;
    return node == &last ||
           (IsInner(graph, *node) && std::all_of(consumers.begin(), consumers.end(), is_one));
  });
}

void Become(Node& node, const char* type, const std::vector<PortSource>& inputs) {
  while (!node.inputs().empty()) {
    node.Disconnect(static_cast<int>(node.inputs().size()) - 1);
    node.inputs().pop_back();
  }
  node.set_type(type);
  for (const auto& [name, source] : inputs) {
    if (!source) continue;
    node.AddInput(name, PortKind::kOptional);
    node.Connect(static_cast<int>(node.inputs().size()) - 1, source);
  }
}

}  // namespace foothold
