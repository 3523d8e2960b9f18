// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Attention of a few lines of queries, bound by reading the keys and values, which are read once and as they
// lie in memory. For fused_attention.h; any thread.
#pragma once

#include <cstddef>

#include "kernels/element_convert.h"

namespace foothold {

// Rows of keys or values: `depth` elements side by side, rows `stride` elements apart.
struct KeyRows {
  ElementType type = ElementType::kFloat;  // or one of the 16-bit floats
  const std::byte* data = nullptr;
  std::size_t stride = 0, count = 0, depth = 0;
};

// Lines of floats; those as long as a row of keys go on with zeros to the next multiple of kLinePadding.
template <typename T>
struct Lines {
  T* data = nullptr;
  std::size_t stride = 0;
};
constexpr std::size_t kLinePadding = 16;

// The rows as floats, one after the other.
void WidenRows(const KeyRows& rows, float* to);

// scores[line][key] = queries[line] * keys[key]
void ScoreLines(const KeyRows& keys, Lines<const float> queries, std::size_t lines, Lines<float> scores);

// sums[line] = factors[line] * sums[line] + weights[line] * values
void AddValueLines(const KeyRows& values, Lines<const float> weights, std::size_t lines, const float* factors,
                   Lines<float> sums);

// The softmax of a line of scores that comes in pieces.
struct RunningSoftmax {
  float most, sum;
};

// scores = exp(scores + shift - most), with the largest score so far; shift may be null. Returns the factor
// for what was summed up before. Scores of minus infinity become 0, even if there are no others.
float SoftenLine(float* scores, const float* shift, std::size_t count, RunningSoftmax& state);

// What a piece of a shift does to scores.
enum class ShiftKind { kNothing, kSomething, kHidesAll };
ShiftKind KindOfShift(const float* shift, std::size_t count);

}  // namespace foothold
