// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ThresholdV2: x where it is above a threshold, else a value, which is 0 if it is not given. NaN stays.
#include "ops/elementwise/element_op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

struct ThresholdOf {
  template <Number T>
  static T Of(T x, T threshold) {
    return x <= threshold ? T{0} : x;
  }
};
struct ReplaceOf {
  template <Number T>
  static T Of(T x, T threshold, T value) {
    return x <= threshold ? value : x;
  }
};
bool HasValue(const OpContext& context) {
  return context.inputs() > 2 && context.Has(2);
}

void InferThreshold(OpContext& context) {
  for (int port = 1; port < context.inputs(); ++port)
    if (context.Has(port) &&
        (ElementCount(context.InDims(port)) != 1 || context.In(port).type != context.In(0).type))
      context.Refuse("'{}' is {}, expected one number of the type of x, {}",
                     context.node().inputs()[static_cast<std::size_t>(port)].name, ToString(context.In(port)),
                     DataTypeName(context.In(0).type));
  context.SetOut(0, context.In(0));
}

std::unique_ptr<Kernel> LowerThreshold(OpContext& context) {
  const bool value = HasValue(context);
  const Dims& dims = context.InDims(0);
  if (IsFloatType(context.In(0).type)) {
    ElementFormula formula{dims, {{0, dims}, {1, {}}}, {}, {}};
    if (value) formula.operands.push_back({2, {}});
    if (value)
      formula.steps = {{"LessEqual", {0, 1}, {}}, {"Select", {3, 2, 0}, {}}};
    else
      formula.steps = {{"LessEqual", {0, 1}, {}}, {"Affine", {2}, {0, 0}}, {"Select", {2, 3, 0}, {}}};
    formula.results = {{4, 0}};
    return LowerFormula(context, formula);
  }
  const DataType type = context.In(0).type;
  const PlainLoop loop = value ? PlainLoopOf<ReplaceOf, 3>(type) : PlainLoopOf<ThresholdOf, 2>(type);
  if (!loop) context.Unsupported("no kernel for {}; numbers would run", DataTypeName(type));
  std::vector<PlainOperand> operands{{0, dims}, {1, {}}};
  if (value) operands.push_back({2, {}});
  return LowerPlain(context, loop, operands);
}

const RegisterOp threshold(
    OpDef("ThresholdV2").Infer(InferThreshold).Lower(LowerThreshold).Types(NumberTypes()));

}  // namespace
}  // namespace foothold
