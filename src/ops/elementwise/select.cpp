// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// SelectV2: condition ? then : else, all three repeated to fit. Select: the condition has the shape of the
// others or is a vector over their first axis. MaskedFill: mask ? value : x.
#include "ops/elementwise/element_op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

// Which input is which.
struct Ports {
  int condition, then, otherwise;
};
constexpr Ports kSelect{0, 1, 2}, kMaskedFill{1, 2, 0};

// Elements are moved, not looked at: their size is all that counts.
template <typename T>
void Loop(const std::byte* const* in, const std::ptrdiff_t* strides, std::byte* out, std::size_t count,
          const float*) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    const bool chosen = in[0][at * strides[0]] != std::byte{0};
    std::memcpy(out + i * sizeof(T), chosen ? in[1] + at * strides[1] : in[2] + at * strides[2], sizeof(T));
  }
}

PlainLoop LoopFor(DataType type) {
  switch (BitsPerElement(type).value_or(0)) {
    case 8:
      return {&Loop<std::uint8_t>, 3};
    case 16:
      return {&Loop<std::uint16_t>, 3};
    case 32:
      return {&Loop<std::uint32_t>, 3};
    case 64:
      return {&Loop<std::uint64_t>, 3};
    default:
      return {};
  }
}

void CheckTypes(const OpContext& context, const Ports& ports) {
  if (context.inputs() != 3) context.Refuse("there are {} inputs, expected 3", context.inputs());
  const DataType condition = context.In(ports.condition).type;
  if (condition != DataType::kBool && condition != DataType::kUint8 && condition != DataType::kInt8)
    context.Refuse("the condition is {}, expected bool", DataTypeName(condition));
  if (context.In(ports.then).type != context.In(ports.otherwise).type)
    context.Refuse("one choice is {}, the other {}", DataTypeName(context.In(ports.then).type),
                   DataTypeName(context.In(ports.otherwise).type));
}

// A condition over the first axis is a column.
Dims ConditionDims(const OpContext& context, const Ports& ports) {
  Dims dims = context.InDims(ports.condition);
  const std::size_t rank = context.Out(0).dims.size();
  const bool column = context.node().type() == "Select" && dims.size() == 1 && dims[0] != 1 && rank > 1;
  if (column) dims.resize(rank, 1);
  return dims;
}

std::optional<ElementFormula> Formula(const OpContext& context, const Ports& ports) {
  if (!IsFloatType(context.In(ports.then).type)) return std::nullopt;
  ElementFormula formula{context.Out(0).dims,
                         {{ports.condition, ConditionDims(context, ports)},
                          {ports.then, context.InDims(ports.then)},
                          {ports.otherwise, context.InDims(ports.otherwise)}},
                         {{"Select", {0, 1, 2}, {}}},
                         {{3, 0}}};
  return formula;
}

std::unique_ptr<Kernel> Lower(const OpContext& context, const Ports& ports) {
  if (const auto formula = Formula(context, ports)) return LowerFormula(context, *formula);
  const PlainLoop loop = LoopFor(context.Out(0).type);
  if (!loop) context.Unsupported("no kernel for {}", DataTypeName(context.Out(0).type));
  return LowerPlain(context, loop,
                    {{ports.condition, ConditionDims(context, ports)},
                     {ports.then, context.InDims(ports.then)},
                     {ports.otherwise, context.InDims(ports.otherwise)}});
}

void InferSelect(OpContext& context) {
  CheckTypes(context, kSelect);
  const Dims &condition = context.InDims(0), &dims = context.InDims(1);
  if (context.InDims(2) != dims)
    context.Refuse("'x1' is {} and 'x2' {}, expected the same", ToString(dims), ToString(context.InDims(2)));
  const bool column =
      condition.size() == 1 && !dims.empty() && (condition[0] == dims[0] || condition[0] == 1);
  if (condition != dims && !condition.empty() && !column)
    context.Refuse("'condition' is {}, expected {} or its first dimension", ToString(condition),
                   ToString(dims));
  context.SetOut(0, context.In(1));
}

template <const Ports& ports>
void InferBroadcast(OpContext& context) {
  CheckTypes(context, ports);
  context.SetOut(0, context.In(ports.then).type, BroadcastDims(context, {0, 1, 2}),
                 context.In(ports.otherwise).format);
}

template <const Ports& ports>
OpDef Def(const char* type, OpDef::InferRule infer) {
  AddFormulaRule(type, [](const OpContext& context) { return Formula(context, ports); });
  return OpDef(type)
      .Infer(std::move(infer))
      .Lower([](OpContext& context) { return Lower(context, ports); })
      .ReadsViews({},
                  [](const OpContext& context, int port, const StridedView& view) {
                    return port != ports.condition ||
                           Reshaped(view, ConditionDims(context, ports)).has_value();
                  })
      .WritesViews()
      .Types(FloatTypesAnd(LoopFor));
}

const RegisterOp select({Def<kSelect>("Select", InferSelect),
                         Def<kSelect>("SelectV2", InferBroadcast<kSelect>),
                         Def<kMaskedFill>("MaskedFill", InferBroadcast<kMaskedFill>)});

}  // namespace
}  // namespace foothold
