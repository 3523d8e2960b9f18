// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/softmax.h"
#include "ops/softmax/softmax_axes.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// The ports of the two operators stand in different order.
struct Form {
  SoftmaxKind kind;
  int output, gradient;
  const char* axes;
};

template <typename T>
class GradientKernel : public Kernel {
 public:
  GradientKernel(const Form& form, ElementGroups where) : form_(form), where_(std::move(where)) {}

  void Run(const RunArgs& args) const override {
    SoftmaxGradientGroups(form_.kind, args.In<T>(form_.output), args.In<T>(form_.gradient), where_,
                          args.Out<T>(0));
  }

 private:
  Form form_;
  ElementGroups where_;
};

void InferGradient(OpContext& context, const Form& form) {
  const TensorType& first = context.In(0);
  const TensorType& second = context.In(1);
  if (first.type != second.type || first.dims != second.dims)
    context.Refuse("the inputs are {} and {}; they must be alike", ToString(first), ToString(second));
  AxesOf(context, form.axes, first.dims);
  context.SetOut(0, first);
}

std::unique_ptr<Kernel> LowerGradient(OpContext& context, const Form& form) {
  const auto& [type, format, dims] = context.In(0);
  ElementGroups where = GroupsOf(dims, AxesOf(context, form.axes, dims));
  if (type == DataType::kDouble) return std::make_unique<GradientKernel<double>>(form, std::move(where));
  if (ComputesInFloat(type))
    return ThroughFloat(context, std::make_unique<GradientKernel<float>>(form, std::move(where)));
  context.Unsupported("no kernel for {}; float, float16, bfloat16 and double have one", DataTypeName(type));
}

OpDef GradientOp(const char* type, Form form) {
  return OpDef(type)
      .Infer([form](OpContext& context) { InferGradient(context, form); })
      .Lower([form](OpContext& context) { return LowerGradient(context, form); })
      .InPlace(0, 0)
      .InPlace(1, 0)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble});
}

const RegisterOp gradients(std::vector<OpDef>{
    GradientOp("SoftmaxGrad", {SoftmaxKind::kSoftmax, 0, 1, "axes"}),
    GradientOp("LogSoftmaxGrad", {SoftmaxKind::kLogSoftmax, 1, 0, "axis"})});

}  // namespace
}  // namespace foothold
