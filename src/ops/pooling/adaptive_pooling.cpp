// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pooling to a size: window i of `out` over `in` elements goes from floor(i * in / out) to
// ceil((i + 1) * in / out).
#include <array>

#include "base/thread_pool.h"
#include "kernels/pooling.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/through_float.h"
#include "ops/window/window.h"

namespace foothold {
namespace {

struct AdaptiveAxis {
  std::size_t in = 1, out = 1;
  std::size_t Begin(std::size_t i) const { return i * in / out; }
  std::size_t End(std::size_t i) const { return ((i + 1) * in + out - 1) / out; }
};

// [outer, space ..., inner]: inner is the channels if they come last.
struct AdaptiveShape {
  std::size_t outer = 1, inner = 1;
  std::array<AdaptiveAxis, 3> space;  // what there is less of stands at the end
  Dims out;

  std::size_t InPoints() const { return space[0].in * space[1].in * space[2].in; }
  std::size_t OutPoints() const { return space[0].out * space[1].out * space[2].out; }
};

// From the first pooled dimension of x on. A size of -1 is that of x.
AdaptiveShape ShapeOf(const OpContext& context, const std::vector<std::int64_t>& sizes) {
  const TensorType& x = context.In("x");
  if (sizes.empty() || sizes.size() > 3 || sizes.size() > x.dims.size())
    context.Refuse("output_size has {} entries for x {}; one to three are possible", sizes.size(),
                   ToString(x));
  const bool last = (x.format == Format::kNhwc && x.dims.size() == 4 && sizes.size() == 2) ||
                    (x.format == Format::kNdhwc && x.dims.size() == 5 && sizes.size() == 3);
  const std::size_t first = x.dims.size() - sizes.size() - (last ? 1 : 0);
  AdaptiveShape shape;
  shape.out = x.dims;
  shape.outer = Product(x.dims, 0, first);
  shape.inner = last ? static_cast<std::size_t>(x.dims.back()) : 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t in = x.dims[first + i], out = sizes[i] == -1 ? in : sizes[i];
    if (out < 0 || out > kMostExtent || in > kMostExtent || (in == 0 && out > 0))
      context.Refuse("output_size asks for {} of {} elements", out, in);
    shape.out[first + i] = out;
    shape.space[3 - sizes.size() + i] = {static_cast<std::size_t>(in), static_cast<std::size_t>(out)};
  }
  ElementCount(shape.out);
  return shape;
}

AdaptiveShape ShapeOf(const OpContext& context) {
  return ShapeOf(context, IntsArgument(context, "output_size"));
}

// Calls visit(element) for the window of output point `point`, and returns how many elements it has.
template <typename Visit>
std::size_t ForEachInWindow(const AdaptiveShape& shape, std::size_t point, Visit&& visit) {
  const auto& [depth, height, width] = shape.space;
  const std::size_t x = point % width.out, y = point / width.out % height.out;
  const std::size_t z = point / width.out / height.out;
  for (std::size_t d = depth.Begin(z); d < depth.End(z); ++d)
    for (std::size_t h = height.Begin(y); h < height.End(y); ++h)
      for (std::size_t w = width.Begin(x); w < width.End(x); ++w)
        visit(((d * height.in + h) * width.in + w) * shape.inner);
  return (depth.End(z) - depth.Begin(z)) * (height.End(y) - height.Begin(y)) *
         (width.End(x) - width.Begin(x));
}

// Calls visit(in, out, point) for every output element; `in` is where its plane begins.
template <typename Visit>
void ForEachOutput(const AdaptiveShape& shape, Visit&& visit) {
  const std::size_t grain = 1 + 16384 / (1 + shape.InPoints());
  ParallelFor(shape.outer * shape.inner, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t plane = i / shape.inner, channel = i % shape.inner;
      for (std::size_t point = 0; point < shape.OutPoints(); ++point)
        visit(plane * shape.InPoints() * shape.inner + channel,
              (plane * shape.OutPoints() + point) * shape.inner + channel, point);
    }
  });
}

template <typename T>
class AdaptiveAverage : public Kernel {
 public:
  explicit AdaptiveAverage(AdaptiveShape shape) : shape_(std::move(shape)) {}
  void Run(const RunArgs& args) const override {
    ForEachOutput(shape_, [&](std::size_t in, std::size_t out, std::size_t point) {
      T sum{};
      const std::size_t count =
          ForEachInWindow(shape_, point, [&](std::size_t i) { sum += args.In<T>(0)[in + i]; });
      args.Out<T>(0)[out] = sum / static_cast<T>(count);
    });
  }

 private:
  AdaptiveShape shape_;
};

template <typename T>
class AdaptiveMaximum : public Kernel {
 public:
  explicit AdaptiveMaximum(AdaptiveShape shape) : shape_(std::move(shape)) {}
  void Run(const RunArgs& args) const override {
    ForEachOutput(shape_, [&](std::size_t in, std::size_t out, std::size_t point) {
      const T* plane = args.In<T>(0) + in;
      std::size_t best = shape_.InPoints() * shape_.inner;  // none yet
      ForEachInWindow(shape_, point, [&](std::size_t i) {
        const bool first = best == shape_.InPoints() * shape_.inner;
        if (first || plane[i] > plane[best] || (plane[i] != plane[i] && plane[best] == plane[best])) best = i;
      });
      args.Out<T>(0)[out] = plane[best];
      args.Out<std::int32_t>(1)[out] = static_cast<std::int32_t>(best / shape_.inner);
    });
  }

 private:
  AdaptiveShape shape_;
};

template <template <typename> class Adaptive>
std::unique_ptr<Kernel> LowerAdaptive(OpContext& context) {
  AdaptiveShape shape = ShapeOf(context);
  Ignore(context, {"output_size"});
  const DataType type = context.In("x").type;
  if (type == DataType::kDouble) return std::make_unique<Adaptive<double>>(std::move(shape));
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; floating-point types have one", DataTypeName(type));
  return ThroughFloat(context, std::make_unique<Adaptive<float>>(std::move(shape)));
}

void InferAverage(OpContext& context) {
  context.SetOut(0, context.In("x").type, ShapeOf(context).out, context.In("x").format);
}

void InferMaximum(OpContext& context) {
  const AdaptiveShape shape = ShapeOf(context);
  if (shape.InPoints() > INT32_MAX)
    context.Refuse("a plane of x has {} elements, expected less than 2^31", shape.InPoints());
  context.SetOut(0, context.In("x").type, shape.out, context.In("x").format);
  context.SetOut(1, DataType::kInt32, shape.out, context.In("x").format);
}

OpDef AdaptiveOp(const char* type, OpDef::InferRule infer, OpDef::LowerRule lower) {
  return OpDef(type)
      .Infer(std::move(infer))
      .Lower(std::move(lower))
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble});
}

const RegisterOp adaptive({AdaptiveOp("AdaptiveAvgPool2d", InferAverage, LowerAdaptive<AdaptiveAverage>),
                           AdaptiveOp("AdaptiveAvgPool", InferAverage, LowerAdaptive<AdaptiveAverage>),
                           AdaptiveOp("AdaptiveMaxPool2d", InferMaximum, LowerAdaptive<AdaptiveMaximum>)});

}  // namespace
}  // namespace foothold
