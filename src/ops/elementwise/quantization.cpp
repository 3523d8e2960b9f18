// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// AscendQuant: floats to int8 by a scale and an offset. AscendDequant: int32 sums back to floats, with one
// scale for all or one per channel.
#include "ops/elementwise/channel_axis.h"
#include "ops/elementwise/element_op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

float Required(const OpContext& context, const char* name) {
  if (context.node().FindAttribute(name) == nullptr) context.Refuse("attribute '{}' is required", name);
  return context.node().Float(name, 0);
}

DataType TypeAttribute(const OpContext& context, const char* name, DataType otherwise) {
  const Attribute* given = context.node().FindAttribute(name);
  const auto* named = given == nullptr ? nullptr : std::get_if<DataType>(given);
  return named != nullptr ? *named
                          : static_cast<DataType>(context.node().Int(name, static_cast<int>(otherwise)));
}

const char* RoundingFunction(const OpContext& context) {
  const std::string mode = context.node().Text("round_mode", "Round");
  if (mode == "Round") return "Rint";
  if (mode == "Floor") return "Floor";
  if (mode == "Ceil" || mode == "Ceiling") return "Ceil";
  if (mode == "Trunc") return "Trunc";
  context.Refuse("attribute 'round_mode' is '{}', expected Round, Floor, Ceil or Trunc", mode);
}

void InferQuant(OpContext& context) {
  const DataType type = TypeAttribute(context, "dst_type", DataType::kInt8);
  if (type == DataType::kInt4) context.Unsupported("no kernel for int4; int8 is dst_type 2");
  if (type != DataType::kInt8)
    context.Refuse("attribute 'dst_type' is {}, expected 2 for int8", static_cast<int>(type));
  context.SetOut(0, type, context.InDims(0), context.In(0).format);
}

// The product and the sum are rounded one after the other, as they are written.
std::optional<ElementFormula> QuantFormula(const OpContext& context) {
  if (!IsFloatType(context.In(0).type)) return std::nullopt;
  float scale = Required(context, "scale");
  if (context.node().Bool("sqrt_mode", false)) scale *= scale;
  return ElementFormula{context.Out(0).dims,
                        {{0, context.InDims(0)}},
                        {{"MulBy", {0}, {scale}},
                         {"AddBy", {1}, {Required(context, "offset")}},
                         {RoundingFunction(context), {2}, {}}},
                        {{3, 0}}};
}

bool IsScale(DataType type) {
  return IsFloatType(type) || type == DataType::kUint64 || type == DataType::kInt64;
}

Dims ScaleDims(const OpContext& context) {
  return OverChannels(context, context.In(0), ChannelAxis(context.In(0), "NHWC"), 1);
}

void InferDequant(OpContext& context) {
  if (context.inputs() != 2) context.Refuse("there are {} inputs, expected 2", context.inputs());
  const DataType type = TypeAttribute(context, "dtype", DataType::kFloat);
  if (!IsFloatType(type))
    context.Refuse("attribute 'dtype' is {}, expected 0 for float or 1 for float16", static_cast<int>(type));
  if (!IsScale(context.In(1).type))
    context.Refuse("'deq_scale' is {}, expected uint64 or float", DataTypeName(context.In(1).type));
  ScaleDims(context);
  context.SetOut(0, type, context.InDims(0), context.In(0).format);
}

std::optional<ElementFormula> DequantFormula(const OpContext& context) {
  if (context.In(0).type != DataType::kInt32 && !IsFloatType(context.In(0).type)) return std::nullopt;
  // A 64-bit scale holds a float in its low half, which comes first in memory.
  const std::int64_t spacing = IsFloatType(context.In(1).type) ? 1 : 2;
  ElementFormula formula{context.Out(0).dims,
                         {{0, context.InDims(0)}, {1, ScaleDims(context), spacing}},
                         {{"Mul", {0, 1}, {}}},
                         {}};
  int value = 2;
  if (context.node().Bool("sqrt_mode", false)) formula.steps.push_back({"Mul", {value++, 1}, {}});
  if (context.node().Bool("relu_flag", false)) formula.steps.push_back({"Relu", {value++}, {}});
  formula.results = {{value, 0}};
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

const RegisterOp quantization({Def("AscendQuant", InferQuant, QuantFormula, FloatTypes()),
                               Def("AscendDequant", InferDequant, DequantFormula,
                                   {DataType::kInt32, DataType::kFloat, DataType::kFloat16,
                                    DataType::kBfloat16})});

}  // namespace
}  // namespace foothold
