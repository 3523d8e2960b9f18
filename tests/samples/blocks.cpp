// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "samples/blocks.h"

#include <algorithm>

#include "aclnn/places.h"

namespace samples {
namespace {

std::size_t AxisOf(double axis, std::size_t rank) {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<double>(rank) : axis);
}

}  // namespace

Dims Met(const Dims& a, const Dims& b) {
  Dims met = a.size() < b.size() ? b : a;
  const Dims& other = a.size() < b.size() ? a : b;
  for (std::size_t i = 0; i < other.size(); ++i) {
    std::int64_t& extent = met[met.size() - 1 - i];
    const std::int64_t there = other[other.size() - 1 - i];
    if (extent == 1) extent = there;
  }
  return met;
}

Block ElementByElement(const Given& in, const std::function<double(const double*)>& function) {
  Block out{in[0].dims, {}};
  for (std::size_t i = 1; i < in.size(); ++i)
    out.dims = Met(out.dims, in[i].dims);
  std::vector<Values> inputs;
  for (std::size_t i = 0; i < in.size(); ++i)
    inputs.push_back(in[i].dims == out.dims ? in[i].values
                                            : nn::Repeated(in[i].values, in[i].dims, out.dims));
  out.values.resize(nn::CountOf(out.dims));
  std::vector<double> one(in.size());
  for (std::size_t e = 0; e < out.values.size(); ++e) {
    for (std::size_t i = 0; i < one.size(); ++i)
      one[i] = inputs[i][e];
    out.values[e] = function(one.data());
  }
  return out;
}

Block Reduced(const Block& x, const std::vector<double>& axes, bool keep,
              const std::function<double(const Values&)>& function) {
  std::vector<bool> reduced(x.dims.size(), axes.empty());
  for (const double axis : axes)
    if (!x.dims.empty()) reduced[AxisOf(axis, x.dims.size())] = true;
  Dims kept = x.dims;
  Block out;
  for (std::size_t i = 0; i < x.dims.size(); ++i) {
    if (reduced[i]) kept[i] = 1;
    if (keep || !reduced[i]) out.dims.push_back(kept[i]);
  }
  std::vector<Values> lines(nn::CountOf(kept));
  for (std::size_t e = 0; e < x.values.size(); ++e) {
    Dims place = nn::PlaceOf(e, x.dims);
    for (std::size_t i = 0; i < place.size(); ++i)
      if (reduced[i]) place[i] = 0;
    lines[nn::NumberOf(place, kept)].push_back(x.values[e]);
  }
  for (const Values& line : lines)
    out.values.push_back(function(line));
  return out;
}

Block AlongAxis(const Block& x, double axis, const std::function<Values(const Values&)>& function) {
  if (x.dims.empty()) return {{}, function(x.values)};
  const std::size_t at = AxisOf(axis, x.dims.size());
  std::vector<Values> lines = nn::Lines(x.values, x.dims, at);
  for (Values& line : lines)
    line = function(line);
  // Where there are no lines, one of zeros says how long they would be.
  const Values any = lines.empty() ? function(Values(static_cast<std::size_t>(x.dims[at]), 0)) : lines[0];
  Block out{x.dims, {}};
  out.dims[at] = static_cast<std::int64_t>(any.size());
  out.values = nn::FromLines(lines, out.dims, at);
  return out;
}

Block OfLosses(const Block& losses, double reduction) {
  if (reduction == 0) return losses;
  double sum = 0;
  for (const double loss : losses.values)
    sum += loss;
  return {{}, {reduction == 1 ? sum / static_cast<double>(losses.values.size()) : sum}};
}

}  // namespace samples
