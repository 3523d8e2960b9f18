// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Norms over axes, (sum |x|^p)^(1/p), and what is divided by them: LpNorm, LpNormV2, GlobalLpPool,
// L2Normalize. LpNormReduce and LpNormUpdate are the two halves of a norm, the sum and its root.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/data/rule_arguments.h"
#include "ops/norm/grouped_elements.h"
#include "ops/reduce/reduced_axes.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// The sums are kept in double: a power may leave the range of float long before its root does.
template <typename T>
double SumOf(const T* x, const std::vector<std::size_t>& offsets, double p) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double total = p == -kInfinity ? kInfinity : 0;
  for (const std::size_t i : offsets) {
    const double magnitude = std::abs(static_cast<double>(x[i]));
    if (magnitude != magnitude && p != 0) return magnitude;
    if (p == 2)
      total += magnitude * magnitude;
    else if (p == 1)
      total += magnitude;
    else if (p == 0)
      total += magnitude != 0;
    else if (p == kInfinity)
      total = std::max(total, magnitude);
    else if (p == -kInfinity)
      total = std::min(total, magnitude);
    else
      total += std::pow(magnitude, p);
  }
  return total;
}

double RootOf(double sum, double p) {
  if (p == 2) return std::sqrt(sum);
  return p == 1 || p == 0 || std::isinf(p) ? sum : std::pow(sum, 1 / p);
}

template <typename T>
double NormOf(const T* x, const std::vector<std::size_t>& offsets, double p) {
  return RootOf(SumOf(x, offsets, p), p);
}

template <typename T>
class NormKernel : public Kernel {
 public:
  NormKernel(GroupedElements groups, std::size_t count, double p, double epsilon)
      : groups_(std::move(groups)), count_(count), p_(p), epsilon_(epsilon) {}

  void Run(const RunArgs& args) const override {
    if (groups_.groups() == 0) std::fill_n(args.Out<T>(0), count_, static_cast<T>(std::max(0.0, epsilon_)));
    groups_.ForEach([&](std::size_t group) {
      const double norm = NormOf(args.In<T>(0) + groups_.First(group), groups_.offsets(), p_);
      args.Out<T>(0)[group] = static_cast<T>(norm < epsilon_ ? epsilon_ : norm);
    });
  }

 private:
  GroupedElements groups_;
  std::size_t count_;
  double p_, epsilon_;
};

template <typename T>
class NormSumKernel : public Kernel {
 public:
  NormSumKernel(GroupedElements groups, std::size_t count, double p)
      : groups_(std::move(groups)), count_(count), p_(p) {}

  void Run(const RunArgs& args) const override {
    if (groups_.groups() == 0) std::fill_n(args.Out<T>(0), count_, T{});
    groups_.ForEach([&](std::size_t group) {
      args.Out<T>(0)[group] =
          static_cast<T>(SumOf(args.In<T>(0) + groups_.First(group), groups_.offsets(), p_));
    });
  }

 private:
  GroupedElements groups_;
  std::size_t count_;
  double p_;
};

template <typename T>
class NormRootKernel : public Kernel {
 public:
  NormRootKernel(std::size_t count, double p, double epsilon) : count_(count), p_(p), epsilon_(epsilon) {}

  void Run(const RunArgs& args) const override {
    for (std::size_t i = 0; i < count_; ++i) {
      const double norm = RootOf(static_cast<double>(args.In<T>(0)[i]), p_);
      args.Out<T>(0)[i] = static_cast<T>(norm < epsilon_ ? epsilon_ : norm);
    }
  }

 private:
  std::size_t count_;
  double p_, epsilon_;
};

template <typename T>
class L2NormalizeKernel : public Kernel {
 public:
  L2NormalizeKernel(GroupedElements groups, double epsilon) : groups_(std::move(groups)), epsilon_(epsilon) {}

  void Run(const RunArgs& args) const override {
    groups_.ForEach([&](std::size_t group) {
      const T* x = args.In<T>(0) + groups_.First(group);
      T* y = args.Out<T>(0) + groups_.First(group);
      const double norm = NormOf(x, groups_.offsets(), 2);
      const auto scale = static_cast<T>(1 / std::sqrt(std::max(norm * norm, epsilon_)));
      for (const std::size_t i : groups_.offsets())
        y[i] = x[i] * scale;
    });
  }

 private:
  GroupedElements groups_;
  double epsilon_;
};

// Makes Kernel<float> or Kernel<double>.
template <template <typename> class NormLike, typename... Args>
std::unique_ptr<Kernel> LowerFloating(const OpContext& context, Args&&... args) {
  const DataType type = context.In(0).type;
  if (type == DataType::kDouble) return std::make_unique<NormLike<double>>(std::forward<Args>(args)...);
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; floating-point types have one", DataTypeName(type));
  return ThroughFloat(context, std::make_unique<NormLike<float>>(std::forward<Args>(args)...));
}

// The ends of the range of int32 stand for the infinities.
double PowerOf(const OpContext& context) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Attribute* attribute = context.node().FindAttribute("p");
  if (attribute == nullptr) return 2;
  const auto* whole = std::get_if<std::int64_t>(attribute);
  const double p =
      whole != nullptr ? static_cast<double>(*whole) : static_cast<double>(context.node().Float("p", 2.0f));
  if (std::isnan(p)) context.Refuse("p is NaN; it must be a number");
  if (p >= std::numeric_limits<std::int32_t>::max()) return kInfinity;
  return p <= std::numeric_limits<std::int32_t>::min() ? -kInfinity : p;
}

void InferNorm(OpContext& context) {
  PowerOf(context);
  const bool keep = context.node().Bool("keepdim", false);
  context.SetOut(0, context.In(0).type, ReducedDims(context.InDims(0), AxesOrAll(context, "axes"), keep),
                 keep ? context.In(0).format : Format::kNd);
}

std::unique_ptr<Kernel> LowerNorm(OpContext& context) {
  return LowerFloating<NormKernel>(context, GroupedElements(context.InDims(0), AxesOrAll(context, "axes")),
                                   static_cast<std::size_t>(ElementCount(context.Out(0).dims)),
                                   PowerOf(context),
                                   static_cast<double>(context.node().Float("epsilon", 1e-12f)));
}

std::unique_ptr<Kernel> LowerNormSum(OpContext& context) {
  return LowerFloating<NormSumKernel>(context, GroupedElements(context.InDims(0), AxesOrAll(context, "axes")),
                                      static_cast<std::size_t>(ElementCount(context.Out(0).dims)),
                                      PowerOf(context));
}

void InferNormRoot(OpContext& context) {
  PowerOf(context);
  SameAsInput(context);
}

std::unique_ptr<Kernel> LowerNormRoot(OpContext& context) {
  return LowerFloating<NormRootKernel>(context, static_cast<std::size_t>(ElementCount(context.InDims(0))),
                                       PowerOf(context),
                                       static_cast<double>(context.node().Float("epsilon", 1e-12f)));
}

// Everything from the third dimension on.
std::vector<bool> SpaceAxes(const OpContext& context) {
  const std::size_t rank = context.InDims(0).size();
  if (rank < 2) context.Refuse("x is {}; it must have a batch and channels", ToString(context.In(0)));
  std::vector<bool> axes(rank, true);
  axes[0] = axes[1] = false;
  return axes;
}

void InferGlobalLpPool(OpContext& context) {
  PowerOf(context);
  context.SetOut(0, context.In(0).type, ReducedDims(context.InDims(0), SpaceAxes(context), true),
                 context.In(0).format);
}

std::unique_ptr<Kernel> LowerGlobalLpPool(OpContext& context) {
  return LowerFloating<NormKernel>(context, GroupedElements(context.InDims(0), SpaceAxes(context)),
                                   static_cast<std::size_t>(ElementCount(context.Out(0).dims)),
                                   PowerOf(context), 0.0);
}

void InferL2Normalize(OpContext& context) {
  AxesOrAll(context, "axis");
  SameAsInput(context);
}

std::unique_ptr<Kernel> LowerL2Normalize(OpContext& context) {
  return LowerFloating<L2NormalizeKernel>(context,
                                          GroupedElements(context.InDims(0), AxesOrAll(context, "axis")),
                                          static_cast<double>(context.node().Float("eps", 1e-4f)));
}

OpDef Floating(OpDef op) {
  return op.Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble});
}

const RegisterOp norms({
    Floating(OpDef("LpNorm").Infer(InferNorm).Lower(LowerNorm)),
    Floating(OpDef("LpNormV2").Infer(InferNorm).Lower(LowerNorm)),
    Floating(OpDef("LpNormReduce").Infer(InferNorm).Lower(LowerNormSum)),
    Floating(OpDef("LpNormReduceV2").Infer(InferNorm).Lower(LowerNormSum)),
    Floating(OpDef("LpNormUpdate").Infer(InferNormRoot).Lower(LowerNormRoot)),
    Floating(OpDef("LpNormUpdateV2").Infer(InferNormRoot).Lower(LowerNormRoot)),
    Floating(OpDef("GlobalLpPool").Infer(InferGlobalLpPool).Lower(LowerGlobalLpPool)),
    Floating(OpDef("L2Normalize").Infer(InferL2Normalize).Lower(LowerL2Normalize)),
});

}  // namespace
}  // namespace foothold
