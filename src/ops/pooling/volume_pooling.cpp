// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of our own on planes of three dimensions: averages and their gradient, maxima with their places
// in the plane. AclnnPlaneScatter brings elements to such places: adds them, or puts them there.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "base/thread_pool.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/function_kernel.h"
#include "ops/number_kernel.h"
#include "ops/pooling/volume_planes.h"

namespace foothold {
namespace {

// visit(plane) for each, in parallel.
template <typename Visit>
void ForEachPlane(const Planes& planes, Visit&& visit) {
  const auto work = static_cast<std::size_t>(planes.InPoints() + planes.OutPoints());
  ParallelFor(planes.count, 1 + 16384 / (1 + work), [&](std::size_t begin, std::size_t end) {
    for (std::size_t plane = begin; plane < end; ++plane)
      visit(plane);
  });
}

struct Window {
  Window(const Planes& planes, std::int64_t z, std::int64_t y, std::int64_t x) {
    const std::int64_t at[] = {z, y, x};
    for (std::size_t i = 0; i < 3; ++i) {
      const PlaneAxis& axis = planes.axes[i];
      begin[i] = std::max<std::int64_t>(axis.Start(at[i]), 0);
      end[i] = std::max(axis.End(at[i]), begin[i]);
      padded *= axis.PaddedEnd(at[i]) - axis.Start(at[i]);
      inside *= end[i] - begin[i];
    }
  }
  template <typename Visit>
  void ForEach(const Planes& planes, Visit&& visit) const {
    for (std::int64_t d = begin[0]; d < end[0]; ++d)
      for (std::int64_t h = begin[1]; h < end[1]; ++h)
        for (std::int64_t w = begin[2]; w < end[2]; ++w)
          visit(static_cast<std::size_t>((d * planes.axes[1].in + h) * planes.axes[2].in + w));
  }
  std::int64_t begin[3], end[3], padded = 1, inside = 1;
};

struct Averaging {
  Averaging(const OpContext& context, const Dims& in)
      : planes(PlanesOf(context, in)),
        count_padding(context.node().Bool("count_include_pad", true)),
        divisor(context.node().Int("divisor_override", 0)) {}
  std::int64_t Divisor(const Window& window) const {
    return divisor != 0 ? divisor : count_padding ? window.padded : window.inside;
  }
  Planes planes;
  bool count_padding;
  std::int64_t divisor;
};

template <typename T>
using Sum = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;

template <typename T>
void Average(const Averaging& a, const T* x, T* y) {
  ForEachPlane(a.planes, [&](std::size_t plane) {
    const T* from = x + plane * static_cast<std::size_t>(a.planes.InPoints());
    T* to = y + plane * static_cast<std::size_t>(a.planes.OutPoints());
    ForEachPoint(a.planes, [&](std::size_t point, std::int64_t z, std::int64_t row, std::int64_t column) {
      const Window window(a.planes, z, row, column);
      Sum<T> sum{};
      window.ForEach(a.planes, [&](std::size_t i) { sum += static_cast<Sum<T>>(from[i]); });
      to[point] = window.inside == 0 ? T{} : static_cast<T>(sum / static_cast<Sum<T>>(a.Divisor(window)));
    });
  });
}

template <typename T>
void AverageGradient(const Averaging& a, const T* gradient, T* y) {
  ForEachPlane(a.planes, [&](std::size_t plane) {
    const T* from = gradient + plane * static_cast<std::size_t>(a.planes.OutPoints());
    const auto points = static_cast<std::size_t>(a.planes.InPoints());
    T* to = y + plane * points;
    std::fill_n(to, points, T{});
    ForEachPoint(a.planes, [&](std::size_t point, std::int64_t z, std::int64_t row, std::int64_t column) {
      const Window window(a.planes, z, row, column);
      if (window.inside == 0) return;
      const T share = static_cast<T>(from[point] / static_cast<T>(a.Divisor(window)));
      window.ForEach(a.planes, [&](std::size_t i) { to[i] += share; });
    });
  });
}

void InferAverage(OpContext& context) {
  context.SetOut(0, context.In(0).type, PooledDims(PlanesOf(context, context.InDims(0))), Format::kNd);
}

std::unique_ptr<Kernel> LowerAverage(OpContext& context) {
  const Averaging averaging(context, context.InDims(0));
  return NumberKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([averaging](const RunArgs& args) { Average(averaging, args.In<T>(0), args.Out<T>(0)); });
  });
}

void InferAverageGradient(OpContext& context) {
  const Dims in = RequiredInts(context, "input_dims"), pooled = PooledDims(PlanesOf(context, in));
  if (context.InDims(0) != pooled)
    context.Refuse("the gradient is {}, expected {}", ToString(context.In(0)), ToString(pooled));
  context.SetOut(0, context.In(0).type, in, Format::kNd);
}

std::unique_ptr<Kernel> LowerAverageGradient(OpContext& context) {
  const Averaging averaging(context, RequiredInts(context, "input_dims"));
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf(
        [averaging](const RunArgs& args) { AverageGradient(averaging, args.In<T>(0), args.Out<T>(0)); });
  });
}

// Of equals the first counts, and what is no number is the largest.
template <typename T, typename Place>
void Maxima(const Planes& planes, const T* x, T* y, Place* places) {
  ForEachPlane(planes, [&](std::size_t plane) {
    const T* from = x + plane * static_cast<std::size_t>(planes.InPoints());
    const std::size_t first = plane * static_cast<std::size_t>(planes.OutPoints());
    ForEachPoint(planes, [&](std::size_t point, std::int64_t z, std::int64_t row, std::int64_t column) {
      const std::int64_t at[] = {z, row, column};
      std::int64_t begin[3], end[3];
      for (std::size_t i = 0; i < 3; ++i) {
        const PlaneAxis& axis = planes.axes[i];
        begin[i] = axis.Start(at[i]);
        end[i] = std::min(begin[i] + (axis.kernel - 1) * axis.dilation + 1, axis.in);
        if (begin[i] < 0) begin[i] += (-begin[i] + axis.dilation - 1) / axis.dilation * axis.dilation;
      }
      std::int64_t best = -1;
      for (std::int64_t d = begin[0]; d < end[0]; d += planes.axes[0].dilation)
        for (std::int64_t h = begin[1]; h < end[1]; h += planes.axes[1].dilation)
          for (std::int64_t w = begin[2]; w < end[2]; w += planes.axes[2].dilation) {
            const std::int64_t i = (d * planes.axes[1].in + h) * planes.axes[2].in + w;
            if (best < 0 || from[i] > from[best] || from[i] != from[i]) best = i;
          }
      y[first + point] = best < 0 ? std::numeric_limits<T>::lowest() : from[best];
      places[first + point] = static_cast<Place>(std::max<std::int64_t>(best, 0));
    });
  });
}

void InferMaxima(OpContext& context) {
  const Planes planes = PlanesOf(context, context.InDims(0));
  const DataType places = IndexTypeAttribute(context, "dtype", DataType::kInt32);
  if (places == DataType::kInt32 && planes.InPoints() > INT32_MAX)
    context.Refuse("x is {}; places in its planes do not fit int32", ToString(context.In(0)));
  context.SetOut(0, context.In(0).type, PooledDims(planes), Format::kNd);
  context.SetOut(1, places, PooledDims(planes), Format::kNd);
}

std::unique_ptr<Kernel> LowerMaxima(OpContext& context) {
  const Planes planes = PlanesOf(context, context.InDims(0));
  const bool wide = context.Out(1).type == DataType::kInt64;
  return NumberKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([planes, wide](const RunArgs& args) {
      if (wide)
        Maxima(planes, args.In<T>(0), args.Out<T>(0), args.Out<std::int64_t>(1));
      else
        Maxima(planes, args.In<T>(0), args.Out<T>(0), args.Out<std::int32_t>(1));
    });
  });
}

void InferScatter(OpContext& context) {
  const Dims& dims = context.InDims(0);
  if (dims.size() != 2 || context.In("places").dims != dims)
    context.Refuse("x is {} and places {}, expected rows of as many", ToString(context.In(0)),
                   ToString(context.In("places")));
  context.SetOut(0, context.In(0).type, {dims[0], RequiredInt(context, "size")}, Format::kNd);
}

std::unique_ptr<Kernel> LowerScatter(OpContext& context) {
  const IndexReader places(context, context.Port("places"));
  const auto rows = static_cast<std::size_t>(context.InDims(0)[0]),
             count = static_cast<std::size_t>(context.InDims(0)[1]),
             size = static_cast<std::size_t>(RequiredInt(context, "size"));
  const bool adds = context.node().Bool("add", true);
  return NumberKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([=](const RunArgs& args) {
      ParallelFor(rows, 1 + 16384 / (1 + count + size), [&](std::size_t begin, std::size_t end) {
        std::fill_n(args.Out<T>(0) + begin * size, (end - begin) * size, T{});
        for (std::size_t i = begin * count; i < end * count; ++i) {
          T& to = args.Out<T>(0)[i / count * size + places.At(args, i, size)];
          to = adds ? static_cast<T>(to + args.In<T>(0)[i]) : args.In<T>(0)[i];
        }
      });
    });
  });
}

// Window i of `out` over `in` elements goes from floor(i in / out) to ceil((i + 1) in / out).
Planes AdaptivePlanes(const OpContext& context) {
  const Dims in = RequiredInts(context, "input_dims");
  const Dims& out = context.InDims(0);
  if (in.size() != 4 || out.size() != 4 || in[0] != out[0])
    context.Refuse("the gradient is {} for planes {}", ToString(out), ToString(in));
  Planes planes;
  planes.count = static_cast<std::size_t>(in[0]);
  for (std::size_t i = 0; i < 3; ++i)
    planes.axes[i] = {in[i + 1], out[i + 1], 1, 1, 0, 1};
  return planes;
}

template <typename T>
void AdaptiveGradient(const Planes& planes, const T* gradient, T* y) {
  ForEachPlane(planes, [&](std::size_t plane) {
    const auto points = static_cast<std::size_t>(planes.InPoints());
    T* to = y + plane * points;
    const T* from = gradient + plane * static_cast<std::size_t>(planes.OutPoints());
    std::fill_n(to, points, T{});
    ForEachPoint(planes, [&](std::size_t point, std::int64_t z, std::int64_t row, std::int64_t column) {
      const std::int64_t at[] = {z, row, column};
      std::int64_t begin[3], end[3];
      for (std::size_t i = 0; i < 3; ++i) {
        const PlaneAxis& axis = planes.axes[i];
        begin[i] = at[i] * axis.in / axis.out;
        end[i] = ((at[i] + 1) * axis.in + axis.out - 1) / axis.out;
      }
      const T share =
          from[point] / static_cast<T>((end[0] - begin[0]) * (end[1] - begin[1]) * (end[2] - begin[2]));
      for (std::int64_t d = begin[0]; d < end[0]; ++d)
        for (std::int64_t h = begin[1]; h < end[1]; ++h)
          for (std::int64_t w = begin[2]; w < end[2]; ++w)
            to[(d * planes.axes[1].in + h) * planes.axes[2].in + w] += share;
    });
  });
}

void InferAdaptiveGradient(OpContext& context) {
  AdaptivePlanes(context);
  context.SetOut(0, context.In(0).type, RequiredInts(context, "input_dims"), Format::kNd);
}

std::unique_ptr<Kernel> LowerAdaptiveGradient(OpContext& context) {
  const Planes planes = AdaptivePlanes(context);
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf(
        [planes](const RunArgs& args) { AdaptiveGradient(planes, args.In<T>(0), args.Out<T>(0)); });
  });
}

const RegisterOp volume_pooling({
    OpDef("AclnnAvgPool").Infer(InferAverage).Lower(LowerAverage),
    OpDef("AclnnAvgPoolGrad").Infer(InferAverageGradient).Lower(LowerAverageGradient),
    OpDef("AclnnMaxPool").Infer(InferMaxima).Lower(LowerMaxima),
    OpDef("AclnnPlaneScatter").Infer(InferScatter).Lower(LowerScatter),
    OpDef("AclnnAdaptiveAvgPoolGrad").Infer(InferAdaptiveGradient).Lower(LowerAdaptiveGradient),
});

}  // namespace
}  // namespace foothold
