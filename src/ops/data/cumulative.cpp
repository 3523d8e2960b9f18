// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Running sums and products along one axis.
#include <algorithm>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::size_t kGrainElements = std::size_t{1} << 14;

struct Line {
  std::size_t outer, length, inner;
  bool exclusive, reverse;
};

// Sums of float are kept in double, so that long ones stay exact to the last place.
template <typename T>
using Total = std::conditional_t<kIsFloating<T>, double, std::uint64_t>;

template <typename T>
T Narrowed(Total<T> total) {
  if constexpr (kIsHalf<T>)
    return T(static_cast<float>(total));
  else
    return static_cast<T>(total);
}

template <typename T>
Total<T> Widened(T value) {
  if constexpr (kIsHalf<T>)
    return static_cast<double>(static_cast<float>(value));
  else
    return static_cast<Total<T>>(value);
}

template <typename T, bool kProduct>
void CumulateLine(const T* x, T* y, const Line& run) {
  Total<T> total = kProduct ? 1 : 0;
  for (std::size_t step = 0; step < run.length; ++step) {
    const std::size_t at = (run.reverse ? run.length - 1 - step : step) * run.inner;
    const Total<T> value = Widened(x[at]);
    const Total<T> next = kProduct ? total * value : total + value;
    y[at] = Narrowed<T>(run.exclusive ? total : next);
    total = next;
  }
}

template <typename T, bool kProduct>
class CumulativeKernel : public Kernel {
 public:
  explicit CumulativeKernel(Line run) : run_(run) {}
  void Run(const RunArgs& args) const override {
    if (run_.length == 0) return;  // no elements, which may have no address
    const std::size_t grain = std::max<std::size_t>(1, kGrainElements / run_.length);
    ParallelFor(run_.outer * run_.inner, grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t first = i / run_.inner * run_.inner * run_.length + i % run_.inner;
        CumulateLine<T, kProduct>(args.In<T>(0) + first, args.Out<T>(0) + first, run_);
      }
    });
  }

 private:
  Line run_;
};

std::size_t AxisOf(const OpContext& context) {
  return AxisIn(context, IntArgument(context, "axis"), context.InDims(0).size(), "axis");
}

void InferCumulative(OpContext& context) {
  AxisOf(context);
  context.SetOut(0, context.In(0));
}

template <bool kProduct>
std::unique_ptr<Kernel> LowerCumulative(OpContext& context) {
  const Dims& dims = context.InDims(0);
  const std::size_t axis = AxisOf(context);
  Ignore(context, {"axis"});
  const Line run{Product(dims, 0, axis), static_cast<std::size_t>(dims[axis]),
                 Product(dims, axis + 1, dims.size()), context.node().Bool("exclusive", false),
                 context.node().Bool("reverse", false)};
  const auto none = [&]() -> std::unique_ptr<Kernel> {
    context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(context.In(0).type));
  };
  return VisitType(
      context.In(0).type,
      [&](auto tag) -> std::unique_ptr<Kernel> {
        using T = typename decltype(tag)::Type;
        if constexpr (std::is_same_v<T, bool>)
          return none();
        else
          return std::make_unique<CumulativeKernel<T, kProduct>>(run);
      },
      none);
}

template <bool kProduct>
OpDef Cumulating(const char* type) {
  return OpDef(type)
      .Infer(InferCumulative)
      .Lower(LowerCumulative<kProduct>)
      .InPlace(0, 0)
      .Types(NumberTypes());
}

const RegisterOp cumulatives({
    Cumulating<false>("Cumsum"),
    Cumulating<false>("CumsumD"),
    Cumulating<true>("Cumprod"),
    Cumulating<true>("CumprodD"),
});

}  // namespace
}  // namespace foothold
