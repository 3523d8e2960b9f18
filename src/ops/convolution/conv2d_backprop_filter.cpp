// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/convolution_gradient.h"
#include "kernels/gemm_pack.h"
#include "kernels/plain_convolution.h"
#include "ops/convolution/convolution_rules.h"
#include "ops/convolution/convolution_types.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

struct FilterGradient {
  ConvolutionShape shape;
  FilterStrides filter;
  int input, gradient;
  TensorType out;
};

std::vector<std::int64_t> FilterSize(const OpContext& context) {
  const auto size = context.node().InputIndex("filter_size") >= 0 ? context.NeededInts("filter_size")
                                                                  : context.node().Ints("filter_size");
  for (const std::int64_t value : size)
    if (value < 0) context.Refuse("filter_size has the entry {}; sizes are not negative", value);
  return size;
}

FilterGradient Describe(const OpContext& context) {
  const TensorType& x = context.In("x");
  const TensorType& gradient = context.In("out_backprop");
  const bool last = ChannelsLast(context, x, "NHWC");
  // The layout of the filter is that of the output's descriptor.
  const TensorType wanted{x.type, context.Out(0).format, FilterSize(context)};
  const FilterDims filter = FilterDimsOf(context, wanted, last, "filter_size");
  const ConvolutionShape shape =
      ShapeOfGradient(context, ImageDimsOf(context, x.dims, last, "x"), filter,
                      ImageDimsOf(context, gradient.dims, last, "out_backprop"), last);
  return {shape, filter.strides, context.Port("x"), context.Port("out_backprop"), wanted};
}

void InferFilterGradient(OpContext& context) {
  CheckSameType(context, "x", "out_backprop");
  context.SetOut(0, Describe(context).out);
}

bool IsDense(const FilterGradient& g) {
  return g.filter.column == 1 && g.filter.row == g.shape.kernel_width && g.filter.in == g.shape.KernelArea();
}

class FloatFilterGradient : public Kernel {
 public:
  explicit FloatFilterGradient(const FilterGradient& gradient)
      : gradient_(gradient), plan_(gradient.shape), dense_(IsDense(gradient)) {}

  std::size_t WorkspaceBytes() const override { return AsideBytes() + plan_.WorkspaceBytes(); }

  void Run(const RunArgs& args) const override {
    float* out = args.Out<float>(0);
    float* to = dense_ ? out : reinterpret_cast<float*>(args.workspace);
    plan_.Run(args.In<float>(gradient_.input), args.In<float>(gradient_.gradient), to,
              args.workspace + AsideBytes());
    if (!dense_) Reorder(to, out);
  }

 private:
  std::size_t AsideBytes() const {
    if (dense_) return 0;
    return RoundUp(gradient_.shape.out_channels * gradient_.shape.Depth() * sizeof(float), kTensorAlignment);
  }

  void Reorder(const float* from, float* to) const {
    const ConvolutionShape& s = gradient_.shape;
    for (std::size_t o = 0; o < s.out_channels; ++o)
      for (std::size_t c = 0; c < s.GroupChannels(); ++c)
        for (std::size_t y = 0; y < s.kernel_height; ++y)
          for (std::size_t x = 0; x < s.kernel_width; ++x)
            to[o * gradient_.filter.out + c * gradient_.filter.in + y * gradient_.filter.row +
               x * gradient_.filter.column] = *from++;
  }

  FilterGradient gradient_;
  FilterGradientPlan plan_;
  bool dense_;
};

class DoubleFilterGradient : public Kernel {
 public:
  explicit DoubleFilterGradient(const FilterGradient& gradient) : gradient_(gradient) {}

  void Run(const RunArgs& args) const override {
    PlainFilterGradient(gradient_.shape, args.In<double>(gradient_.input),
                        args.In<double>(gradient_.gradient), gradient_.filter, args.Out<double>(0));
  }

 private:
  FilterGradient gradient_;
};

std::unique_ptr<Kernel> LowerFilterGradient(OpContext& context) {
  const DataType type = context.In("x").type;
  if (context.Has("filter_size")) context.SetUnused(context.Port("filter_size"));
  if (ComputesInFloat(type))
    return ThroughFloat(context, std::make_unique<FloatFilterGradient>(Describe(context)));
  if (type == DataType::kDouble) return std::make_unique<DoubleFilterGradient>(Describe(context));
  context.Unsupported("no kernel for {}; float, float16, bfloat16 and double have one", DataTypeName(type));
}

OpDef FilterGradientOp(const char* type) {
  return OpDef(type)
      .Infer(InferFilterGradient)
      .Lower(LowerFilterGradient)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble});
}

const RegisterOp filter_gradients(std::vector<OpDef>{FilterGradientOp("Conv2DBackpropFilter"),
                                                     FilterGradientOp("Conv2DBackpropFilterD")});

}  // namespace
}  // namespace foothold
