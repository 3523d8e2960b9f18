// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// AddN, AccumulateNV2: the sum of any number of tensors of one shape.
#include "base/thread_pool.h"
#include "kernels/element_chain_plan.h"
#include "ops/elementwise/element_op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::size_t kGrain = 32768;

void Infer(OpContext& context) {
  if (context.inputs() == 0) context.Refuse("there is no input");
  const std::int64_t count = context.node().Int("N", context.inputs());
  if (count != context.inputs() && count > 1)
    context.Refuse("attribute 'N' is {}, but there are {} inputs", count, context.inputs());
  for (int port = 1; port < context.inputs(); ++port)
    if (context.In(port).type != context.In(0).type || context.InDims(port) != context.InDims(0))
      context.Refuse("input {} is {}, expected {} as input 0 is", port, ToString(context.In(port)),
                     ToString(context.In(0)));
  context.SetOut(0, context.In(0));
}

std::optional<ElementFormula> Formula(const OpContext& context) {
  const int count = context.inputs();
  if (!IsFloatType(context.In(0).type) || 2 * static_cast<std::size_t>(count) > kMaxChainValues)
    return std::nullopt;
  ElementFormula formula{context.Out(0).dims, {}, {}, {}};
  for (int port = 0; port < count; ++port)
    formula.operands.push_back({port, context.InDims(port)});
  for (int port = 1; port < count; ++port)
    formula.steps.push_back({"Add", {port == 1 ? 0 : count + port - 2, port}, {}});
  formula.results = {{count == 1 ? 0 : 2 * count - 2, 0}};
  return formula;
}

template <typename T>
class SumKernel final : public Kernel {
 public:
  SumKernel(int inputs, std::size_t count) : inputs_(inputs), count_(count) {}

  void Run(const RunArgs& args) const override {
    ParallelFor(count_, kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        args.Out<T>(0)[i] = Sum(args, i);
    });
  }

 private:
  // Integers wrap.
  using Total =
      std::conditional_t<kIsHalf<T>, float, std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>>;

  T Sum(const RunArgs& args, std::size_t i) const {
    Total sum = static_cast<Total>(args.In<T>(0)[i]);
    for (int port = 1; port < inputs_; ++port)
      sum += static_cast<Total>(args.In<T>(port)[i]);
    return static_cast<T>(sum);
  }

  int inputs_;
  std::size_t count_;
};

std::unique_ptr<Kernel> Lower(OpContext& context) {
  if (const auto formula = Formula(context)) return LowerFormula(context, *formula);
  const auto count = static_cast<std::size_t>(ElementCount(context.Out(0).dims));
  return VisitType(
      context.In(0).type,
      [&](auto tag) -> std::unique_ptr<Kernel> {
        using T = typename decltype(tag)::Type;
        if constexpr (std::is_same_v<T, bool>) {
          context.Unsupported("no kernel for bool");
        } else {
          return std::make_unique<SumKernel<T>>(context.inputs(), count);
        }
      },
      [&]() -> std::unique_ptr<Kernel> {
        context.Unsupported("no kernel for {}", DataTypeName(context.In(0).type));
      });
}

OpDef Def(const char* type) {
  AddFormulaRule(type, Formula);
  return OpDef(type)
      .Infer(Infer)
      .Lower(Lower)
      .InPlace(0, 0)
      .ReadsViews({}, ReadsElementView)
      .Types(NumberTypes());
}

const RegisterOp add_n({Def("AddN"), Def("AccumulateNV2")});

}  // namespace
}  // namespace foothold
