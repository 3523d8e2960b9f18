// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One where the first maximum along an axis is, zero elsewhere.
#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/op.h"

namespace foothold {
namespace {

struct Lines {
  std::size_t outer, length, inner;
};

std::size_t AxisOf(const OpContext& context) {
  return AxisIn(context, context.node().Int("axis", -1), context.InDims(0).size(), "attribute 'axis'");
}

void InferHardMax(OpContext& context) {
  AxisOf(context);
  context.SetOut(0, context.In(0));
}

template <typename T>
class HardMaxKernel : public Kernel {
 public:
  explicit HardMaxKernel(const Lines& lines) : lines_(lines) {}

  void Run(const RunArgs& args) const override {
    ParallelFor(lines_.outer * lines_.inner, 1 + 16384 / (1 + lines_.length),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t i = begin; i < end; ++i)
                    RunLine(args, i / lines_.inner * lines_.inner * lines_.length + i % lines_.inner);
                });
  }

 private:
  using Value = Computed<T>;

  void RunLine(const RunArgs& args, std::size_t first) const {
    const T* x = args.In<T>(0) + first;
    T* y = args.Out<T>(0) + first;
    std::size_t best = 0;
    for (std::size_t i = 1; i < lines_.length; ++i) {
      const auto now = static_cast<Value>(x[best * lines_.inner]),
                 other = static_cast<Value>(x[i * lines_.inner]);
      if (other > now || (other != other && now == now)) best = i;
    }
    for (std::size_t i = 0; i < lines_.length; ++i)
      y[i * lines_.inner] = T(Value(i == best ? 1 : 0));
  }

  Lines lines_;
};

std::unique_ptr<Kernel> LowerHardMax(OpContext& context) {
  const Dims& x = context.InDims(0);
  const std::size_t axis = AxisOf(context);
  const Lines lines{Product(x, 0, axis), static_cast<std::size_t>(x[axis]), Product(x, axis + 1, x.size())};
  const auto refuse = [&]() -> std::unique_ptr<Kernel> {
    context.Unsupported("no kernel for {}; floating-point types have one", DataTypeName(context.In(0).type));
  };
  return VisitType(
      context.In(0).type,
      [&](auto tag) -> std::unique_ptr<Kernel> {
        using T = typename decltype(tag)::Type;
        if constexpr (kIsFloating<T>)
          return std::make_unique<HardMaxKernel<T>>(lines);
        else
          return refuse();
      },
      refuse);
}

const RegisterOp hard_max(OpDef("HardMax")
                              .Infer(InferHardMax)
                              .Lower(LowerHardMax)
                              .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16,
                                      DataType::kDouble}));

}  // namespace
}  // namespace foothold
