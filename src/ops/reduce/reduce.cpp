// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The axes come as a tensor (where none means: leave x as it is) or, in the D forms, as an attribute (where
// none means: all).
#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/reduce/reduce_kernel.h"
#include "ops/reduce/reduced_axes.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

// How a family of operators names things.
struct Naming {
  const char* axes = "axes";
  const char* keep = "keep_dims";
  bool none_is_all = false;
};

constexpr Naming kTensor{};
constexpr Naming kAttribute{.none_is_all = true};

struct Plan {
  bool unchanged = false;
  std::vector<bool> reduced;
};

Plan PlanOf(const OpContext& context, const Naming& naming) {
  const std::size_t rank = context.InDims(0).size();
  const bool optional = naming.none_is_all && context.node().FindAttribute(naming.axes) == nullptr;
  const auto axes = optional ? std::vector<std::int64_t>() : IntsArgument(context, naming.axes);
  if (!axes.empty()) return {false, AxesIn(context, axes, rank, naming.axes)};
  const bool unchanged = context.node().Bool("noop_with_empty_axes", !naming.none_is_all);
  return {unchanged, std::vector<bool>(rank, !unchanged)};
}

std::vector<DataType> TypesOf(ReduceKind kind) {
  std::vector<DataType> floats = FloatTypes();
  floats.push_back(DataType::kDouble);
  switch (kind) {
    case ReduceKind::kAll:
    case ReduceKind::kAny:
      return {DataType::kBool, DataType::kInt8, DataType::kUint8};
    case ReduceKind::kLogSum:
    case ReduceKind::kLogSumExp:
    case ReduceKind::kRootOfSquares:
      return floats;
    default:
      return NumberTypes();
  }
}

OpDef Reducing(const char* type, ReduceKind kind, Naming naming) {
  return OpDef(type)
      .Types(TypesOf(kind))
      .Infer([naming](OpContext& context) {
        const Plan plan = PlanOf(context, naming);
        const bool keep = context.node().Bool(naming.keep, false);
        context.SetOut(0, context.In(0).type, ReducedDims(context.InDims(0), plan.reduced, keep),
                       keep || plan.unchanged ? context.In(0).format : Format::kNd);
      })
      .Lower([naming, kind](OpContext& context) -> std::unique_ptr<Kernel> {
        const Plan plan = PlanOf(context, naming);
        Ignore(context, {naming.axes});
        if (!plan.unchanged) return LowerReduction(context, plan.reduced, kind);
        return std::make_unique<CopyKernel>(
            std::vector<PortCopy>{{0, 0, WholeCopy(ByteSize(context.In(0)))}});
      })
      .ReadsViews({"x", "input_tensor"}, [naming](const OpContext& context, int, const StridedView&) {
        return !PlanOf(context, naming).unchanged;
      });
}

const RegisterOp reductions({
    Reducing("ReduceSum", ReduceKind::kSum, kTensor),
    Reducing("ReduceMean", ReduceKind::kMean, kTensor),
    Reducing("ReduceMax", ReduceKind::kMax, kTensor),
    Reducing("ReduceMin", ReduceKind::kMin, kTensor),
    Reducing("ReduceProd", ReduceKind::kProduct, kTensor),
    Reducing("ReduceAll", ReduceKind::kAll, kTensor),
    Reducing("ReduceAny", ReduceKind::kAny, kTensor),
    Reducing("ReduceLogSum", ReduceKind::kLogSum, kTensor),
    Reducing("ReduceLogSumExp", ReduceKind::kLogSumExp, kTensor),
    Reducing("EuclideanNorm", ReduceKind::kRootOfSquares, kTensor),
    Reducing("ReduceSumD", ReduceKind::kSum, kAttribute),
    Reducing("ReduceMeanD", ReduceKind::kMean, kAttribute),
    Reducing("ReduceMaxD", ReduceKind::kMax, kAttribute),
    Reducing("ReduceMinD", ReduceKind::kMin, kAttribute),
    Reducing("ReduceProdD", ReduceKind::kProduct, kAttribute),
    Reducing("ReduceAllD", ReduceKind::kAll, kAttribute),
    Reducing("ReduceAnyD", ReduceKind::kAny, kAttribute),
    Reducing("EuclideanNormD", ReduceKind::kRootOfSquares, kAttribute),
    Reducing("SquareSumV1", ReduceKind::kSumOfSquares, {.axes = "axis", .none_is_all = true}),
});

}  // namespace
}  // namespace foothold
