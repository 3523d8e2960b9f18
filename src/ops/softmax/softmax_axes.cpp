// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/softmax/softmax_axes.h"

namespace foothold {

std::vector<bool> AxesOf(const OpContext& context, std::string_view attribute, const Dims& dims) {
  std::vector<bool> axes(dims.size(), false);
  const auto rank = static_cast<std::int64_t>(dims.size());
  for (const std::int64_t axis : context.node().Ints(attribute, {-1})) {
    if (rank == 0 && (axis == 0 || axis == -1)) continue;
    if (axis < -rank || axis >= rank)
      context.Refuse("{} has the entry {}; a tensor of {} has no such axis", attribute, axis, ToString(dims));
    axes[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] = true;
  }
  return axes;
}

std::optional<MiddleAxis> MiddleAxisOf(const Dims& dims, const std::vector<bool>& axes) {
  MiddleAxis middle;
  bool begun = false, ended = false;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const auto extent = static_cast<std::size_t>(dims[i]);
    if (extent == 1) continue;
    if (axes[i] && ended) return std::nullopt;
    begun = begun || axes[i];
    ended = begun && !axes[i];
    (axes[i] ? middle.count : ended ? middle.inner : middle.outer) *= extent;
  }
  return middle;
}

namespace {

// Offsets of all positions in the dimensions whose flag is `wanted`.
std::vector<std::size_t> Offsets(const Dims& dims, const std::vector<bool>& axes, bool wanted) {
  std::vector<std::size_t> offsets{0};
  std::size_t stride = static_cast<std::size_t>(ElementCount(dims));
  for (std::size_t i = 0; i < dims.size() && stride > 0; ++i) {
    const auto extent = static_cast<std::size_t>(dims[i]);
    stride /= extent;
    if (axes[i] != wanted) continue;
    std::vector<std::size_t> next;
    next.reserve(offsets.size() * extent);
    for (const std::size_t offset : offsets)
      for (std::size_t k = 0; k < extent; ++k)
        next.push_back(offset + k * stride);
    offsets = std::move(next);
  }
  return offsets;
}

}  // namespace

ElementGroups GroupsOf(const Dims& dims, const std::vector<bool>& axes) {
  if (ElementCount(dims) == 0) return {};
  return {Offsets(dims, axes, false), Offsets(dims, axes, true)};
}

}  // namespace foothold
