// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Elements along an axis in order, with the places they came from; equals keep their order, and a NaN counts
// as the largest number.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

struct Lines {
  std::size_t outer, length, inner;
  bool descending;
  bool places;  // the second output is there
};

std::size_t AxisOf(const OpContext& context) {
  return AxisIn(context, context.node().Int("axis", -1), context.InDims(0).size(), "attribute 'axis'");
}

void InferSort(OpContext& context) {
  const TensorType& x = context.In(0);
  if (!x.dims.empty() && x.dims[AxisOf(context)] > INT32_MAX)
    context.Refuse("x is {}; the axis must have less than 2^31 elements", ToString(x));
  context.SetOut(0, x);
  if (context.outputs() > 1) context.SetOut(1, DataType::kInt32, x.dims, x.format);
}

template <typename T>
class SortKernel : public Kernel {
 public:
  explicit SortKernel(const Lines& lines) : lines_(lines) {}

  std::size_t WorkspaceBytes() const override {
    return lines_.outer * lines_.inner * lines_.length * sizeof(std::int32_t);
  }

  void Run(const RunArgs& args) const override {
    ParallelFor(lines_.outer * lines_.inner, 1 + 4096 / (1 + lines_.length),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t i = begin; i < end; ++i)
                    RunLine(args, i);
                });
  }

 private:
  using Value = Computed<T>;

  static bool Below(Value a, Value b) {
    if constexpr (kIsFloating<T>) return a < b || (std::isnan(b) && !std::isnan(a));
    return a < b;
  }

  void RunLine(const RunArgs& args, std::size_t line) const {
    const std::size_t first = line / lines_.inner * lines_.inner * lines_.length + line % lines_.inner;
    const T* x = args.In<T>(0) + first;
    std::int32_t* order = reinterpret_cast<std::int32_t*>(args.workspace) + line * lines_.length;
    std::iota(order, order + lines_.length, 0);
    std::sort(order, order + lines_.length, [&](std::int32_t a, std::int32_t b) {
      const auto left = static_cast<Value>(x[static_cast<std::size_t>(a) * lines_.inner]);
      const auto right = static_cast<Value>(x[static_cast<std::size_t>(b) * lines_.inner]);
      if (Below(left, right)) return !lines_.descending;
      if (Below(right, left)) return lines_.descending;
      return a < b;
    });
    for (std::size_t i = 0; i < lines_.length; ++i) {
      args.Out<T>(0)[first + i * lines_.inner] = x[static_cast<std::size_t>(order[i]) * lines_.inner];
      if (lines_.places) args.Out<std::int32_t>(1)[first + i * lines_.inner] = order[i];
    }
  }

  Lines lines_;
};

std::unique_ptr<Kernel> LowerSort(OpContext& context) {
  const Dims& x = context.InDims(0);
  Lines lines{1, 1, 1, context.node().Bool("descending", false), context.outputs() > 1};
  if (!x.empty()) {
    const std::size_t axis = AxisOf(context);
    lines.outer = Product(x, 0, axis);
    lines.length = static_cast<std::size_t>(x[axis]);
    lines.inner = Product(x, axis + 1, x.size());
  }
  return VisitType(
      context.In(0).type,
      [&](auto tag) -> std::unique_ptr<Kernel> {
        return std::make_unique<SortKernel<typename decltype(tag)::Type>>(lines);
      },
      [&]() -> std::unique_ptr<Kernel> {
        context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(context.In(0).type));
      });
}

const RegisterOp sorts({OpDef("Sort").Infer(InferSort).Lower(LowerSort).Types(NumberAndBoolTypes()),
                        OpDef("SortV2").Infer(InferSort).Lower(LowerSort).Types(NumberAndBoolTypes())});

}  // namespace
}  // namespace foothold
