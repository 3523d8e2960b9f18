// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where the largest or smallest element of an axis is: the first one of equals. A NaN is both.
#include <algorithm>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/op.h"
#include "ops/reduce/reduced_axes.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::size_t kGrainElements = std::size_t{1} << 15;

struct Line {
  std::size_t outer, length, inner;
};

using Find = std::size_t (*)(const std::byte* x, std::size_t first, const Line& line);

template <typename T, bool kMax>
std::size_t FindExtreme(const std::byte* data, std::size_t first, const Line& line) {
  const T* x = reinterpret_cast<const T*>(data) + first;
  std::size_t best = 0;
  auto extreme = static_cast<Computed<T>>(x[0]);
  for (std::size_t i = 1; i < line.length && extreme == extreme; ++i) {
    const auto value = static_cast<Computed<T>>(x[i * line.inner]);
    if ((kMax ? value > extreme : value < extreme) || value != value) {
      extreme = value;
      best = i;
    }
  }
  return best;
}

template <bool kMax>
Find FinderOf(const OpContext& context) {
  return VisitType(
      context.In(0).type, [](auto tag) -> Find { return FindExtreme<typename decltype(tag)::Type, kMax>; },
      [&]() -> Find {
        context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(context.In(0).type));
      });
}

class ArgKernel : public Kernel {
 public:
  ArgKernel(Line line, Find find, bool wide, std::size_t value_size)
      : line_(line), find_(find), wide_(wide), value_size_(value_size) {}

  void Run(const RunArgs& args) const override {
    ParallelFor(line_.outer * line_.inner, std::max<std::size_t>(1, kGrainElements / line_.length),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t i = begin; i < end; ++i)
                    RunLine(args, i);
                });
  }

 private:
  void RunLine(const RunArgs& args, std::size_t i) const {
    const std::size_t first = i / line_.inner * line_.inner * line_.length + i % line_.inner;
    const std::size_t found = find_(args.inputs[0], first, line_);
    if (wide_) {
      args.Out<std::int64_t>(0)[i] = static_cast<std::int64_t>(found);
    } else {
      args.Out<std::int32_t>(0)[i] = static_cast<std::int32_t>(found);
    }
    if (value_size_ > 0)
      std::copy_n(args.inputs[0] + (first + found * line_.inner) * value_size_, value_size_,
                  args.outputs[1] + i * value_size_);
  }

  Line line_;
  Find find_;
  bool wide_;
  std::size_t value_size_;  // 0: the values are not wanted
};

std::size_t AxisOf(const OpContext& context) {
  const std::size_t rank = context.InDims(0).size();
  const std::size_t axis = AxisIn(context, IntArgument(context, "dimension"), rank, "dimension");
  const std::int64_t length = context.InDims(0)[axis];
  if (length < 1 || length > INT32_MAX)
    context.Refuse("axis {} of x has {} elements, expected 1 to 2^31 - 1", axis, length);
  return axis;
}

// The D forms and those with values give int32 whatever dtype says.
DataType IndexTypeOf(const OpContext& context) {
  const bool fixed = context.outputs() == 2 || context.node().type().back() == 'D';
  return fixed ? DataType::kInt32 : IndexTypeAttribute(context, "dtype", DataType::kInt64);
}

void InferArg(OpContext& context) {
  const Dims& x = context.InDims(0);
  std::vector<bool> reduced(x.size(), false);
  reduced[AxisOf(context)] = true;
  const Dims dims = ReducedDims(x, reduced, context.node().Bool("keep_dims", false));
  context.SetOut(0, IndexTypeOf(context), dims, Format::kNd);
  if (context.outputs() == 2) context.SetOut(1, context.In(0).type, dims, Format::kNd);
}

template <bool kMax>
std::unique_ptr<Kernel> LowerArg(OpContext& context) {
  const Dims& x = context.InDims(0);
  const std::size_t axis = AxisOf(context);
  Ignore(context, {"dimension"});
  const Line line{Product(x, 0, axis), static_cast<std::size_t>(x[axis]), Product(x, axis + 1, x.size())};
  const std::size_t value_size = context.outputs() == 2 ? ElementBytes(context, context.In(0).type) : 0;
  return std::make_unique<ArgKernel>(line, FinderOf<kMax>(context), context.Out(0).type == DataType::kInt64,
                                     value_size);
}

template <bool kMax>
OpDef Arg(const char* type) {
  return OpDef(type).Infer(InferArg).Lower(LowerArg<kMax>).Types(NumberAndBoolTypes());
}

const RegisterOp args({
    Arg<true>("ArgMaxV2"),
    Arg<true>("ArgMaxD"),
    Arg<true>("ArgMaxWithValue"),
    Arg<false>("ArgMin"),
    Arg<false>("ArgMinD"),
    Arg<false>("ArgMinWithValue"),
});

}  // namespace
}  // namespace foothold
