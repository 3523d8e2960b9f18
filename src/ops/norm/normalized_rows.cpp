// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/norm/normalized_rows.h"

#include <algorithm>
#include <cmath>

#include "kernels/normalize.h"
#include "ops/data/rule_arguments.h"

namespace foothold {

NormalizedRows NormalizedRowsOf(const OpContext& context) {
  const Dims& x = context.InDims(0);
  const Dims& gamma = context.In("gamma").dims;
  if (gamma.empty() || gamma.size() > x.size() || !std::equal(gamma.rbegin(), gamma.rend(), x.rbegin()))
    context.Refuse("gamma is {}; it must have the last dimensions of the data, {}", ToString(gamma),
                   ToString(x));
  const std::size_t axis = x.size() - gamma.size();
  ElementCount(x);
  const auto normalized = x.begin() + static_cast<std::ptrdiff_t>(axis);
  Dims statistics = x;
  std::fill(statistics.begin() + static_cast<std::ptrdiff_t>(axis), statistics.end(), 1);
  return {Product(x, 0, axis), Product(x, axis, x.size()), statistics, Dims(x.begin(), normalized)};
}

void CheckLikeFirst(const OpContext& context, const char* name) {
  if (context.In(name).dims != context.InDims(0) || context.In(name).type != context.In(0).type)
    context.Refuse("{} is {}; it must be as the first input, {}", name, ToString(context.In(name)),
                   ToString(context.In(0)));
}

float InverseRms(const float* row, std::size_t count, float epsilon) {
  const Moments moments = RowMoments(row, count);
  return 1.0f / std::sqrt(moments.variance + moments.mean * moments.mean + epsilon);
}

}  // namespace foothold
