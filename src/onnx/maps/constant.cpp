// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/mapping.h"
#include "onnx/maps/shaping.h"

namespace foothold::onnx {
namespace {

template <typename T>
TensorValue ListOf(DataType type, const std::vector<T>& values) {
  return TensorValue::Of<T>(type, {static_cast<std::int64_t>(values.size())}, values);
}

void MapConstant(NodeImport& node) {
  for (const char* name : {"value", "sparse_value"})
    if (const TensorValue* value = node.Tensor(name)) return node.OutConstant(0, *value);
  if (node.HasAttribute("value_int")) {
    const std::int64_t value = node.Int("value_int", 0);
    return node.OutConstant(0, TensorValue::Of<std::int64_t>(DataType::kInt64, {}, {&value, 1}));
  }
  if (node.HasAttribute("value_float")) {
    const float value = node.Float("value_float", 0);
    return node.OutConstant(0, TensorValue::Of<float>(DataType::kFloat, {}, {&value, 1}));
  }
  if (node.HasAttribute("value_ints"))
    return node.OutConstant(0, ListOf(DataType::kInt64, node.IntList("value_ints")));
  if (node.HasAttribute("value_floats"))
    return node.OutConstant(0, ListOf(DataType::kFloat, node.FloatList("value_floats")));
  node.Unsupported("a constant of strings is not supported");
}

void MapConstantOfShape(NodeImport& node) {
  const TensorValue* value = node.Tensor("value");
  TensorValue fill = value == nullptr ? Filled(DataType::kFloat, {}, 0) : *value;
  fill.set_type({fill.type().type, Format::kNd, {}});
  node.Out(0, node.Op("Fill", {node.In(0), node.builder().Const(std::move(fill))}));
}

void MapRange(NodeImport& node) {
  node.Out(0, node.Op("Range", {node.In(0), node.In(1), node.In(2)}));
}

const RegisterMapping constant("Constant", MapConstant);
const RegisterMapping constant_of_shape("ConstantOfShape", MapConstantOfShape);
const RegisterMapping range("Range", MapRange);

}  // namespace
}  // namespace foothold::onnx
