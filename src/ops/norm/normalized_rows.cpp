// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/norm/normalized_rows.h"

#include <algorithm>
#include <cmath>

#include "kernels/normalize.h"
#include "ops/data/rule_arguments.h"

namespace foothold {

NormalizedRows NormalizedRowsOf(const OpContext& context, const Dims& x) {
  const Dims& gamma = context.In("gamma").dims;
  if (gamma.empty() || gamma.size() > x.size() || !std::equal(gamma.rbegin(), gamma.rend(), x.rbegin()))
    context.Refuse("gamma is {}; it must have the last dimensions of the data, {}", ToString(gamma),
                   ToString(x));
  const std::size_t axis = x.size() - gamma.size();
  ElementCount(x);
  Dims statistics = x;
  std::fill(statistics.begin() + static_cast<std::ptrdiff_t>(axis), statistics.end(), 1);
  return {Product(x, 0, axis), Product(x, axis, x.size()), axis, statistics,
          Dims(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(axis))};
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

void SetStatistics(OpContext& context, const char* name, const NormalizedRows& rows) {
  const int port = context.node().OutputIndex(name);
  if (port >= 0) context.SetOut(port, DataType::kFloat, rows.statistics, context.In(0).format);
}

int OptionalInput(const OpContext& context, const char* name) {
  return context.Has(name) ? context.Port(name) : -1;
}

}  // namespace foothold
