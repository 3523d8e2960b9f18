// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Between floats and narrow integers by scales and offsets, one for all elements or one for each index of an
// axis: AscendQuantV2 multiplies by its scale, Quantize divides by it, AscendAntiQuant goes back, and
// AscendRequant takes int32 sums to int8.
#include <algorithm>
#include <cctype>

#include "ops/data/rule_arguments.h"
#include "ops/elementwise/channel_axis.h"
#include "ops/elementwise/element_op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

float Required(const OpContext& context, const char* name) {
  if (context.node().FindAttribute(name) == nullptr) context.Refuse("attribute '{}' is required", name);
  return context.node().Float(name, 0);
}

bool IsGiven(const OpContext& context, int port) {
  return context.inputs() > port && context.Has(port);
}

DataType Narrow(const OpContext& context, DataType type) {
  if (type == DataType::kInt4) context.Unsupported("no kernel for int4; int8 would run");
  return type;
}

// The dimensions of a scale as it is repeated over x.
Dims AlongAxis(const OpContext& context, int port, std::int64_t axis) {
  const Dims& x = context.InDims(0);
  const std::int64_t count = ElementCount(context.InDims(port));
  if (count == 1) return {};
  const std::size_t place = AxisIn(context, axis, x.size(), "attribute 'axis'");
  if (count != x[place])
    context.Refuse("'{}' is {}, expected one number or one for each of {}",
                   context.node().inputs()[static_cast<std::size_t>(port)].name, ToString(context.In(port)),
                   x[place]);
  Dims dims(x.size(), 1);
  dims[place] = count;
  return dims;
}

const char* RoundingFunction(const OpContext& context) {
  std::string mode = context.node().Text("round_mode", "round");
  std::transform(mode.begin(), mode.end(), mode.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (mode == "round" || mode == "rint") return "Rint";
  if (mode == "floor") return "Floor";
  if (mode == "ceil") return "Ceil";
  if (mode == "trunc") return "Trunc";
  context.Refuse("attribute 'round_mode' is '{}', expected round, floor, ceil or trunc", mode);
}

// Operands x, scale and, if it is given, offset; steps come after them.
ElementFormula Scaled(const OpContext& context, std::int64_t axis) {
  ElementFormula formula{
      context.Out(0).dims, {{0, context.InDims(0)}, {1, AlongAxis(context, 1, axis)}}, {}, {}};
  if (IsGiven(context, 2)) formula.operands.push_back({2, AlongAxis(context, 2, axis)});
  return formula;
}

int Then(ElementFormula& formula, const char* function, std::vector<int> operands,
         std::vector<float> params = {}) {
  formula.steps.push_back({function, std::move(operands), std::move(params)});
  return static_cast<int>(formula.operands.size() + formula.steps.size()) - 1;
}

std::int64_t AxisOfV2(const OpContext& context) {
  return context.node().Int("axis", -1);
}

void InferQuantV2(OpContext& context) {
  const DataType type = Narrow(context, TypeAttribute(context, "dst_type", DataType::kInt8));
  if (type != DataType::kInt8 && type != DataType::kUint8 && type != DataType::kInt32)
    context.Refuse("attribute 'dst_type' is {}, expected int8", DataTypeName(type));
  Scaled(context, AxisOfV2(context));
  context.SetOut(0, type, context.InDims(0), context.In(0).format);
}

std::optional<ElementFormula> QuantV2Formula(const OpContext& context) {
  if (!IsFloatType(context.In(0).type)) return std::nullopt;
  ElementFormula formula = Scaled(context, AxisOfV2(context));
  int value = Then(formula, "Mul", {0, 1});
  if (context.node().Bool("sqrt_mode", false)) value = Then(formula, "Mul", {value, 1});
  if (IsGiven(context, 2)) value = Then(formula, "Add", {value, 2});
  formula.results = {{Then(formula, RoundingFunction(context), {value}), 0}};
  return formula;
}

DataType NamedType(const OpContext& context) {
  const std::string name = context.node().Text("dtype", "");
  for (const auto& [ending, type] : {std::pair{"quint8", DataType::kUint8},
                                     {"qint8", DataType::kInt8},
                                     {"qint32", DataType::kInt32},
                                     {"uint8", DataType::kUint8},
                                     {"int8", DataType::kInt8},
                                     {"int32", DataType::kInt32}})
    if (name.ends_with(ending)) return type;
  context.Refuse("attribute 'dtype' is '{}', expected torch.qint8, torch.quint8 or torch.qint32", name);
}

std::int64_t AxisOfQuantize(const OpContext& context) {
  return context.node().Int("axis", 1);
}

void InferQuantize(OpContext& context) {
  Scaled(context, AxisOfQuantize(context));
  context.SetOut(0, NamedType(context), context.InDims(0), context.In(0).format);
}

std::optional<ElementFormula> QuantizeFormula(const OpContext& context) {
  if (!IsFloatType(context.In(0).type)) return std::nullopt;
  ElementFormula formula = Scaled(context, AxisOfQuantize(context));
  int value = Then(formula, "Rint", {Then(formula, "Div", {0, 1})});
  if (IsGiven(context, 2)) value = Then(formula, "Add", {value, 2});
  formula.results = {{value, 0}};
  return formula;
}

void InferAntiQuant(OpContext& context) {
  const bool attributes = context.node().type() == "AscendAntiQuant";
  const DataType type = attributes ? TypeAttribute(context, "dtype", DataType::kFloat)
                                   : TypeAttribute(context, "dst_type", DataType::kFloat16);
  if (!IsFloatType(type)) context.Refuse("the result is {}, expected float or float16", DataTypeName(type));
  if (!attributes) Scaled(context, -1);
  context.SetOut(0, type, context.InDims(0), context.In(0).format);
}

bool IsNarrow(DataType type) {
  return type == DataType::kInt8 || type == DataType::kUint8;
}

std::optional<ElementFormula> AntiQuantFormula(const OpContext& context) {
  Narrow(context, context.In(0).type);
  if (!IsNarrow(context.In(0).type)) return std::nullopt;
  const float scale = Required(context, "scale");
  ElementFormula formula{context.Out(0).dims, {{0, context.InDims(0)}}, {}, {}};
  int value = Then(formula, "AddBy", {0}, {Required(context, "offset")});
  value = Then(formula, "MulBy", {value}, {scale});
  if (context.node().Bool("sqrt_mode", false)) value = Then(formula, "MulBy", {value}, {scale});
  formula.results = {{value, 0}};
  return formula;
}

std::optional<ElementFormula> AntiQuantV2Formula(const OpContext& context) {
  Narrow(context, context.In(0).type);
  if (!IsNarrow(context.In(0).type)) return std::nullopt;
  ElementFormula formula = Scaled(context, -1);
  int value = IsGiven(context, 2) ? Then(formula, "Add", {0, 2}) : 0;
  value = Then(formula, "Mul", {value, 1});
  if (context.node().Bool("sqrt_mode", false)) value = Then(formula, "Mul", {value, 1});
  formula.results = {{value, 0}};
  return formula;
}

Dims RequantScale(const OpContext& context) {
  return OverChannels(context, context.In(0), ChannelAxis(context.In(0), "NHWC"), 1);
}

void InferRequant(OpContext& context) {
  const DataType scale = context.In(1).type;
  if (!IsFloatType(scale) && scale != DataType::kUint64 && scale != DataType::kInt64)
    context.Refuse("'req_scale' is {}, expected uint64 or float", DataTypeName(scale));
  RequantScale(context);
  context.SetOut(0, DataType::kInt8, context.InDims(0), context.In(0).format);
}

std::optional<ElementFormula> RequantFormula(const OpContext& context) {
  if (context.In(0).type != DataType::kInt32) return std::nullopt;
  // A 64-bit scale holds a float in its low half, which comes first in memory.
  const std::int64_t spacing = IsFloatType(context.In(1).type) ? 1 : 2;
  ElementFormula formula{
      context.Out(0).dims, {{0, context.InDims(0)}, {1, RequantScale(context), spacing}}, {}, {}};
  int value = Then(formula, "Mul", {0, 1});
  if (context.node().Bool("relu_flag", false)) value = Then(formula, "Relu", {value});
  formula.results = {{Then(formula, "Rint", {value}), 0}};
  return formula;
}

OpDef Def(const char* type, OpDef::InferRule infer, FormulaRule formula, std::vector<DataType> types) {
  AddFormulaRule(type, formula);
  return OpDef(type).Infer(std::move(infer)).Types(std::move(types)).Lower([formula](OpContext& context) {
    const auto made = formula(context);
    if (!made) context.Unsupported("no kernel for {}", DataTypeName(context.In(0).type));
    return LowerFormula(context, *made);
  });
}

const RegisterOp scale_quantization(
    {Def("AscendQuantV2", InferQuantV2, QuantV2Formula, FloatTypes()),
     Def("Quantize", InferQuantize, QuantizeFormula, FloatTypes()),
     Def("AscendAntiQuant", InferAntiQuant, AntiQuantFormula, {DataType::kInt8, DataType::kUint8}),
     Def("AscendAntiQuantV2", InferAntiQuant, AntiQuantV2Formula, {DataType::kInt8, DataType::kUint8}),
     Def("AscendRequant", InferRequant, RequantFormula, {DataType::kInt32})});

}  // namespace
}  // namespace foothold
