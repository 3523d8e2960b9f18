// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/advanced_index.h"

#include <algorithm>

#include "base/error.h"
#include "ops/data/broadcast_copy.h"
#include "ops/data/rule_arguments.h"
#include "ops/elementwise/element_step.h"

namespace foothold {
namespace {

std::int64_t CountTrue(const TensorValue& mask) {
  return static_cast<std::int64_t>(mask.size()) -
         std::count(mask.data(), mask.data() + mask.size(), std::byte{0});
}

// Where along axis `axis` the true elements are.
TensorValue TruePlaces(const TensorValue& mask, std::size_t axis) {
  TensorValue places(TensorType{DataType::kInt64, Format::kNd, {CountTrue(mask)}});
  const auto stride = static_cast<std::size_t>(Strides(mask.dims())[axis]);
  const auto dim = static_cast<std::size_t>(mask.dims()[axis]);
  std::int64_t* to = places.MutableAs<std::int64_t>();
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask.data()[i] != std::byte{0}) *to++ = static_cast<std::int64_t>(i / stride % dim);
  return places;
}

}  // namespace

AdvancedIndex::AdvancedIndex(const OpContext& context)
    : name_(context.node().Description()), x_(context.In("x").dims), view_(ViewOf(context, "x")) {
  const std::vector<int> ports = DataPorts(context, "indices");
  const std::vector<std::int64_t> axes = RequiredInts(context, "axes");
  if (axes.size() != ports.size())
    context.Refuse("there are {} tensors of indices and {} axes, expected as many", ports.size(),
                   axes.size());
  for (std::size_t i = 0; i < ports.size(); ++i)
    AddLists(context, ports[i], AxisIn(context, axes[i], x_.size(), "attribute 'axes'"));
  Share(context);
  Arrange();
}

void AdvancedIndex::AddLists(const OpContext& context, int port, std::size_t axis) {
  const TensorType& type = context.In(port);
  if (!lists_.empty() && axis <= lists_.back().axis)
    context.Refuse("axis {} is named after axis {}, expected rising axes", axis, lists_.back().axis);
  if (type.type == DataType::kInt32 || type.type == DataType::kInt64) {
    lists_.push_back({port, axis, type.dims, type.type == DataType::kInt64, -1, false, {}});
    return;
  }
  if (type.type != DataType::kBool)
    context.Refuse("the indices are {}, expected int32, int64 or bool", ToString(type));
  const bool fits =
      type.dims.size() > 0 && axis + type.dims.size() <= x_.size() &&
      std::equal(type.dims.begin(), type.dims.end(), x_.begin() + static_cast<std::ptrdiff_t>(axis));
  if (!fits)
    context.Refuse("the mask is {}, which are not the dimensions of x {} from axis {} on",
                   ToString(type.dims), ToString(x_), axis);
  const Dims places{CountTrue(context.Needed(port))};
  for (std::size_t i = 0; i < type.dims.size(); ++i)
    lists_.push_back({port, axis + i, places, true, static_cast<int>(i), false, {}});
}

void AdvancedIndex::Share(const OpContext& context) {
  for (const List& list : lists_)
    shared_dims_ = BroadcastDims(context, shared_dims_, list.dims);
  shared_ = Product(shared_dims_, 0, shared_dims_.size());
  for (List& list : lists_) {
    list.whole = list.dims == shared_dims_;
    list.steps = BroadcastStrides(list.dims, shared_dims_);
  }
}

// The result as [outer, shared, rows, block].
void AdvancedIndex::Arrange() {
  const std::size_t first = lists_.front().axis, last = lists_.back().axis;
  const bool neighbours = last - first + 1 == lists_.size();
  const std::size_t front = neighbours ? first : 0;
  outer_ = Product(x_, 0, front);
  outer_parts_ = ViewParts(view_, front);
  block_ = Product(x_, last + 1, x_.size());
  const auto named = [&](std::size_t axis) {
    return std::any_of(lists_.begin(), lists_.end(), [&](const List& list) { return list.axis == axis; });
  };
  for (std::size_t i = front; i < last; ++i)
    if (!named(i)) row_axes_.push_back({static_cast<std::size_t>(x_[i]), view_.strides[i]});
  for (const Axis& axis : row_axes_)
    rows_ *= axis.dim;
  dims_.assign(x_.begin(), x_.begin() + static_cast<std::ptrdiff_t>(front));
  dims_.insert(dims_.end(), shared_dims_.begin(), shared_dims_.end());
  for (std::size_t i = front; i < x_.size(); ++i)
    if (!named(i)) dims_.push_back(x_[i]);
}

void AdvancedIndex::Prepare(OpContext& context) {
  for (List& list : lists_) {
    if (list.mask_axis < 0) continue;
    const int mask = list.port;
    list.port =
        context.AddConstant(TruePlaces(context.Needed(mask), static_cast<std::size_t>(list.mask_axis)));
    if (list.mask_axis == 0) context.SetUnused(mask);
  }
}

std::size_t AdvancedIndex::Position(const List& list, std::size_t position) const {
  if (list.whole) return position;
  std::size_t place = 0;
  for (std::size_t i = shared_dims_.size(); i-- > 0;) {
    const auto dim = static_cast<std::size_t>(shared_dims_[i]);
    place += position % dim * static_cast<std::size_t>(list.steps[i]);
    position /= dim;
  }
  return place;
}

std::size_t AdvancedIndex::Named(const RunArgs& args, std::size_t position) const {
  std::size_t place = 0;
  for (const List& list : lists_) {
    const std::size_t at = Position(list, position);
    const std::int64_t raw =
        list.wide ? args.In<std::int64_t>(list.port)[at] : args.In<std::int32_t>(list.port)[at];
    const std::int64_t dim = x_[list.axis];
    if (raw < -dim || raw >= dim)
      Fail(kInvalidParam, "{}: index {} is outside a dimension of {}", name_, raw, dim);
    place += static_cast<std::size_t>(raw < 0 ? raw + dim : raw) * view_.strides[list.axis];
  }
  return place;
}

std::size_t AdvancedIndex::RowPlace(std::size_t row) const {
  std::size_t place = 0;
  for (std::size_t i = row_axes_.size(); i-- > 0;) {
    place += row % row_axes_[i].dim * row_axes_[i].stride;
    row /= row_axes_[i].dim;
  }
  return place;
}

}  // namespace foothold
