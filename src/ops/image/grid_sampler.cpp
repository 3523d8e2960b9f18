// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// GridSampler2D and GridSampler3D, and their gradients.
#include "kernels/grid_sample.h"
#include "kernels/grid_sample_gradient.h"
#include "ops/op.h"
#include "ops/through_float.h"
#include "ops/window/window.h"

namespace foothold {
namespace {

SampleWay WayOf(const OpContext& context, std::size_t dimensions) {
  const std::string way = context.node().Text("interpolation_mode", "bilinear");
  if (way == "bilinear") return SampleWay::kLinear;
  if (way == "nearest") return SampleWay::kNearest;
  if (way == "bicubic" && dimensions == 2) return SampleWay::kCubic;
  context.Refuse("interpolation_mode is '{}'; bilinear, nearest and, in planes, bicubic are possible", way);
}

SamplePadding PaddingOf(const OpContext& context) {
  const std::string padding = context.node().Text("padding_mode", "zeros");
  if (padding == "zeros") return SamplePadding::kZeros;
  if (padding == "border") return SamplePadding::kBorder;
  if (padding == "reflection") return SamplePadding::kReflection;
  context.Refuse("padding_mode is '{}'; zeros, border and reflection are possible", padding);
}

bool LastChannels(const OpContext& context, const TensorType& x) {
  if (x.format == Format::kNhwc || x.format == Format::kNdhwc) return true;
  if (x.format == Format::kNchw || x.format == Format::kNcdhw) return false;
  return context.node().Text("data_format", "NCDHW") == "NDHWC";
}

void CheckGrid(const OpContext& context, std::size_t dimensions) {
  const TensorType& x = context.In("x");
  const TensorType& grid = context.In("grid");
  const std::size_t rank = dimensions + 2;
  if (x.dims.size() != rank || grid.dims.size() != rank || grid.dims[0] != x.dims[0] ||
      grid.dims.back() != static_cast<std::int64_t>(dimensions))
    context.Refuse("x is {} and grid {}; expected {} dimensions, one batch and points of {} coordinates",
                   ToString(x), ToString(grid), rank, dimensions);
  if (x.type != grid.type)
    context.Refuse("x is {} and grid {}; they must have the same type", ToString(x), ToString(grid));
}

GridSampleShape ShapeOf(const OpContext& context, std::size_t dimensions) {
  CheckGrid(context, dimensions);
  const TensorType& x = context.In("x");
  GridSampleShape shape;
  shape.dimensions = dimensions;
  shape.channels_last = LastChannels(context, x);
  shape.batch = static_cast<std::size_t>(x.dims[0]);
  shape.channels = static_cast<std::size_t>(shape.channels_last ? x.dims.back() : x.dims[1]);
  const std::size_t first = shape.channels_last ? 1 : 2;
  for (std::size_t i = 0; i < dimensions; ++i)
    shape.space[3 - dimensions + i] = static_cast<std::size_t>(x.dims[first + i]);
  const Dims& grid = context.In("grid").dims;
  shape.points = static_cast<std::size_t>(ElementCount(Dims(grid.begin() + 1, grid.end() - 1)));
  shape.way = WayOf(context, dimensions);
  shape.padding = PaddingOf(context);
  shape.align_corners = context.node().Bool("align_corners", false);
  return shape;
}

Dims SampledDims(const OpContext& context, const GridSampleShape& shape) {
  const TensorType& x = context.In("x");
  const Dims& grid = context.In("grid").dims;
  Dims dims{x.dims[0]};
  if (!shape.channels_last) dims.push_back(x.dims[1]);
  dims.insert(dims.end(), grid.begin() + 1, grid.end() - 1);
  if (shape.channels_last) dims.push_back(x.dims.back());
  ElementCount(dims);
  return dims;
}

void InferSampler(OpContext& context, std::size_t dimensions) {
  const GridSampleShape shape = ShapeOf(context, dimensions);
  context.SetOut(0, context.In("x").type, SampledDims(context, shape), context.In("x").format);
}

void InferGradient(OpContext& context, std::size_t dimensions) {
  const GridSampleShape shape = ShapeOf(context, dimensions);
  const TensorType& grad = context.In("grad");
  const Dims expected = SampledDims(context, shape);
  if (grad.dims != expected || grad.type != context.In("x").type)
    context.Refuse("grad is {}, expected {} of {}", ToString(grad), DataTypeName(context.In("x").type),
                   ToString(expected));
  context.SetOut(0, context.In("x"));
  if (context.outputs() > 1) context.SetOut(1, context.In("grid"));
}

template <typename T>
class SamplerKernel : public Kernel {
 public:
  explicit SamplerKernel(const GridSampleShape& shape) : shape_(shape) {}
  void Run(const RunArgs& args) const override {
    GridSample(shape_, args.In<T>(0), args.In<T>(1), args.Out<T>(0));
  }

 private:
  GridSampleShape shape_;
};

template <typename T>
class GradientKernel : public Kernel {
 public:
  GradientKernel(const GridSampleShape& shape, bool by_grid) : shape_(shape), by_grid_(by_grid) {}
  void Run(const RunArgs& args) const override {
    GridSampleGradient(shape_, args.In<T>(0), args.In<T>(1), args.In<T>(2), args.Out<T>(0),
                       by_grid_ ? args.Out<T>(1) : nullptr);
  }

 private:
  GridSampleShape shape_;
  bool by_grid_;
};

template <template <typename> class SampleKernel, typename... Args>
std::unique_ptr<Kernel> LowerSampler(OpContext& context, Args... args) {
  const DataType type = context.In("x").type;
  if (type == DataType::kDouble) return std::make_unique<SampleKernel<double>>(args...);
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; floating-point types have one", DataTypeName(type));
  return ThroughFloat(context, std::make_unique<SampleKernel<float>>(args...));
}

OpDef SamplerGradient(const char* type, std::size_t dimensions) {
  return OpDef(type)
      .Infer([dimensions](OpContext& context) { InferGradient(context, dimensions); })
      .Lower([dimensions](OpContext& context) {
        return LowerSampler<GradientKernel>(context, ShapeOf(context, dimensions), context.outputs() > 1);
      })
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble});
}

OpDef Sampler(const char* type, std::size_t dimensions) {
  return OpDef(type)
      .Infer([dimensions](OpContext& context) { InferSampler(context, dimensions); })
      .Lower([dimensions](OpContext& context) {
        return LowerSampler<SamplerKernel>(context, ShapeOf(context, dimensions));
      })
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble});
}

const RegisterOp samplers({Sampler("GridSampler2D", 2), Sampler("GridSampler3D", 3),
                           SamplerGradient("GridSampler2DGrad", 2), SamplerGradient("GridSampler3DGrad", 3)});

}  // namespace
}  // namespace foothold
