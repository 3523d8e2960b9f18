// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

void SetDims(OpContext& context, Dims dims) {
  context.SetOut(0, context.In(0).type, std::move(dims), context.In(0).format);
}

void InsertOnes(OpContext& context, const std::vector<std::int64_t>& axes) {
  const Dims& from = context.InDims(0);
  const std::size_t rank = from.size() + axes.size();
  std::vector<bool> inserted(rank, false);
  for (const std::int64_t axis : axes) {
    const std::size_t at = AxisIn(context, axis, rank, "an axis to insert");
    if (inserted[at]) context.Refuse("axis {} is inserted twice", axis);
    inserted[at] = true;
  }
  Dims dims;
  auto next = from.begin();
  for (std::size_t i = 0; i < rank; ++i)
    dims.push_back(inserted[i] ? 1 : *next++);
  SetDims(context, std::move(dims));
}

void RemoveOnes(OpContext& context, const std::vector<std::int64_t>& axes) {
  const Dims& from = context.InDims(0);
  const std::vector<bool> removed = AxesIn(context, axes, from.size(), "an axis to remove");
  Dims dims;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (removed[i] && from[i] != 1) context.Refuse("axis {} has {} elements, expected 1", i, from[i]);
    const bool drop = axes.empty() ? from[i] == 1 : removed[i];
    if (!drop) dims.push_back(from[i]);
  }
  SetDims(context, std::move(dims));
}

OpDef Inserting(const char* type, const char* attribute) {
  return OpDef(type)
      .Infer([attribute](OpContext& context) { InsertOnes(context, context.node().Ints(attribute)); })
      .View()
      .Types(FixedSizeTypes());
}

OpDef Removing(const char* type) {
  return OpDef(type)
      .Infer([](OpContext& context) { RemoveOnes(context, context.node().Ints("axis")); })
      .View()
      .Types(FixedSizeTypes());
}

void InferUnsqueezeV3(OpContext& context) {
  InsertOnes(context, context.NeededInts("axes"));
}

void InferSqueezeV3(OpContext& context) {
  RemoveOnes(context, context.Has("axes") ? context.NeededInts("axes") : std::vector<std::int64_t>());
}

void InferExpandDims(OpContext& context) {
  InsertOnes(context, {IntArgument(context, "axis")});
}

const RegisterOp squeezes({
    Inserting("Unsqueeze", "axes"),
    Inserting("UnsqueezeV2", "axis"),
    OpDef("UnsqueezeV3").Infer(InferUnsqueezeV3).View().Types(FixedSizeTypes()),
    OpDef("ExpandDims").Infer(InferExpandDims).View().Types(FixedSizeTypes()),
    Removing("Squeeze"),
    Removing("SqueezeV2"),
    OpDef("SqueezeV3").Infer(InferSqueezeV3).View().Types(FixedSizeTypes()),
});

}  // namespace
}  // namespace foothold
