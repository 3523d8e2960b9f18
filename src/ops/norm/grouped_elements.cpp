// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/norm/grouped_elements.h"

#include "ops/data/rule_arguments.h"
#include "ops/softmax/softmax_axes.h"

namespace foothold {

std::vector<bool> AxesOrAll(const OpContext& context, const char* attribute,
                            std::vector<std::int64_t> otherwise) {
  const std::size_t rank = context.InDims(0).size();
  const std::vector<std::int64_t> axes = context.node().Ints(attribute, std::move(otherwise));
  if (axes.empty()) return std::vector<bool>(rank, true);
  return AxesIn(context, axes, rank, attribute);
}

GroupedElements::GroupedElements(const Dims& dims, const std::vector<bool>& axes)
    : where_(GroupsOf(dims, axes)),
      contiguous_(!where_.elements.empty() && where_.elements.back() == where_.elements.size() - 1) {}

Moments GroupedElements::MomentsOf(const float* x, std::size_t group) const {
  const float* first = x + where_.groups[group];
  if (contiguous_) return RowMoments(first, length());
  const auto count = static_cast<double>(length());
  double sum = 0, squares = 0;
  for (const std::size_t i : where_.elements)
    sum += static_cast<double>(first[i]);
  const double mean = sum / count;
  for (const std::size_t i : where_.elements) {
    const double away = static_cast<double>(first[i]) - mean;
    squares += away * away;
  }
  return {static_cast<float>(mean), static_cast<float>(squares / count)};
}

}  // namespace foothold
