// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/pooling.h"

#include "ops/pooling/pooling_rules.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// The gradients of maxima come after the input and output of the pooling, those of averages after a shape.
struct Gradient {
  PoolingShape shape;
  int input, gradient;
  TensorType out;
};

void CheckGradient(const OpContext& context, const Gradient& gradient) {
  const Dims expected = OutputDims(gradient.shape);
  const TensorType& found = context.In(gradient.gradient);
  if (found.dims != expected)
    context.Refuse("the gradient is {}; the output of the pooling is {}", ToString(found),
                   ToString(expected));
  if (found.type != gradient.out.type)
    context.Refuse("the gradient is {}, the input {}; they must have the same type", DataTypeName(found.type),
                   DataTypeName(gradient.out.type));
}

Gradient MaxGradientOf(const OpContext& context, const PoolingWay& way) {
  const TensorType& input = context.In(0);
  Gradient gradient{ShapeOfPooling(context, input, way), 0, 2, input};
  CheckGradient(context, gradient);
  return gradient;
}

Gradient AverageGradientOf(const OpContext& context, const PoolingWay& way) {
  const bool tensor = context.node().InputIndex("orig_input_shape") >= 0;
  const Dims dims = tensor ? context.NeededInts("orig_input_shape") : context.node().Ints("orig_input_shape");
  for (const std::int64_t dim : dims)
    if (dim < 0) context.Refuse("orig_input_shape has the entry {}; sizes are not negative", dim);
  const int port = context.Port("input_grad");
  TensorType input = context.In(port);
  input.dims = dims;
  Gradient gradient{ShapeOfPooling(context, input, way), -1, port, input};
  CheckGradient(context, gradient);
  return gradient;
}

template <typename T>
class GradientKernel : public Kernel {
 public:
  explicit GradientKernel(Gradient gradient) : gradient_(std::move(gradient)) {}

  void Run(const RunArgs& args) const override {
    const T* input = gradient_.input < 0 ? nullptr : args.In<T>(gradient_.input);
    PoolGradient(gradient_.shape, input, args.In<T>(gradient_.gradient), args.Out<T>(0));
  }

 private:
  Gradient gradient_;
};

std::unique_ptr<Kernel> LowerGradient(OpContext& context, const Gradient& gradient) {
  for (int port = 0; port < context.inputs(); ++port)
    if (context.Has(port) && port != gradient.input && port != gradient.gradient) context.SetUnused(port);
  const DataType type = gradient.out.type;
  if (ComputesInFloat(type)) return ThroughFloat(context, std::make_unique<GradientKernel<float>>(gradient));
  if (type == DataType::kDouble) return std::make_unique<GradientKernel<double>>(gradient);
  context.Unsupported("no kernel for {}; float, float16, bfloat16 and double have one", DataTypeName(type));
}

OpDef GradientOp(const char* type, Gradient (*describe)(const OpContext&, const PoolingWay&),
                 PoolingWay way) {
  return OpDef(type)
      .Infer([=](OpContext& context) { context.SetOut(0, describe(context, way).out); })
      .Lower([=](OpContext& context) { return LowerGradient(context, describe(context, way)); })
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble});
}

const RegisterOp gradients(std::vector<OpDef>{
    GradientOp("MaxPoolGrad", MaxGradientOf, {PoolingMode::kMax, "padding", "NHWC"}),
    GradientOp("MaxPoolV3Grad", MaxGradientOf, {PoolingMode::kMax, "padding_mode", "NCHW"}),
    GradientOp("AvgPoolV2Grad", AverageGradientOf, {PoolingMode::kAverage, "padding_mode", "NCHW"}),
    GradientOp("AvgPoolGrad", AverageGradientOf, {PoolingMode::kAverage, "padding", "NHWC"}),
    GradientOp("AvgPoolGradD", AverageGradientOf, {PoolingMode::kAverage, "padding", "NHWC"})});

}  // namespace
}  // namespace foothold
