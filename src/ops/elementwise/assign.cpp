// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Assign, AssignAdd, AssignSub: the output is the memory of the variable that arrives at the first input.
#include "kernels/copy.h"
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
struct SubOf {
  static double Of(double a, double b) { return a - b; }
  template <Integer T>
  static T Of(T a, T b) {
    return static_cast<T>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  }
};

class CopyKernel final : public Kernel {
 public:
  explicit CopyKernel(std::size_t bytes) : bytes_(bytes) {}
  void Run(const RunArgs& args) const override {
    if (bytes_ > 0) CopyBytes(args.outputs[0], args.inputs[1], bytes_);
  }

 private:
  std::size_t bytes_;
};

void CheckPair(const OpContext& context, bool same_dims) {
  if (context.inputs() != 2) context.Refuse("there are {} inputs, expected 2", context.inputs());
  if (context.In(1).type != context.In(0).type)
    context.Refuse("'value' is {}, the variable {}", DataTypeName(context.In(1).type),
                   DataTypeName(context.In(0).type));
  if (same_dims && context.InDims(0) != context.InDims(1))
    context.Refuse("'value' is {}, the variable {}", ToString(context.InDims(1)),
                   ToString(context.InDims(0)));
}

void InferAssign(OpContext& context) {
  const bool checked = context.node().Bool("validate_shape", true);
  CheckPair(context, checked);
  context.SetOut(0, context.In(0).type, context.InDims(1), context.In(0).format);
}

std::unique_ptr<Kernel> LowerAssign(OpContext& context) {
  return std::make_unique<CopyKernel>(ByteSize(context.Out(0)));
}

// A scalar value is taken from or added to all elements.
void InferUpdate(OpContext& context) {
  CheckPair(context, context.inputs() == 2 && ElementCount(context.InDims(1)) != 1);
  context.SetOut(0, context.In(0));
}

OpDef Update(const char* type, const char* function, PlainLoop (*plain)(DataType)) {
  return OpDef(type).Infer(InferUpdate).Stateful().Types(FloatTypesAnd(plain)).Lower([=](OpContext& context) {
    if (const auto formula = FunctionOfInputs(context, function)) return LowerFormula(context, *formula);
    const PlainLoop loop = plain(context.In(0).type);
    if (!loop) context.Unsupported("no kernel for {}", DataTypeName(context.In(0).type));
    return LowerPlain(context, loop, {{0, context.InDims(0)}, {1, context.InDims(1)}});
  });
}

const RegisterOp assign(
    {OpDef("Assign").Infer(InferAssign).Lower(LowerAssign).Stateful().Types(FixedSizeTypes()),
     Update("AssignAdd", "Add", PlainLoopOf<AddOf, 2>), Update("AssignSub", "Sub", PlainLoopOf<SubOf, 2>)});

}  // namespace
}  // namespace foothold
