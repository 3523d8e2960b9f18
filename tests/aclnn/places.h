// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Elements of tensors by their coordinates, for tests that say where each one comes from.
#pragma once

#include "aclnn/nn_case.h"

namespace nn {

// What outputs may have as well as inputs.
constexpr Layout kAllLayouts[] = {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed,
                                  Layout::kOffset, Layout::kEveryOther};

// Whole numbers that every type has.
inline Values Whole(std::size_t count, unsigned seed = 1) {
  return SpreadInts(count, -100, 100, seed);
}

// Between the number of an element, in order, and its coordinates.
Dims PlaceOf(std::size_t number, const Dims& dims);
std::size_t NumberOf(const Dims& place, const Dims& dims);

// A tensor of dimensions `to`, whose element at a place is the one of `values` (dimensions `from`) at
// `source(place)`, or `other` where that is outside.
template <typename Source>
Values Moved(const Values& values, const Dims& from, const Dims& to, Source source, double other = 0) {
  Values out(CountOf(to), other);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Dims place = source(PlaceOf(i, to));
    bool inside = true;
    for (std::size_t axis = 0; axis < from.size(); ++axis)
      inside = inside && place[axis] >= 0 && place[axis] < from[axis];
    if (inside) out[i] = values[NumberOf(place, from)];
  }
  return out;
}

// One dimension of a tensor reduced, or computed along: elements with the other coordinates alike, in order.
std::vector<Values> Lines(const Values& values, const Dims& dims, std::size_t axis);
Values FromLines(const std::vector<Values>& lines, const Dims& dims, std::size_t axis);

// One number for each line of an axis, and as many as there are.
template <typename Function>
Values Each(const Tensor& tensor, std::size_t axis, Function function) {
  Values out;
  for (const Values& line : Lines(tensor.Read(), tensor.dims(), axis))
    out.push_back(function(line));
  return out;
}

template <typename Function>
Values Along(const Tensor& tensor, std::size_t axis, Function function) {
  std::vector<Values> lines = Lines(tensor.Read(), tensor.dims(), axis);
  for (Values& line : lines)
    line = function(line);
  return FromLines(lines, tensor.dims(), axis);
}

}  // namespace nn
