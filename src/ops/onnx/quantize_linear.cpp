// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// OnnxQuantizeLinear: round(x / scale) + zero point, as int8 or uint8, which saturate. OnnxDequantizeLinear:
// (x - zero point) * scale, as float. Scales and zero points are one number, or one for each index of 'axis'.
// Passes see what constants were made of: they are computed when nobody has an integer kernel for them.
#include "ops/elementwise/element_op.h"

namespace foothold {
namespace {

bool IsGiven(const OpContext& context, int port) {
  return context.inputs() > port && context.Has(port);
}

Dims AlongAxis(const OpContext& context, int port) {
  const Dims& x = context.InDims(0);
  const std::int64_t count = ElementCount(context.InDims(port));
  if (count == 1) return {};
  const auto rank = static_cast<std::int64_t>(x.size());
  const std::int64_t axis = context.node().Int("axis", 1), place = axis < 0 ? axis + rank : axis;
  if (place < 0 || place >= rank || x[static_cast<std::size_t>(place)] != count)
    context.Refuse("input {} is {}, expected one number or one for each index of axis {} of {}", port,
                   ToString(context.In(port)), axis, ToString(x));
  Dims dims(x.size(), 1);
  dims[static_cast<std::size_t>(place)] = count;
  return dims;
}

// Operands x, scale and, if it is given, zero point.
ElementFormula Scaled(const OpContext& context) {
  ElementFormula formula{context.InDims(0), {{0, context.InDims(0)}, {1, AlongAxis(context, 1)}}, {}, {}};
  if (IsGiven(context, 2)) formula.operands.push_back({2, AlongAxis(context, 2)});
  return formula;
}

int Then(ElementFormula& formula, const char* function, std::vector<int> operands) {
  formula.steps.push_back({function, std::move(operands), {}});
  return static_cast<int>(formula.operands.size() + formula.steps.size()) - 1;
}

bool IsByte(DataType type) {
  return type == DataType::kInt8 || type == DataType::kUint8;
}

void CheckScale(const OpContext& context) {
  if (context.In(1).type != DataType::kFloat)
    context.Refuse("the scale is {}, expected float", ToString(context.In(1)));
}

void InferQuantize(OpContext& context) {
  const DataType type =
      IsGiven(context, 2)
          ? context.In(2).type
          : static_cast<DataType>(context.node().Int("type", static_cast<int>(DataType::kUint8)));
  CheckScale(context);
  if (context.In(0).type != DataType::kFloat || !IsByte(type))
    context.Refuse("x is {} and the result {}; expected float, and int8 or uint8", ToString(context.In(0)),
                   DataTypeName(type));
  Scaled(context);
  context.SetOut(0, type, context.InDims(0), context.In(0).format);
}

std::optional<ElementFormula> QuantizeFormula(const OpContext& context) {
  ElementFormula formula = Scaled(context);
  int value = Then(formula, "Rint", {Then(formula, "Div", {0, 1})});
  if (IsGiven(context, 2)) value = Then(formula, "Add", {value, 2});
  formula.results = {{value, 0}};
  return formula;
}

void InferDequantize(OpContext& context) {
  const DataType type = context.In(0).type;
  CheckScale(context);
  if (!IsByte(type) && type != DataType::kInt32)
    context.Refuse("x is {}, expected int8, uint8 or int32", ToString(context.In(0)));
  if (IsGiven(context, 2) && context.In(2).type != type)
    context.Refuse("the zero point is {}, expected {}", ToString(context.In(2)), DataTypeName(type));
  Scaled(context);
  context.SetOut(0, DataType::kFloat, context.InDims(0), context.In(0).format);
}

std::optional<ElementFormula> DequantizeFormula(const OpContext& context) {
  ElementFormula formula = Scaled(context);
  const int centred = IsGiven(context, 2) ? Then(formula, "Sub", {0, 2}) : 0;
  formula.results = {{Then(formula, "Mul", {centred, 1}), 0}};
  return formula;
}

OpDef Def(const char* type, OpDef::InferRule infer, FormulaRule formula, std::vector<DataType> types) {
  AddFormulaRule(type, formula);
  return OpDef(type).Infer(std::move(infer)).Types(std::move(types)).Lower([formula](OpContext& context) {
    return LowerFormula(context, *formula(context));
  });
}

const RegisterOp quantize_linear({Def("OnnxQuantizeLinear", InferQuantize, QuantizeFormula,
                                      {DataType::kFloat}),
                                  Def("OnnxDequantizeLinear", InferDequantize, DequantizeFormula,
                                      {DataType::kInt8, DataType::kUint8, DataType::kInt32})});

}  // namespace
}  // namespace foothold
