// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// BiasAdd, PRelu: one number per channel. Bias, Scale: numbers for some neighbouring axes.
#include "ops/elementwise/channel_axis.h"
#include "ops/elementwise/element_op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

struct AddOf {
  static double Of(double a, double b) { return a + b; }
  template <Integer T>
  static T Of(T a, T b) {
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }
};
struct PReluOf {
  static double Of(double a, double b) { return a > 0 ? a : a * b; }
};

void CheckInputs(const OpContext& context, int least, int most) {
  if (context.inputs() < least || context.inputs() > most)
    context.Refuse("there are {} inputs, expected {}", context.inputs(), most);
  for (int port = 1; port < context.inputs(); ++port)
    if (context.Has(port) && context.In(port).type != context.In(0).type)
      context.Refuse("input '{}' is {}, expected {} as the first input is",
                     context.node().inputs()[static_cast<std::size_t>(port)].name,
                     DataTypeName(context.In(port).type), DataTypeName(context.In(0).type));
}

Dims BiasAddDims(const OpContext& context) {
  return OverChannels(context, context.In(0),
                      ChannelAxis(context.In(0), context.node().Text("data_format", "NHWC")), 1);
}

bool Repeats(const Dims& from, const Dims& to) {
  if (from.size() > to.size()) return false;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] != 1 && from[i] != to[to.size() - from.size() + i]) return false;
  return true;
}

// A vector is over the channels, which are axis 1 unless the format says otherwise; anything else is repeated
// from the right.
Dims PReluDims(const OpContext& context) {
  const TensorType& x = context.In(0);
  const Dims& weight = context.InDims(1);
  if (ElementCount(weight) == 1) return {};
  if (weight.size() > 1 && Repeats(weight, x.dims)) return weight;
  const bool last = x.format == Format::kNhwc || x.format == Format::kNdhwc || x.dims.size() < 2;
  return OverChannels(context, x, last ? static_cast<int>(x.dims.size()) - 1 : 1, 1);
}

// The axes that Caffe's `axis` and `num_axes` name: those of the operand itself, or so many of x.
Dims CaffeDims(const OpContext& context, int port, const char* from_blob) {
  const Dims &x = context.InDims(0), &given = context.InDims(port);
  const auto rank = static_cast<std::int64_t>(x.size());
  std::int64_t axis = context.node().Int("axis", 1);
  if (axis < 0) axis += rank;
  std::int64_t axes = context.node().Int("num_axes", 1);
  if (axis < 0 || axis > rank)
    context.Refuse("attribute 'axis' is {}, out of range for {} dimensions", axis, rank);
  if (!context.node().Bool(from_blob, true)) axes = static_cast<std::int64_t>(given.size());
  if (axes == -1) axes = rank - axis;
  if (ElementCount(given) == 1) return {};
  if (axes < 0 || axes > rank - axis) context.Refuse("attribute 'num_axes' is {}, out of range", axes);
  Dims expected(x.begin() + axis, x.begin() + axis + axes);
  if (ElementCount(given) != ElementCount(expected))
    context.Refuse("input '{}' is {}, expected {}",
                   context.node().inputs()[static_cast<std::size_t>(port)].name, ToString(given),
                   ToString(expected));
  expected.resize(static_cast<std::size_t>(rank - axis), 1);
  return expected;
}

using DimsRule = Dims (*)(const OpContext&);

Dims BiasDims(const OpContext& context) {
  return CaffeDims(context, 1, "bias_from_blob");
}

void Infer(OpContext& context, DimsRule dims) {
  CheckInputs(context, 2, 2);
  dims(context);
  context.SetOut(0, context.In(0));
}

std::optional<ElementFormula> Formula(const OpContext& context, const char* function, DimsRule dims) {
  auto formula = FunctionOfInputs(context, function);
  if (formula) formula->operands[1].dims = dims(context);
  return formula;
}

std::unique_ptr<Kernel> Lower(const OpContext& context, const char* function, DimsRule dims,
                              PlainLoop (*plain)(DataType)) {
  if (const auto formula = Formula(context, function, dims)) return LowerFormula(context, *formula);
  const PlainLoop loop = plain(context.In(0).type);
  if (!loop) context.Unsupported("no kernel for {}", DataTypeName(context.In(0).type));
  return LowerPlain(context, loop, {{0, context.InDims(0)}, {1, dims(context)}});
}

OpDef Def(const char* type, const char* function, DimsRule dims, PlainLoop (*plain)(DataType)) {
  AddFormulaRule(type, [=](const OpContext& context) { return Formula(context, function, dims); });
  return OpDef(type)
      .Infer([=](OpContext& context) { Infer(context, dims); })
      .Lower([=](OpContext& context) { return Lower(context, function, dims, plain); })
      .InPlace(0, 0)
      .ReadsViews({},
                  [=](const OpContext& context, int port, const StridedView& view) {
                    return port == 0 || Reshaped(view, dims(context)).has_value();
                  })
      .WritesViews()
      .Types(FloatTypesAnd(plain));
}

void InferScale(OpContext& context) {
  CheckInputs(context, 2, 3);
  for (int port = 1; port < context.inputs(); ++port)
    if (context.Has(port)) CaffeDims(context, port, "scale_from_blob");
  context.SetOut(0, context.In(0));
}

std::optional<ElementFormula> ScaleFormula(const OpContext& context) {
  if (!IsFloatType(context.In(0).type)) return std::nullopt;
  ElementFormula formula{context.Out(0).dims, {{0, context.InDims(0)}}, {}, {}};
  formula.operands.push_back({1, CaffeDims(context, 1, "scale_from_blob")});
  const bool biased = context.Has(2);
  if (biased) formula.operands.push_back({2, CaffeDims(context, 2, "scale_from_blob")});
  biased ? formula.steps.push_back({"MulAdd", {0, 1, 2}, {}}) : formula.steps.push_back({"Mul", {0, 1}, {}});
  formula.results = {{static_cast<int>(formula.operands.size()), 0}};
  return formula;
}

std::unique_ptr<Kernel> LowerScale(OpContext& context) {
  const auto formula = ScaleFormula(context);
  if (!formula) context.Unsupported("no kernel for {}", DataTypeName(context.In(0).type));
  return LowerFormula(context, *formula);
}

OpDef ScaleDef() {
  AddFormulaRule("Scale", ScaleFormula);
  return OpDef("Scale")
      .Infer(InferScale)
      .Lower(LowerScale)
      .InPlace(0, 0)
      .ReadsViews({}, ReadsElementView)
      .WritesViews()
      .Types(FloatTypes());
}

const RegisterOp channelwise({Def("BiasAdd", "Add", BiasAddDims, PlainLoopOf<AddOf, 2>),
                              Def("PRelu", "PRelu", PReluDims, PlainLoopOf<PReluOf, 2>),
                              Def("Bias", "Add", BiasDims, PlainLoopOf<AddOf, 2>), ScaleDef()});

}  // namespace
}  // namespace foothold
