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

// Over the last dimensions.
class RowGradientKernel : public Kernel {
 public:
  RowGradientKernel(const Form& form, std::size_t rows, std::size_t count)
      : form_(form), rows_(rows), count_(count) {}

  void Run(const RunArgs& args) const override {
    SoftmaxGradientRows(form_.kind, args.In<float>(form_.output), args.In<float>(form_.gradient), rows_,
                        count_, args.Out<float>(0));
  }

 private:
  Form form_;
  std::size_t rows_, count_;
};

// Groups that lie one after the other, their elements side by side.
bool AreRows(const ElementGroups& where) {
  for (std::size_t i = 0; i < where.elements.size(); ++i)
    if (where.elements[i] != i) return false;
  for (std::size_t i = 0; i < where.groups.size(); ++i)
    if (where.groups[i] != i * where.elements.size()) return false;
  return true;
}

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
  if (ComputesInFloat(type) && AreRows(where))
    return ThroughFloat(
        context, std::make_unique<RowGradientKernel>(form, where.groups.size(), where.elements.size()));
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
