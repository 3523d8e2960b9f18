// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/grid_sample.h"

#include <array>

#include "kernels/grid_taps.h"

namespace foothold {
namespace {

constexpr std::size_t kGrainSums = std::size_t{1} << 13;

// Everything one point is made of; two dimensions have up to 16 elements, three up to 64.
template <typename T>
struct PointTaps {
  std::size_t count = 0;
  std::array<std::size_t, 64> place;
  std::array<T, 64> weight;
};

template <typename T>
void TapsOfPoint(const GridSampleShape& shape, const T* point, PointTaps<T>& all) {
  const std::array<AxisTaps, 3> axes = TapsOfAxes(shape, point);
  all.count = 0;
  ForEachTap(shape, axes, [&](std::size_t place, std::size_t z, std::size_t y, std::size_t x) {
    all.place[all.count] = place;
    all.weight[all.count++] = static_cast<T>(axes[0].weight[z] * axes[1].weight[y] * axes[2].weight[x]);
  });
}

template <typename T>
void RunPoint(const GridSampleShape& s, const T* x, const PointTaps<T>& taps, std::size_t image,
              std::size_t point, T* y) {
  const std::size_t step = s.channels_last ? s.channels : 1;
  for (std::size_t c = 0; c < s.channels; ++c) {
    const T* plane = x + (s.channels_last ? image * s.SpaceSize() * s.channels + c
                                          : (image * s.channels + c) * s.SpaceSize());
    T sum{};
    for (std::size_t i = 0; i < taps.count; ++i)
      sum += taps.weight[i] * plane[taps.place[i] * step];
    y[s.channels_last ? (image * s.points + point) * s.channels + c
                      : (image * s.channels + c) * s.points + point] = sum;
  }
}

template <typename T>
void Sample(const GridSampleShape& shape, const T* x, const T* grid, T* y) {
  ParallelFor(shape.batch * shape.points, 1 + kGrainSums / (4 + 4 * shape.channels),
              [&](std::size_t begin, std::size_t end) {
                PointTaps<T> taps;
                for (std::size_t i = begin; i < end; ++i) {
                  TapsOfPoint(shape, grid + i * shape.dimensions, taps);
                  RunPoint(shape, x, taps, i / shape.points, i % shape.points, y);
                }
              });
}

}  // namespace

void GridSample(const GridSampleShape& shape, const float* x, const float* grid, float* y) {
  Sample(shape, x, grid, y);
}

void GridSample(const GridSampleShape& shape, const double* x, const double* grid, double* y) {
  Sample(shape, x, grid, y);
}

}  // namespace foothold
