// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>

#include "kernels/convolution_gradient.h"
#include "kernels/plain_convolution.h"
#include "ops/convolution/convolution_rules.h"
#include "ops/convolution/convolution_types.h"
#include "ops/convolution/filter_kernel.h"
#include "ops/matrix/matmul_shape.h"

namespace foothold {
namespace {

// The convolution whose input has the gradient this operator computes.
struct Transposed {
  ConvolutionShape shape;
  FilterStrides filter;
  FilterPorts ports;
};

// The sizes come as an attribute or, in the newer forms, as a tensor.
std::vector<std::int64_t> SizeOf(const OpContext& context, const char* name) {
  return context.node().InputIndex(name) >= 0 ? context.NeededInts(name) : context.node().Ints(name);
}

std::int64_t Extent(const OpContext& context, std::int64_t in, std::int64_t kernel, std::int64_t stride,
                    std::int64_t dilation, std::int64_t pads, std::int64_t extra) {
  for (const std::int64_t value : {in, kernel, stride, dilation, pads, extra})
    if (value < 0 || value > kMostExtent)
      context.Refuse("{} is out of range for a size, stride, dilation or padding", value);
  return in == 0 ? 0 : stride * (in - 1) + extra + dilation * (kernel - 1) + 1 - pads;
}

// What the formula gives when nobody says how large the output is to be.
ImageDims DerivedSize(const OpContext& context, const ImageDims& x, const FilterDims& filter, bool last) {
  const Node& node = context.node();
  const auto pads = node.Ints("pads");
  if (pads.size() != 4) context.Refuse("pads has {} entries; it must have four", pads.size());
  const HeightWidth strides = SpatialEntries(context, "strides", node.Ints("strides"), last);
  const HeightWidth dilations =
      SpatialEntries(context, "dilations", node.Ints("dilations", {1, 1, 1, 1}), last);
  const HeightWidth extra =
      SpatialEntries(context, "output_padding", node.Ints("output_padding", {0, 0, 0, 0}), last);
  for (const std::int64_t pad : pads)
    if (pad < 0 || pad > kMostExtent) context.Refuse("pads has the entry {}, which is out of range", pad);
  return {
      x.batch, filter.in * GroupsAttribute(context),
      Extent(context, x.height, filter.height, strides.height, dilations.height, pads[0] + pads[1],
             extra.height),
      Extent(context, x.width, filter.width, strides.width, dilations.width, pads[2] + pads[3], extra.width)};
}

ImageDims WantedSize(const OpContext& context, const ImageDims& x, const FilterDims& filter, bool last) {
  const std::vector<std::int64_t> size = SizeOf(context, "input_size");
  if (std::all_of(size.begin(), size.end(), [](std::int64_t value) { return value == 0; }))
    return DerivedSize(context, x, filter, last);
  for (const std::int64_t value : size)
    if (value < 0) context.Refuse("input_size has the entry {}; sizes are not negative", value);
  if (size.size() == 2) return {x.batch, filter.in * GroupsAttribute(context), size[0], size[1]};
  return ImageDimsOf(context, size, last, "input_size");
}

Transposed GradientOf(const OpContext& context, const char* data, const ImageDims& wanted,
                      const FilterDims& filter, const ImageDims& given, bool last) {
  return {ShapeOfGradient(context, wanted, filter, given, last),
          filter.strides,
          {context.Port(data), context.Port("filter"), CheckedBias(context, wanted.channels)}};
}

Transposed TransposeOf(const OpContext& context) {
  const TensorType& x = context.In("x");
  const bool last = ChannelsLast(context, x, "NHWC");
  const ImageDims given = ImageDimsOf(context, x.dims, last, "x");
  const FilterDims filter = FilterDimsOf(context, context.In("filter"), last, "filter");
  return GradientOf(context, "x", WantedSize(context, given, filter, last), filter, given, last);
}

// Caffe's form: the size follows from the attributes, which count height and width alone.
Transposed DeconvolutionOf(const OpContext& context) {
  const TensorType& x = context.In("x");
  const bool last = ChannelsLast(context, x, "NCHW");
  const ImageDims given = ImageDimsOf(context, x.dims, last, "x");
  const FilterDims filter = FilterDimsOf(context, context.In("filter"), last, "filter");
  return GradientOf(context, "x", DerivedSize(context, given, filter, last), filter, given, last);
}

Transposed BackpropInputOf(const OpContext& context) {
  const TensorType& gradient = context.In("out_backprop");
  const bool last = ChannelsLast(context, gradient, "NHWC");
  const ImageDims wanted = ImageDimsOf(context, SizeOf(context, "input_size"), last, "input_size");
  for (const std::int64_t value : {wanted.batch, wanted.channels, wanted.height, wanted.width})
    if (value < 0) context.Refuse("input_size has the entry {}; sizes are not negative", value);
  const FilterDims filter = FilterDimsOf(context, context.In("filter"), last, "filter");
  return GradientOf(context, "out_backprop", wanted, filter,
                    ImageDimsOf(context, gradient.dims, last, "out_backprop"), last);
}

void InferTransposed(OpContext& context, const Transposed& transposed) {
  const TensorType& data = context.In(transposed.ports.data);
  if (data.type != context.In("filter").type)
    context.Refuse("the data is {} and the filter {}; they must have the same type", DataTypeName(data.type),
                   DataTypeName(context.In("filter").type));
  const ConvolutionShape& shape = transposed.shape;
  const ImageDims out{static_cast<std::int64_t>(shape.batch), static_cast<std::int64_t>(shape.channels),
                      static_cast<std::int64_t>(shape.height), static_cast<std::int64_t>(shape.width)};
  context.SetOut(0, ProductType(data.type), ToDims(out, shape.channels_last), data.format);
}

template <typename In, typename Out>
class PlainTransposedKernel : public Kernel {
 public:
  explicit PlainTransposedKernel(const Transposed& transposed) : transposed_(transposed) {}

  void Run(const RunArgs& args) const override {
    const FilterPorts& ports = transposed_.ports;
    const Out* bias = ports.bias < 0 ? nullptr : args.In<Out>(ports.bias);
    PlainInputGradient(transposed_.shape, args.In<In>(ports.data), args.In<In>(ports.filter),
                       transposed_.filter, bias, args.Out<Out>(0));
  }

 private:
  Transposed transposed_;
};

std::unique_ptr<Kernel> LowerTransposed(OpContext& context, const Transposed& transposed) {
  const DataType type = context.In(transposed.ports.data).type;
  for (const char* name : {"offset_w", "input_size"})
    if (context.Has(name)) context.SetUnused(context.Port(name));
  CheckBiasType(context, transposed.ports.bias, ProductType(type));
  if (ComputesInFloat(type))
    return LowerWithFilter(context, InputGradientPlan(transposed.shape), transposed.ports, transposed.filter);
  return VisitPlainTypes(context, type, [&](auto in, auto out) -> std::unique_ptr<Kernel> {
    using In = typename decltype(in)::Type;
    using Out = typename decltype(out)::Type;
    return std::make_unique<PlainTransposedKernel<In, Out>>(transposed);
  });
}

OpDef TransposedOp(const char* type, Transposed (*describe)(const OpContext&)) {
  return OpDef(type)
      .Infer([describe](OpContext& context) { InferTransposed(context, describe(context)); })
      .Lower([describe](OpContext& context) { return LowerTransposed(context, describe(context)); })
      .Types(ConvolutionTypes());
}

const RegisterOp transposed(std::vector<OpDef>{
    TransposedOp("Conv2DTranspose", TransposeOf), TransposedOp("Conv2DTransposeD", TransposeOf),
    TransposedOp("Deconvolution", DeconvolutionOf), TransposedOp("Conv2DBackpropInput", BackpropInputOf),
    TransposedOp("Conv2DBackpropInputD", BackpropInputOf)});

}  // namespace
}  // namespace foothold
