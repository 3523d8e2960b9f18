// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/broadcast_copy.h"

#include <algorithm>

#include "ops/data/rule_arguments.h"

namespace foothold {

Dims WithLeadingOnes(const Dims& dims, std::size_t rank) {
  Dims leading(rank - dims.size(), 1);
  leading.insert(leading.end(), dims.begin(), dims.end());
  return leading;
}

Dims BroadcastDims(const OpContext& context, const Dims& a, const Dims& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  const Dims left = WithLeadingOnes(a, rank);
  const Dims right = WithLeadingOnes(b, rank);
  Dims result;
  for (std::size_t i = 0; i < rank; ++i) {
    if (left[i] != right[i] && left[i] != 1 && right[i] != 1)
      context.Refuse("{} and {} do not broadcast", ToString(a), ToString(b));
    result.push_back(left[i] == 1 ? right[i] : left[i]);
  }
  return result;
}

StridedCopy RepeatingCopy(const Dims& dims, const Dims& out, std::size_t element_size) {
  if (ElementCount(out) == 0) return StridedCopy(element_size, {{0, 0, 0}});
  const Dims whole = WithLeadingOnes(dims, out.size());
  const auto from = Strides(whole, element_size);
  const auto to = Strides(out, element_size);
  std::vector<CopyAxis> axes;
  for (std::size_t i = 0; i < out.size(); ++i) {
    axes.push_back({static_cast<std::size_t>(out[i] / whole[i]), 0, to[i] * whole[i]});
    axes.push_back({static_cast<std::size_t>(whole[i]), from[i], to[i]});
  }
  return StridedCopy(element_size, std::move(axes));
}

}  // namespace foothold
