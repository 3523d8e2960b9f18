// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/quantization.h"

#include <algorithm>
#include <cmath>

#include "compiler/passes/patterns.h"

namespace foothold {
namespace {

bool IsByte(DataType type) {
  return type == DataType::kInt8 || type == DataType::kUint8;
}

bool IsUsable(double scale) {
  return std::isfinite(scale) && scale > 0;
}

std::optional<Quantized> Described(Node& node, const OutputRef& bytes) {
  const auto scale = KnownScalar(Operand(node, 1));
  const OutputRef zero = Operand(node, 2);
  const auto known = zero ? KnownScalar(zero) : std::optional<double>(0);
  if (!scale || !known || !IsUsable(*scale) || !IsByte(TypeOf(bytes).type)) return std::nullopt;
  return Quantized{bytes, TypeOf(bytes).type, static_cast<float>(*scale), static_cast<int>(*known)};
}

std::vector<float> FloatsOf(const TensorValue& value) {
  const auto count = static_cast<std::size_t>(ElementCount(value.dims()));
  return {value.As<float>(), value.As<float>() + count};
}

bool AllZero(const TensorValue& value) {
  const std::vector<std::int64_t> numbers = Integers(value);
  return std::all_of(numbers.begin(), numbers.end(), [](std::int64_t number) { return number == 0; });
}

// One number, or one for each index of an axis.
bool GoesAlong(const Node& node, const OutputRef& values, const Dims& dims, std::size_t axis) {
  const std::int64_t count = ElementCount(TypeOf(values).dims);
  if (count == 1) return true;
  const std::int64_t given = node.Int("axis", 1);
  const std::int64_t place = given < 0 ? given + static_cast<std::int64_t>(dims.size()) : given;
  return place == static_cast<std::int64_t>(axis) && count == dims[axis];
}

}  // namespace

bool AreUsable(const std::vector<float>& scales) {
  return std::all_of(scales.begin(), scales.end(), IsUsable);
}

IntegerLimits Quantized::Limits() const {
  const int low = type == DataType::kInt8 ? -128 : 0;
  return {static_cast<float>(low - zero), static_cast<float>(low + 255 - zero)};
}

std::int64_t Quantized::Largest() const {
  const IntegerLimits limits = Limits();
  return static_cast<std::int64_t>(std::max(-limits.low, limits.high));
}

std::optional<Quantized> QuantizedOf(const OutputRef& value) {
  Node* node = Maker(value, "OnnxDequantizeLinear");
  if (node == nullptr || !Operand(*node, 0)) return std::nullopt;
  return Described(*node, Operand(*node, 0));
}

std::optional<Quantized> QuantizationBy(Node& node) {
  if (node.type() != "OnnxQuantizeLinear" || !Operand(node, 0)) return std::nullopt;
  return Described(node, {&node, 0});
}

std::optional<QuantizedConstant> QuantizedBytesOf(const OutputRef& value, std::size_t axis) {
  auto constant = QuantizedConstantOf(value, axis);
  return constant && IsByte(TypeOf(constant->numbers).type) ? constant : std::nullopt;
}

std::optional<QuantizedConstant> QuantizedConstantOf(const OutputRef& value, std::size_t axis) {
  Node* node = Maker(value, "OnnxDequantizeLinear");
  if (node == nullptr || KnownValue(Operand(*node, 0)) == nullptr) return std::nullopt;
  const TensorValue* scales = KnownValue(Operand(*node, 1));
  const OutputRef zeros = Operand(*node, 2);
  const Dims& dims = TypeOf(value).dims;
  if (scales == nullptr || axis >= dims.size() || !GoesAlong(*node, Operand(*node, 1), dims, axis))
    return std::nullopt;
  QuantizedConstant constant{Operand(*node, 0), {}, FloatsOf(*scales)};
  if (constant.scales.empty() || !AreUsable(constant.scales)) return std::nullopt;
  constant.scales.resize(static_cast<std::size_t>(dims[axis]), constant.scales[0]);
  if (!zeros) return constant;
  const TensorValue* known = KnownValue(zeros);
  if (known == nullptr || !GoesAlong(*node, zeros, dims, axis)) return std::nullopt;
  if (!AllZero(*known)) constant.zeros = zeros;
  return constant;
}

}  // namespace foothold
