// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Makes one axis of a dense tensor longer or shorter, each result a weighted sum of elements along it: one
// axis of a resized image at a time. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/thread_pool.h"

namespace foothold {

// Result i is the sum of weight[k] * x[place[k]] for k in [begin[i], begin[i + 1]); without any it is 0.
struct Taps {
  std::vector<std::size_t> begin = {0};
  std::vector<std::size_t> place;
  std::vector<double> weight;

  std::size_t Results() const { return begin.size() - 1; }
  void Add(std::size_t at, double share) {
    place.push_back(at);
    weight.push_back(share);
  }
  void EndResult() { begin.push_back(place.size()); }
};

// From [outer, in, inner] to [outer, taps.Results(), inner].
struct ResampledAxis {
  std::size_t outer = 1, in = 1, inner = 1;
  Taps taps;
};

constexpr std::size_t kResampleGrain = std::size_t{1} << 14;  // results worth a piece of a parallel loop

// Calls body(x, y, result) for every row of `inner` results: where its part of x begins, and where it goes.
template <typename T, typename Body>
void ForEachResampledRow(const ResampledAxis& axis, const T* x, T* y, Body&& body) {
  const std::size_t results = axis.taps.Results();
  ParallelFor(axis.outer * results, 1 + kResampleGrain / (1 + axis.inner),
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t row = begin; row < end; ++row)
                  body(x + row / results * axis.in * axis.inner, y + row * axis.inner, row % results);
              });
}

void Resample(const ResampledAxis& axis, const float* x, float* y);
void Resample(const ResampledAxis& axis, const double* x, double* y);

}  // namespace foothold
