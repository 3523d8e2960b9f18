// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

std::int64_t Joined(const Dims& dims, std::size_t begin, std::size_t end) {
  return ElementCount(Dims(dims.begin() + static_cast<std::ptrdiff_t>(begin),
                           dims.begin() + static_cast<std::ptrdiff_t>(end)));
}

void InferFlatten(OpContext& context) {
  const Dims& from = context.InDims(0);
  const auto rank = static_cast<std::int64_t>(from.size());
  const std::int64_t axis = context.node().Int("axis", 1);
  if (axis < -rank || axis > rank)
    context.Refuse("attribute 'axis' is {}, expected -{} to {}", axis, rank, rank);
  const auto cut = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  context.SetOut(0, context.In(0).type, {Joined(from, 0, cut), Joined(from, cut, from.size())},
                 context.In(0).format);
}

void InferFlattenV2(OpContext& context) {
  Dims from = context.InDims(0);
  std::int64_t first = context.node().Int("axis", 1);
  if (from.empty()) from = {1};
  if (from.size() == 1 && context.node().FindAttribute("axis") == nullptr) first = 0;
  const std::size_t begin = AxisIn(context, first, from.size(), "attribute 'axis'");
  const std::size_t end =
      AxisIn(context, context.node().Int("end_axis", -1), from.size(), "attribute 'end_axis'") + 1;
  if (begin >= end) context.Refuse("attribute 'end_axis' {} comes before 'axis' {}", end - 1, begin);
  Dims dims(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(begin));
  dims.push_back(Joined(from, begin, end));
  dims.insert(dims.end(), from.begin() + static_cast<std::ptrdiff_t>(end), from.end());
  context.SetOut(0, context.In(0).type, std::move(dims), context.In(0).format);
}

const RegisterOp flattens({
    OpDef("Flatten").Infer(InferFlatten).View().Types(FixedSizeTypes()),
    OpDef("FlattenV2").Infer(InferFlattenV2).View().Types(FixedSizeTypes()),
});

}  // namespace
}  // namespace foothold
