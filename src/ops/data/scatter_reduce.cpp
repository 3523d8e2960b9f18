// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// AclnnScatterReduce, an operator of our own: along 'axis', elements of 'src' are brought to places of a copy
// of x and combined by 'reduce': replace, add, multiply, max, min, mean. 'include_self' says whether what is
// in x is one of them. The index may be smaller than both.
#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "base/thread_pool.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/function_kernel.h"
#include "ops/number_kernel.h"

namespace foothold {
namespace {

enum class Reduce { kReplace, kAdd, kMultiply, kMax, kMin, kMean };

Reduce ReduceOf(const OpContext& context) {
  static constexpr std::pair<std::string_view, Reduce> kNames[] = {
      {"replace", Reduce::kReplace}, {"add", Reduce::kAdd}, {"multiply", Reduce::kMultiply},
      {"max", Reduce::kMax},         {"min", Reduce::kMin}, {"mean", Reduce::kMean}};
  const std::string name = context.node().Text("reduce", "");
  for (const auto& [known, reduce] : kNames)
    if (name == known) return reduce;
  context.Refuse("attribute 'reduce' is '{}', expected replace, add, multiply, max, min or mean", name);
}

// Where the lines of the index begin in a tensor that is at least as large.
std::vector<std::size_t> Starts(const Dims& index, const Dims& dims, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> starts{0};
  for (std::size_t axis = begin; axis < end; ++axis) {
    const std::size_t step = Product(dims, axis + 1, dims.size());
    std::vector<std::size_t> next;
    for (const std::size_t start : starts)
      for (std::int64_t i = 0; i < index[axis]; ++i)
        next.push_back(start + static_cast<std::size_t>(i) * step);
    starts = std::move(next);
  }
  return starts;
}

struct Scatter {
  Scatter(const OpContext& context, std::size_t axis)
      : reduce(ReduceOf(context)), include_self(context.node().Bool("include_self", true)) {
    const Dims &x = context.In("x").dims, &index = context.In("index").dims, &src = context.In("src").dims;
    count = static_cast<std::size_t>(ElementCount(x));
    length = static_cast<std::size_t>(index[axis]);
    room = static_cast<std::size_t>(x[axis]);
    x_step = Product(x, axis + 1, x.size());
    src_step = Product(src, axis + 1, src.size());
    x_outer = Starts(index, x, 0, axis);
    src_outer = Starts(index, src, 0, axis);
    x_inner = Starts(index, x, axis + 1, x.size());
    src_inner = Starts(index, src, axis + 1, x.size());
  }

  Reduce reduce;
  bool include_self;
  std::size_t count, length, room, x_step, src_step;
  std::vector<std::size_t> x_outer, src_outer, x_inner, src_inner;
};

std::size_t AxisOf(const OpContext& context) {
  return AxisIn(context, RequiredInt(context, "axis"), context.In("x").dims.size(), "attribute 'axis'");
}

void Infer(OpContext& context) {
  const Dims &x = context.In("x").dims, &index = context.In("index").dims, &src = context.In("src").dims;
  const std::size_t axis = AxisOf(context);
  bool fits =
      index.size() == x.size() && src.size() == x.size() && context.In("src").type == context.In("x").type;
  for (std::size_t i = 0; fits && i < x.size(); ++i)
    fits = index[i] <= src[i] && (i == axis || index[i] <= x[i]);
  if (!fits)
    context.Refuse("index is {}; it has to fit into src, {}, and x, {}", ToString(index),
                   ToString(context.In("src")), ToString(context.In("x")));
  context.SetOut(0, context.In("x"));
}

template <typename T>
T Identity(Reduce reduce) {
  using Limits = std::numeric_limits<T>;
  if (reduce == Reduce::kMultiply) return T{1};
  if (reduce == Reduce::kMax) return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  if (reduce == Reduce::kMin) return Limits::has_infinity ? Limits::infinity() : Limits::max();
  return T{};
}

template <typename T>
T Combined(Reduce reduce, T a, T b) {
  switch (reduce) {
    case Reduce::kReplace:
      return b;
    case Reduce::kMultiply:
      return static_cast<T>(a * b);
    case Reduce::kMax:
      return a != a || a > b ? a : b;
    case Reduce::kMin:
      return a != a || a < b ? a : b;
    default:
      return static_cast<T>(a + b);
  }
}

template <typename T>
T Divided(T sum, std::uint32_t count) {
  if constexpr (std::is_floating_point_v<T>) {
    return sum / static_cast<T>(count);
  } else {
    const auto wide = static_cast<std::int64_t>(sum), by = static_cast<std::int64_t>(count);
    return static_cast<T>(wide / by - (wide % by < 0 ? 1 : 0));
  }
}

// visit(place in the result, place in src), in order for each line of the index.
template <typename Visit>
void ForPlaces(const Scatter& s, const IndexReader& index, const RunArgs& args, std::size_t o,
               std::size_t begin, std::size_t end, Visit&& visit) {
  for (std::size_t k = 0; k < s.length; ++k)
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t at = index.At(args, (o * s.length + k) * s.x_inner.size() + i, s.room);
      visit(s.x_outer[o] + at * s.x_step + s.x_inner[i], s.src_outer[o] + k * s.src_step + s.src_inner[i]);
    }
}

template <typename T>
void RunLines(const Scatter& s, const IndexReader& index, const RunArgs& args, std::size_t o,
              std::size_t begin, std::size_t end) {
  T* y = args.Out<T>(0);
  const T* src = args.In<T>(2);
  auto* counts = reinterpret_cast<std::uint32_t*>(args.workspace);
  const bool mean = s.reduce == Reduce::kMean;
  if (!s.include_self || mean)
    ForPlaces(s, index, args, o, begin, end, [&](std::size_t to, std::size_t) {
      if (!s.include_self && s.reduce != Reduce::kReplace) y[to] = Identity<T>(s.reduce);
      if (mean) counts[to] = s.include_self ? 1 : 0;
    });
  ForPlaces(s, index, args, o, begin, end, [&](std::size_t to, std::size_t from) {
    y[to] = Combined(s.reduce, y[to], src[from]);
    if (mean) ++counts[to];
  });
  if (!mean) return;
  ForPlaces(s, index, args, o, begin, end, [&](std::size_t to, std::size_t) {
    if (counts[to] > 0) y[to] = Divided(y[to], counts[to]);
    counts[to] = 0;
  });
}

std::unique_ptr<Kernel> Lower(OpContext& context) {
  const Scatter s(context, AxisOf(context));
  const IndexReader index(context, context.Port("index"));
  return NumberKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf(
        [=](const RunArgs& args) {
          if (s.count == 0) return;
          if (args.outputs[0] != args.inputs[0])
            std::memcpy(args.outputs[0], args.inputs[0], s.count * sizeof(T));
          const std::size_t inner = s.x_inner.size(), lines = s.x_outer.size() * inner;
          ParallelFor(lines, 64 + 8192 / (1 + s.length), [&](std::size_t begin, std::size_t end) {
            while (begin < end) {
              const std::size_t o = begin / inner, stop = std::min(end, (o + 1) * inner);
              RunLines<T>(s, index, args, o, begin - o * inner, stop - o * inner);
              begin = stop;
            }
          });
        },
        s.reduce == Reduce::kMean ? s.count * sizeof(std::uint32_t) : 0);
  });
}

const RegisterOp scatter_reduce(OpDef("AclnnScatterReduce").Infer(Infer).Lower(Lower).InPlace(0, 0));

}  // namespace
}  // namespace foothold
