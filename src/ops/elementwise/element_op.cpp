// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/elementwise/element_op.h"

#include <algorithm>
#include <numeric>

#include "kernels/element_function.h"
#include "ops/elementwise/complex_loop.h"
#include "ops/elementwise/converted_inputs.h"

namespace foothold {
namespace {

constexpr DataType kWidening[] = {DataType::kBool,   DataType::kUint8,  DataType::kInt8,
                                  DataType::kUint16, DataType::kInt16,  DataType::kUint32,
                                  DataType::kInt32,  DataType::kUint64, DataType::kInt64};

bool IsUnsigned(DataType type) {
  return type == DataType::kUint8 || type == DataType::kUint16 || type == DataType::kUint32 ||
         type == DataType::kUint64;
}
bool IsFloating(DataType type) {
  return IsFloatType(type) || type == DataType::kDouble;
}

std::vector<int> AllPorts(const OpContext& context) {
  std::vector<int> ports(static_cast<std::size_t>(context.inputs()));
  std::iota(ports.begin(), ports.end(), 0);
  return ports;
}

int WidestInput(const OpContext& context) {
  int widest = 0;
  for (int port = 1; port < context.inputs(); ++port)
    if (context.InDims(port).size() > context.InDims(widest).size()) widest = port;
  return widest;
}

void SetBroadcast(OpContext& context, DataType type) {
  if (context.inputs() == 0) context.Refuse("there is no input");
  context.SetOut(0, type, BroadcastDims(context, AllPorts(context)), context.In(WidestInput(context)).format);
}

std::optional<ElementFormula> FormulaFor(const ElementOp& op, const OpContext& context) {
  if (op.formula) return op.formula(context);
  if (op.function.empty()) return std::nullopt;
  return FunctionOfInputs(context, op.function, op.params ? op.params(context) : std::vector<float>());
}

std::unique_ptr<Kernel> Lower(const ElementOp& op, OpContext& context) {
  if (const auto formula = FormulaFor(op, context)) return LowerFormula(context, *formula);
  const DataType type = context.In(0).type;
  if (op.plain != nullptr && op.result == DataType::kUndefined && NeedsConversion(context))
    return LowerConverted(context);
  PlainLoop loop = op.plain == nullptr ? PlainLoop() : op.plain(type);
  if (!loop) loop = ComplexLoop(op.type, type);
  if (!loop) context.Unsupported("no kernel for {}", DataTypeName(type));
  std::vector<PlainOperand> operands;
  for (const int port : AllPorts(context))
    operands.push_back({port, context.InDims(port)});
  return LowerPlain(context, loop, operands, op.params ? op.params(context) : std::vector<float>());
}

std::vector<DataType> TypesOf(const ElementOp& op) {
  std::vector<DataType> types;
  if (op.formula || !op.function.empty()) types = {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16};
  for (const DataType type :
       {DataType::kDouble, DataType::kInt8, DataType::kInt16, DataType::kInt32, DataType::kInt64,
        DataType::kUint8, DataType::kUint16, DataType::kUint32, DataType::kUint64, DataType::kBool})
    if (op.plain != nullptr && op.plain(type)) types.push_back(type);
  for (const DataType type : {DataType::kComplex64, DataType::kComplex128})
    if (ComplexLoop(op.type, type)) types.push_back(type);
  return types;
}

// A truth value shares no memory with what it comes from: a smaller operand could have as many bytes.
void AllowInPlace(OpDef& def, const ElementOp& op) {
  if (op.result != DataType::kUndefined) return;
  def.InPlace(0, 0);
  const ElementFunction* function = FindElementFunction(op.function);
  if (function != nullptr && function->operands > 1) def.InPlace(1, 0);
}

// What is converted first is read as a whole.
bool ReadsView(const ElementOp& op, const OpContext& context, int port, const StridedView& view) {
  if (FormulaFor(op, context)) return ReadsElementView(context, port, view);
  const bool converts = op.plain != nullptr && op.result == DataType::kUndefined && NeedsConversion(context);
  return !converts || context.In(port).type == context.Out(0).type;
}

OpDef DefOf(const ElementOp& op) {
  OpDef def(op.type);
  const DataType result = op.result;
  def.Infer([infer = op.infer, result](OpContext& context) {
    infer ? infer(context) : BroadcastInputs(context);
    if (result == DataType::kUndefined) return;
    TensorType type = context.Out(0);
    type.type = result;
    context.SetOut(0, std::move(type));
  });
  def.Lower([op](OpContext& context) { return Lower(op, context); });
  def.ReadsViews({}, [op](const OpContext& context, int port, const StridedView& view) {
    return ReadsView(op, context, port, view);
  });
  def.WritesViews();
  AllowInPlace(def, op);
  return def.Types(TypesOf(op));
}

}  // namespace

RegisterElementOps::RegisterElementOps(const std::vector<ElementOp>& ops) {
  for (const ElementOp& op : ops) {
    RegisterOp(DefOf(op));
    AddFormulaRule(op.type, [op](const OpContext& context) { return FormulaFor(op, context); });
  }
}

void BroadcastInputs(OpContext& context) {
  if (context.inputs() == 0) context.Refuse("there is no input");
  const DataType type = context.In(0).type;
  for (int port = 1; port < context.inputs(); ++port)
    if (context.In(port).type != type)
      context.Refuse("input '{}' is {}, expected {} as the first input is",
                     context.node().inputs()[static_cast<std::size_t>(port)].name,
                     DataTypeName(context.In(port).type), DataTypeName(type));
  SetBroadcast(context, type);
}

void BroadcastPromoted(OpContext& context) {
  DataType type = context.inputs() == 0 ? DataType::kUndefined : context.In(0).type;
  for (int port = 1; port < context.inputs(); ++port) {
    const DataType with = context.In(port).type;
    const DataType common = Promoted(type, with);
    if (common == DataType::kUndefined)
      context.Refuse("{} and {} have no common type", DataTypeName(type), DataTypeName(with));
    type = common;
  }
  SetBroadcast(context, type);
}

DataType Promoted(DataType a, DataType b) {
  if (a == b) return a;
  if (IsFloating(a) && IsFloating(b)) {
    if (a == DataType::kDouble || b == DataType::kDouble) return DataType::kDouble;
    return DataType::kFloat;
  }
  if (IsFloating(a) || IsFloating(b)) return IsFloating(a) ? a : b;
  const auto* first = std::find(std::begin(kWidening), std::end(kWidening), a);
  const auto* second = std::find(std::begin(kWidening), std::end(kWidening), b);
  if (first == std::end(kWidening) || second == std::end(kWidening)) return DataType::kUndefined;
  if (second < first) std::swap(first, second);
  if (*first == DataType::kBool || IsUnsigned(*first) == IsUnsigned(*second)) return *second;
  // A signed and an unsigned type meet in the next wider signed one, if the unsigned one is not narrower.
  const bool covered = BytesPerElement(*first) < BytesPerElement(*second) && !IsUnsigned(*second);
  if (covered) return *second;
  switch (std::max(BytesPerElement(*first), BytesPerElement(*second))) {
    case 1:
      return DataType::kInt16;
    case 2:
      return DataType::kInt32;
    default:
      return DataType::kInt64;
  }
}

}  // namespace foothold
