// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators that work element by element.
#include <limits>

#include "onnx/mapping.h"
#include "onnx/maps/shaping.h"

namespace foothold::onnx {
namespace {

// The name in the Graph Engine where it is not the same.
const std::map<std::string, std::string, std::less<>> kNames = {
    {"And", "LogicalAnd"},
    {"Or", "LogicalOr"},
    {"Not", "LogicalNot"},
    {"Xor", "NotEqual"},
    {"GreaterOrEqual", "GreaterEqual"},
    {"LessOrEqual", "LessEqual"},
    {"IsNaN", "IsNan"},
    {"BitwiseNot", "Invert"},
};

std::string NameOf(const std::string& op) {
  const auto found = kNames.find(op);
  return found == kNames.end() ? op : found->second;
}

void MapUnary(NodeImport& node) {
  node.Out(0, node.Op(NameOf(node.op()), {node.In(0)}));
}

// Before version 7 the second operand could stand at an axis of the first; later it stands at the end.
OutputRef SecondOperand(NodeImport& node) {
  const OutputRef second = node.In(1);
  if (node.version() >= 7 || node.Int("broadcast", 0) == 0 || !node.HasAttribute("axis")) return second;
  const std::size_t rank = node.Rank(0);
  const std::int64_t after = static_cast<std::int64_t>(rank) - node.AxisWithin(node.Int("axis", 0), rank);
  Ints axes;
  for (auto i = static_cast<std::int64_t>(node.Rank(1)); i < after; ++i)
    axes.push_back(i);
  return UnsqueezeAxes(node, second, axes);
}

void MapBinary(NodeImport& node) {
  const OutputRef first = node.In(0);
  node.Out(0, node.Op(NameOf(node.op()), {first, SecondOperand(node)}));
}

void MapDiv(NodeImport& node) {
  const OutputRef first = node.In(0);
  node.Out(0, node.Op("Div", {first, SecondOperand(node)}));
}

void MapMod(NodeImport& node) {
  node.Out(0, node.Op(node.Int("fmod", 0) != 0 ? "Mod" : "FloorMod", {node.In(0), node.In(1)}));
}

// The result has the type of the base.
void MapPow(NodeImport& node) {
  const DataType base = node.TypeOf(0).type, exponent = node.TypeOf(1).type;
  const OutputRef x = node.In(0);
  OutputRef power = SecondOperand(node);
  if (base == exponent) return node.Out(0, node.Op("Pow", {x, power}));
  const auto is_float = [](DataType type) { return type == DataType::kFloat || type == DataType::kDouble; };
  const bool through_float = !is_float(base) && is_float(exponent);
  const DataType type = through_float ? exponent : base;
  const OutputRef y = node.Op(
      "Pow", {through_float ? node.Cast(x, type) : x, through_float ? power : node.Cast(power, type)});
  node.Out(0, through_float ? node.Cast(y, base) : y);
}

OutputRef Fold(NodeImport& node, const std::string& type) {
  OutputRef result = node.In(0);
  for (int i = 1; i < node.inputs(); ++i)
    result = node.Op(type, {result, node.In(i)});
  return node.inputs() > 1 ? result : node.Op("Identity", {result});
}

void MapMax(NodeImport& node) {
  node.Out(0, Fold(node, "Maximum"));
}
void MapMin(NodeImport& node) {
  node.Out(0, Fold(node, "Minimum"));
}
void MapSum(NodeImport& node) {
  node.Out(0, Fold(node, "Add"));
}
void MapMean(NodeImport& node) {
  const OutputRef count = node.builder().Number(node.ElementType(0), node.inputs());
  node.Out(0, node.Op("Div", {Fold(node, "Add"), count}));
}

// Either bound may be missing.
void MapClip(NodeImport& node) {
  OutputRef low = node.InOr(1), high = node.InOr(2);
  const OutputRef x = node.In(0);
  if (node.HasAttribute("min")) low = node.builder().Number(node.ElementType(0), node.Float("min", 0));
  if (node.HasAttribute("max")) high = node.builder().Number(node.ElementType(0), node.Float("max", 0));
  if (low && high) return node.Out(0, node.Op("ClipByValue", {x, low, high}));
  if (low) return node.Out(0, node.Op("Maximum", {x, low}));
  if (high) return node.Out(0, node.Op("Minimum", {x, high}));
  node.Out(0, node.Op("Identity", {x}));
}

void MapWhere(NodeImport& node) {
  node.Out(0, node.Op("SelectV2", {node.In(0), node.In(1), node.In(2)}));
}

// Version 1 has the name of the type, later ones its number.
DataType CastTarget(NodeImport& node) {
  static const std::map<std::string, std::int64_t> kNumbers = {
      {"FLOAT", 1}, {"UINT8", 2}, {"INT8", 3},     {"UINT16", 4},  {"INT16", 5},   {"INT32", 6},
      {"INT64", 7}, {"BOOL", 9},  {"FLOAT16", 10}, {"DOUBLE", 11}, {"UINT32", 12}, {"UINT64", 13}};
  std::int64_t number = 0;
  if (node.version() < 6) {
    const auto found = kNumbers.find(node.Text("to", ""));
    number = found == kNumbers.end() ? 0 : found->second;
  } else {
    number = node.Int("to", 0);
  }
  return node.TypeOfNumber(number);
}

void RefuseStrings(const NodeImport& node, int input) {
  if (node.TypeOf(input).type == DataType::kString) node.Unsupported("strings are not supported");
}

void MapCast(NodeImport& node) {
  RefuseStrings(node, 0);
  node.Out(0, node.Cast(node.In(0), CastTarget(node)));
}

void MapCastLike(NodeImport& node) {
  RefuseStrings(node, 0);
  RefuseStrings(node, 1);
  node.Out(0, node.Cast(node.In(0), node.ElementType(1)));
}

void MapIsInf(NodeImport& node) {
  const OutputRef x = node.In(0);
  const bool negative = node.Int("detect_negative", 1) != 0, positive = node.Int("detect_positive", 1) != 0;
  if (negative && positive) return node.Out(0, node.Op("IsInf", {x}));
  const DataType type = node.ElementType(0);
  const OutputRef zero = node.builder().Number(type, 0);
  if (!negative && !positive)
    return node.Out(0, node.Op("NotEqual", {node.Op("IsInf", {x}), node.Op("IsInf", {x})}));
  const OutputRef side = node.Op(positive ? "Greater" : "Less", {x, zero});
  node.Out(0, node.Op("LogicalAnd", {node.Op("IsInf", {x}), side}));
}

void MapBitShift(NodeImport& node) {
  const bool left = node.Text("direction", "LEFT") == "LEFT";
  node.Out(0, node.Op(left ? "LeftShift" : "RightShift", {node.In(0), node.In(1)}));
}

const RegisterMapping unary({"Abs",  "Acos",     "Acosh",      "Asin", "Asinh", "Atan",      "Atanh", "Ceil",
                             "Cos",  "Cosh",     "Erf",        "Exp",  "Floor", "Identity",  "IsNaN", "Log",
                             "Neg",  "Not",      "Reciprocal", "Relu", "Round", "Sigmoid",   "Sign",  "Sin",
                             "Sinh", "Softsign", "Sqrt",       "Tan",  "Tanh",  "BitwiseNot"},
                            MapUnary);
const RegisterMapping binary({"Add", "Sub", "Mul", "And", "Or", "Xor", "Equal", "Greater", "Less",
                              "GreaterOrEqual", "LessOrEqual", "BitwiseAnd", "BitwiseOr", "BitwiseXor"},
                             MapBinary);
const RegisterMapping div("Div", MapDiv);
const RegisterMapping mod("Mod", MapMod);
const RegisterMapping pow("Pow", MapPow);
const RegisterMapping max("Max", MapMax);
const RegisterMapping min("Min", MapMin);
const RegisterMapping sum("Sum", MapSum);
const RegisterMapping mean("Mean", MapMean);
const RegisterMapping clip("Clip", MapClip);
const RegisterMapping where("Where", MapWhere);
const RegisterMapping cast("Cast", MapCast);
const RegisterMapping cast_like("CastLike", MapCastLike);
const RegisterMapping is_inf("IsInf", MapIsInf);
const RegisterMapping bit_shift("BitShift", MapBitShift);

}  // namespace
}  // namespace foothold::onnx
