// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/sources.h"

#include "base/error.h"
#include "ir/graph.h"
#include "ir/stored_weight.h"

namespace foothold {

bool IsData(const Node& node) {
  return node.type() == "Data" || node.type() == "RefData";
}
bool IsConstant(const Node& node) {
  return node.type() == "Const" || node.type() == "Constant";
}
bool IsVariable(const Node& node) {
  return node.type() == "Variable";
}

const TensorValue& ConstantValue(const Node& node) {
  const Attribute* attribute = node.FindAttribute("value");
  const auto* value = attribute == nullptr ? nullptr : std::get_if<TensorValue>(attribute);
  if (value == nullptr) Fail(kInvalidParam, "{} has no value", node.Description());
  if (value->type().type != DataType::kString && value->size() != ByteSize(value->type()))
    Fail(kInvalidParam, "{}: its value has {} bytes, but {} takes {}", node.Description(), value->size(),
         ToString(value->type()), ByteSize(value->type()));
  return *value;
}

Node& MakeConstant(Graph& graph, const std::string& name, TensorValue value) {
  Node& node = graph.Make("Const", name);
  node.AddOutput("y", PortKind::kRequired).desc = PortDesc(value.type());
  node.attributes["value"] = std::move(value);
  return node;
}

Node& MakeData(Graph& graph, const std::string& name, std::int64_t index, const TensorType& type) {
  Node& node = graph.Make("Data", name);
  node.AddOutput("y", PortKind::kRequired).desc = PortDesc(type);
  node.attributes["index"] = index;
  return node;
}

TensorType VariableType(const Node& node) {
  const TensorValue initial = InitialValue(node);
  if (initial.size() > 0) return initial.type();
  return node.outputs().at(0).desc;
}

TensorValue InitialValue(const Node& node) {
  const Attribute* attribute = node.FindAttribute("value");
  const auto* value = attribute == nullptr ? nullptr : std::get_if<TensorValue>(attribute);
  if (value == nullptr || value->size() == 0) return {};
  KeepWeight(*value);
  return ConstantValue(node);
}

}  // namespace foothold
