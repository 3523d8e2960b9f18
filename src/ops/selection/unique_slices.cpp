// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The Unique family beyond Unique itself. UniqueAlongAxis is ONNX's Unique, which has no GE operator: y,
// indices, inverse_indices and counts, attributes 'axis' (none: all elements) and 'sorted'.
#include "ops/data/rule_arguments.h"
#include "ops/selection/distinct_slices.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::int64_t kNoAxis = 1000;  // UniqueConsecutive says so

std::vector<TensorValue> Given(const OpContext& context, std::vector<TensorValue> values) {
  values.resize(static_cast<std::size_t>(context.outputs()));
  return values;
}

// The axis as a tensor of one element, or of none.
std::optional<std::size_t> AxisInput(const OpContext& context, const TensorValue& x) {
  if (!context.Has("axis")) return std::nullopt;
  const std::vector<std::int64_t> axes = context.NeededInts("axis");
  if (axes.size() > 1) context.Refuse("axis has {} elements, expected one or none", axes.size());
  if (axes.empty()) return std::nullopt;
  return AxisIn(context, axes[0], x.dims().size(), "axis");
}

std::vector<TensorValue> EvaluateWithCounts(const OpContext& context) {
  const TensorValue& x = context.Needed(0);
  const bool sorted = context.node().Bool("sorted", false);
  const auto found = FindDistinctSlices(context, x, AxisInput(context, x),
                                        sorted ? SliceOrder::kSorted : SliceOrder::kFirstAppearance);
  const bool wide = context.node().type() == "UniqueWithCountsExt2";
  const DataType type = IndexTypeAttribute(context, "out_idx", wide ? DataType::kInt64 : DataType::kInt32);
  const bool inverse = context.node().Bool("return_inverse", false);
  return Given(context, {found.values, IndexTensor(type, found.inverse), IndexTensor(type, found.counts),
                         IndexTensor(type, inverse ? found.inverse : std::vector<std::int64_t>{})});
}

std::vector<TensorValue> EvaluateConsecutive(const OpContext& context) {
  const TensorValue& x = context.Needed(0);
  const std::int64_t named = context.node().Int("axis", kNoAxis);
  std::optional<std::size_t> axis;
  if (named != kNoAxis) axis = AxisIn(context, named, x.dims().size(), "attribute 'axis'");
  const auto found = FindDistinctSlices(context, x, axis, SliceOrder::kConsecutive);
  const bool places = context.node().Bool("return_idx", false);
  const bool counts = context.node().Bool("return_counts", false);
  TensorValue inverse = IndexTensor(DataType::kInt64, places ? found.inverse : std::vector<std::int64_t>{});
  if (places && !axis) inverse.set_type({DataType::kInt64, Format::kNd, x.dims()});
  return Given(context, {found.values, inverse,
                         IndexTensor(DataType::kInt64, counts ? found.counts : std::vector<std::int64_t>{})});
}

std::vector<TensorValue> EvaluateAlongAxis(const OpContext& context) {
  const TensorValue& x = context.Needed(0);
  std::optional<std::size_t> axis;
  if (context.node().FindAttribute("axis") != nullptr)
    axis = AxisIn(context, context.node().Int("axis", 0), x.dims().size(), "attribute 'axis'");
  const bool sorted = context.node().Int("sorted", 1) != 0;
  const auto found =
      FindDistinctSlices(context, x, axis, sorted ? SliceOrder::kSorted : SliceOrder::kFirstAppearance);
  return Given(context,
               {found.values, IndexTensor(DataType::kInt64, found.firsts),
                IndexTensor(DataType::kInt64, found.inverse), IndexTensor(DataType::kInt64, found.counts)});
}

const RegisterOp unique_slices(
    {OpDef("UniqueExt2").Evaluate(EvaluateWithCounts).Types(NumberAndBoolTypes()),
     OpDef("UniqueWithCounts").Evaluate(EvaluateWithCounts).Types(NumberAndBoolTypes()),
     OpDef("UniqueWithCountsExt2").Evaluate(EvaluateWithCounts).Types(NumberAndBoolTypes()),
     OpDef("UniqueConsecutive").Evaluate(EvaluateConsecutive).Types(NumberAndBoolTypes()),
     OpDef("UniqueAlongAxis").Evaluate(EvaluateAlongAxis).Types(NumberAndBoolTypes())});

}  // namespace
}  // namespace foothold
