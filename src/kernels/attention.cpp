// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/attention.h"

#include <algorithm>
#include <limits>

#include "kernels/element_function.h"
#include "kernels/gemm.h"

namespace foothold {
namespace {

// The part of the columns that a band leaves.
struct Seen {
  std::size_t begin, end;
};

Seen SeenBy(const AttentionShape& shape, const AttentionRow& row) {
  if (!shape.banded) return {0, row.columns};
  const auto columns = static_cast<std::int64_t>(row.columns);
  const std::int64_t middle = row.row + row.offset;
  const std::int64_t begin = std::clamp<std::int64_t>(middle - shape.before, 0, columns);
  const std::int64_t end = std::clamp<std::int64_t>(middle + shape.after + 1, begin, columns);
  return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
}

// Shifts and masks the products, and returns the largest that is seen.
float Finish(const AttentionShape& shape, const AttentionRow& row, Seen seen, float* scores) {
  constexpr float kHidden = -std::numeric_limits<float>::infinity();
  float most = kHidden;
  for (std::size_t i = seen.begin; i < seen.end; ++i) {
    const float shift = row.shift == nullptr ? 0.0f : row.shift[i * shape.shift.column];
    float& score = scores[i];
    score = shape.shift_first ? shape.scale * (score + shift) : shape.scale * score + shift;
    if (row.mask != nullptr && row.mask[i * shape.mask.column] != 0) score = kHidden;
    most = score > most || score != score ? score : most;
  }
  return most;
}

// exp(a * p0 + p1)
ElementLoop Exponentials() {
  static const ElementLoop loop = FindElementFunction("Exp")->loop;
  return loop;
}

}  // namespace

AttentionSums AttendRow(const AttentionShape& shape, const AttentionRow& row, float* scores) {
  const Seen seen = SeenBy(shape, row);
  const std::size_t count = seen.end - seen.begin;
  float* first = scores + seen.begin;
  if (count > 0)
    RunColumnsGemv(row.query, row.keys + seen.begin * shape.key.row, shape.key.row, shape.depth, count, first,
                   {});
  const float most = Finish(shape, row, seen, scores);
  if (count == 0 || most == -std::numeric_limits<float>::infinity()) {
    std::fill_n(row.out, shape.value_depth, 0.0f);
    return {most, 0.0f};
  }
  const float params[kMaxElementParams] = {1.0f, -most};
  Exponentials()(first, nullptr, nullptr, first, count, params);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    sum += static_cast<double>(first[i]);
  const auto scale = static_cast<float>(1 / sum);
  for (std::size_t i = 0; i < count; ++i)
    first[i] *= scale;
  RunRowsGemv(first, row.values + seen.begin * shape.value.row, shape.value.row, count, shape.value_depth,
              row.out, {});
  return {most, static_cast<float>(sum)};
}

}  // namespace foothold
