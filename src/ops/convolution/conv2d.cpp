// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/convolution.h"
#include "kernels/depthwise.h"
#include "kernels/plain_convolution.h"
#include "ops/convolution/convolution_rules.h"
#include "ops/convolution/convolution_types.h"
#include "ops/convolution/filter_kernel.h"
#include "ops/matrix/matmul_shape.h"

namespace foothold {
namespace {

struct Convolution {
  ConvolutionShape shape;
  FilterStrides filter;
};

Convolution Conv2DOf(const OpContext& context) {
  const TensorType& x = context.In("x");
  const bool last = ChannelsLast(context, x, "NHWC");
  const FilterDims filter = FilterDimsOf(context, context.In("filter"), last, "filter");
  return {ShapeOfConvolution(context, ImageDimsOf(context, x.dims, last, "x"), filter, last), filter.strides};
}

Convolution DepthwiseOf(const OpContext& context) {
  const TensorType& x = context.In("x");
  const bool last = ChannelsLast(context, x, "NHWC");
  const ImageDims input = ImageDimsOf(context, x.dims, last, "x");
  const FilterDims filter = DepthwiseFilterDimsOf(context, context.In("filter"), last, input.channels);
  if (filter.in != 1)
    context.Refuse("the filter reads {} channels for each output; a depthwise one reads 1", filter.in);
  return {ShapeOfConvolution(context, input, filter, last), filter.strides};
}

void InferConvolution(OpContext& context, const Convolution& convolution) {
  const TensorType& x = context.In("x");
  CheckSameType(context, "x", "filter");
  const ImageDims out = OutputDims(convolution.shape);
  CheckedBias(context, out.channels);
  context.SetOut(0, ProductType(x.type), ToDims(out, convolution.shape.channels_last), x.format);
}

template <typename In, typename Out>
class PlainConvolutionKernel : public Kernel {
 public:
  PlainConvolutionKernel(const Convolution& convolution, FilterPorts ports, Out offset)
      : convolution_(convolution), ports_(ports), offset_(offset) {}

  void Run(const RunArgs& args) const override {
    const Out* bias = ports_.bias < 0 ? nullptr : args.In<Out>(ports_.bias);
    PlainConvolution(convolution_.shape, args.In<In>(ports_.data), args.In<In>(ports_.filter),
                     convolution_.filter, bias, offset_, args.Out<Out>(0));
  }

 private:
  Convolution convolution_;
  FilterPorts ports_;
  Out offset_;
};

std::unique_ptr<Kernel> LowerConvolution(OpContext& context, const Convolution& convolution) {
  const DataType type = context.In("x").type;
  if (context.Has("offset_w")) context.SetUnused(context.Port("offset_w"));
  const int bias = context.Has("bias") ? context.Port("bias") : -1;
  const FilterPorts ports{context.Port("x"), context.Port("filter"), bias};
  CheckBiasType(context, bias, ProductType(type));
  if (ComputesInFloat(type)) {
    if (DepthwisePlan::Applies(convolution.shape))
      return LowerWithFilter(context, DepthwisePlan(convolution.shape), ports, convolution.filter);
    return LowerWithFilter(context, ConvolutionPlan(convolution.shape), ports, convolution.filter);
  }
  // The offset belongs to quantised data; other types do not have one.
  const std::int64_t offset = type == DataType::kInt8 ? context.node().Int("offset_x", 0) : 0;
  return VisitPlainTypes(context, type, [&](auto in, auto out) -> std::unique_ptr<Kernel> {
    using In = typename decltype(in)::Type;
    using Out = typename decltype(out)::Type;
    return std::make_unique<PlainConvolutionKernel<In, Out>>(convolution, ports, static_cast<Out>(offset));
  });
}

OpDef ConvolutionOp(const char* type, Convolution (*describe)(const OpContext&)) {
  return OpDef(type)
      .Infer([describe](OpContext& context) { InferConvolution(context, describe(context)); })
      .Lower([describe](OpContext& context) { return LowerConvolution(context, describe(context)); })
      .Types(ConvolutionTypes());
}

const RegisterOp convolutions(std::vector<OpDef>{ConvolutionOp("Conv2D", Conv2DOf),
                                                 ConvolutionOp("DepthwiseConv2D", DepthwiseOf)});

}  // namespace
}  // namespace foothold
