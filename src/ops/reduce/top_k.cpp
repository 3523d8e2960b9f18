// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The k largest or smallest elements along an axis, in order; of equals the one that comes first. A NaN
// counts as the largest number.
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

constexpr std::size_t kGrainElements = std::size_t{1} << 13;

struct Line {
  std::size_t outer, length, inner, k;
};

template <typename T>
bool Above(Computed<T> a, Computed<T> b) {
  if constexpr (kIsFloating<T>) return a > b || (std::isnan(a) && !std::isnan(b));
  return a > b;
}

template <typename T, bool kLargest>
class TopKKernel : public Kernel {
 public:
  explicit TopKKernel(Line line) : line_(line) {}

  void Run(const RunArgs& args) const override {
    ParallelFor(line_.outer * line_.inner, std::max<std::size_t>(1, kGrainElements / (line_.length + 1)),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t i = begin; i < end; ++i)
                    RunLine(args, i);
                });
  }
  std::size_t WorkspaceBytes() const override {
    return line_.outer * line_.inner * line_.length * sizeof(std::int32_t);
  }

 private:
  void RunLine(const RunArgs& args, std::size_t i) const {
    const std::size_t column = i % line_.inner;
    const T* x = args.In<T>(0) + i / line_.inner * line_.inner * line_.length + column;
    std::int32_t* order = reinterpret_cast<std::int32_t*>(args.workspace) + i * line_.length;
    std::iota(order, order + line_.length, 0);
    Sort(x, order);
    const std::size_t first = i / line_.inner * line_.inner * line_.k + column;
    for (std::size_t rank = 0; rank < line_.k; ++rank) {
      const std::size_t to = first + rank * line_.inner;
      args.Out<T>(0)[to] = x[static_cast<std::size_t>(order[rank]) * line_.inner];
      args.Out<std::int32_t>(1)[to] = order[rank];
    }
  }

  void Sort(const T* x, std::int32_t* order) const {
    const auto before = [&](std::int32_t a, std::int32_t b) {
      const auto left = static_cast<Computed<T>>(x[static_cast<std::size_t>(a) * line_.inner]);
      const auto right = static_cast<Computed<T>>(x[static_cast<std::size_t>(b) * line_.inner]);
      if (Above<T>(left, right)) return kLargest;
      if (Above<T>(right, left)) return !kLargest;
      return a < b;
    };
    if (line_.k < line_.length) std::nth_element(order, order + line_.k, order + line_.length, before);
    std::sort(order, order + line_.k, before);
  }

  Line line_;
};

std::size_t AxisOf(const OpContext& context) {
  return AxisIn(context, context.node().Int("dim", -1), context.InDims(0).size(), "attribute 'dim'");
}

std::int64_t CheckedK(const OpContext& context) {
  const std::int64_t k = IntArgument(context, "k");
  const std::int64_t length = context.InDims(0)[AxisOf(context)];
  if (k < 0 || k > length || length > INT32_MAX)
    context.Refuse("k is {}, expected 0 to the {} elements of the axis, below 2^31", k, length);
  return k;
}

void InferTopK(OpContext& context) {
  Dims dims = context.InDims(0);
  dims[AxisOf(context)] = CheckedK(context);
  context.SetOut(0, context.In(0).type, dims, context.In(0).format);
  context.SetOut(1, DataType::kInt32, dims, context.In(0).format);
}

std::unique_ptr<Kernel> LowerTopK(OpContext& context) {
  const Dims& x = context.InDims(0);
  const std::size_t axis = AxisOf(context);
  const Line line{Product(x, 0, axis), static_cast<std::size_t>(x[axis]), Product(x, axis + 1, x.size()),
                  static_cast<std::size_t>(CheckedK(context))};
  Ignore(context, {"k", "assist_seq"});
  const bool largest = context.node().Bool("largest", true);
  return VisitType(
      context.In(0).type,
      [&](auto tag) -> std::unique_ptr<Kernel> {
        using T = typename decltype(tag)::Type;
        if (largest) return std::make_unique<TopKKernel<T, true>>(line);
        return std::make_unique<TopKKernel<T, false>>(line);
      },
      [&]() -> std::unique_ptr<Kernel> {
        context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(context.In(0).type));
      });
}

OpDef TopK(const char* type) {
  return OpDef(type).Infer(InferTopK).Lower(LowerTopK).Types(NumberAndBoolTypes());
}

const RegisterOp top_k({TopK("TopK"), TopK("TopKV2"), TopK("TopKD"), TopK("TopKV2D")});

}  // namespace
}  // namespace foothold
