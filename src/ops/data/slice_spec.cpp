// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/slice_spec.h"

#include <algorithm>

#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"

namespace foothold {
namespace {

std::int64_t Clamped(std::int64_t bound, std::int64_t dim, std::int64_t low, std::int64_t high) {
  return std::clamp(bound < 0 ? bound + dim : bound, low, std::max(low, high));
}

}  // namespace

SliceAxis Resolve(const OpContext& context, const Bounds& bounds, std::int64_t dim) {
  if (bounds.step == 0) context.Refuse("a stride is 0");
  // A longer step than the axis takes one element too, and cannot overflow.
  const std::int64_t longest = std::max<std::int64_t>(dim, 1);
  const std::int64_t step = std::clamp(bounds.step, -longest, longest);
  if (step > 0) {
    const std::int64_t begin = bounds.open_begin ? 0 : Clamped(bounds.begin, dim, 0, dim);
    const std::int64_t end = bounds.open_end ? dim : Clamped(bounds.end, dim, 0, dim);
    return {begin, step, end > begin ? (end - begin - 1) / step + 1 : 0};
  }
  const std::int64_t begin =
      bounds.open_begin ? dim - 1 : Clamped(bounds.begin, dim, bounds.first_backwards, dim - 1);
  const std::int64_t end = bounds.open_end ? -1 : Clamped(bounds.end, dim, -1, dim - 1);
  return {begin, step, begin > end && dim > 0 ? (begin - end - 1) / -step + 1 : 0};
}

std::optional<StridedView> Sliced(const StridedView& view, const SliceSpec& spec) {
  StridedView sliced{{}, {}, view.offset};
  for (std::size_t i = 0; i < spec.axes.size(); ++i) {
    const SliceAxis& axis = spec.axes[i];
    if (axis.count == 0) return DenseView(spec.dims);
    if (axis.step < 0 && axis.count > 1) return std::nullopt;
    sliced.dims.push_back(axis.count);
    sliced.strides.push_back(axis.count > 1 ? view.strides[i] * static_cast<std::size_t>(axis.step) : 0);
    sliced.offset += view.strides[i] * static_cast<std::size_t>(axis.begin);
  }
  return Reshaped(sliced, spec.dims);
}

std::unique_ptr<Kernel> LowerSlice(OpContext& context, const SliceSpec& spec) {
  const std::size_t size = ElementBytes(context, context.In(0).type);
  const auto from = Strides(context.InDims(0), size);
  Dims counts;
  for (const SliceAxis& axis : spec.axes)
    counts.push_back(axis.count);
  const auto to = Strides(counts, size);
  std::vector<CopyAxis> axes;
  std::ptrdiff_t offset = 0;
  const bool empty = std::find(counts.begin(), counts.end(), 0) != counts.end();
  for (std::size_t i = 0; i < counts.size() && !empty; ++i) {
    offset += spec.axes[i].begin * from[i];
    axes.push_back({static_cast<std::size_t>(counts[i]), spec.axes[i].step * from[i], to[i]});
  }
  if (empty) axes.push_back({0, 0, 0});
  return std::make_unique<CopyKernel>(
      std::vector<PortCopy>{{0, 0, StridedCopy(size, std::move(axes), offset, 0)}});
}

}  // namespace foothold
