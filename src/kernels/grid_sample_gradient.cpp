// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/grid_sample_gradient.h"

#include <algorithm>

#include "kernels/grid_taps.h"

namespace foothold {
namespace {

constexpr std::size_t kGrainSums = std::size_t{1} << 13;
constexpr std::size_t kChannels = 16;  // that share the work of finding what a point is made of

// Where channel c of an image begins, and how far its elements are apart.
struct Line {
  std::size_t first, step;
};

Line LineOf(const GridSampleShape& s, std::size_t image, std::size_t channel, std::size_t count) {
  if (s.channels_last) return {image * count * s.channels + channel, s.channels};
  return {(image * s.channels + channel) * count, 1};
}

// Every thread has channels of its own to add to.
template <typename T>
void ImageGradient(const GridSampleShape& s, std::size_t image, std::size_t first, const T* gradient,
                   const T* grid, T* x_gradient) {
  const std::size_t last = std::min(first + kChannels, s.channels);
  for (std::size_t c = first; c < last; ++c) {
    const Line line = LineOf(s, image, c, s.SpaceSize());
    for (std::size_t i = 0; i < s.SpaceSize(); ++i)
      x_gradient[line.first + i * line.step] = T{};
  }
  for (std::size_t point = 0; point < s.points; ++point) {
    const auto axes = TapsOfAxes(s, grid + (image * s.points + point) * s.dimensions);
    ForEachTap(s, axes, [&](std::size_t place, std::size_t z, std::size_t y, std::size_t x) {
      const auto weight = static_cast<T>(axes[0].weight[z] * axes[1].weight[y] * axes[2].weight[x]);
      for (std::size_t c = first; c < last; ++c) {
        const Line from = LineOf(s, image, c, s.points), to = LineOf(s, image, c, s.SpaceSize());
        x_gradient[to.first + place * to.step] += weight * gradient[from.first + point * from.step];
      }
    });
  }
}

template <typename T>
void PointGradient(const GridSampleShape& s, std::size_t image, std::size_t point, const T* gradient,
                   const T* x, const T* grid, T* grid_gradient) {
  const std::size_t at = (image * s.points + point) * s.dimensions;
  const auto axes = TapsOfAxes(s, grid + at);
  std::array<double, 3> sums{};  // depth, height, width
  ForEachTap(s, axes, [&](std::size_t place, std::size_t z, std::size_t y, std::size_t w) {
    double product = 0;
    for (std::size_t c = 0; c < s.channels; ++c) {
      const Line from = LineOf(s, image, c, s.points), in = LineOf(s, image, c, s.SpaceSize());
      product += static_cast<double>(gradient[from.first + point * from.step]) *
                 static_cast<double>(x[in.first + place * in.step]);
    }
    const auto& [depth, height, width] = axes;
    sums[0] += product * depth.slope[z] * height.weight[y] * width.weight[w];
    sums[1] += product * depth.weight[z] * height.slope[y] * width.weight[w];
    sums[2] += product * depth.weight[z] * height.weight[y] * width.slope[w];
  });
  for (std::size_t i = 0; i < s.dimensions; ++i)
    grid_gradient[at + i] = static_cast<T>(sums[2 - i]);
}

template <typename T>
void Gradient(const GridSampleShape& s, const T* gradient, const T* x, const T* grid, T* x_gradient,
              T* grid_gradient) {
  const std::size_t pieces = (s.channels + kChannels - 1) / kChannels;
  if (x_gradient != nullptr)
    ParallelFor(s.batch * pieces, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        ImageGradient(s, i / pieces, i % pieces * kChannels, gradient, grid, x_gradient);
    });
  if (grid_gradient != nullptr)
    ParallelFor(s.batch * s.points, 1 + kGrainSums / (4 + 4 * s.channels),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t i = begin; i < end; ++i)
                    PointGradient(s, i / s.points, i % s.points, gradient, x, grid, grid_gradient);
                });
}

}  // namespace

void GridSampleGradient(const GridSampleShape& shape, const float* gradient, const float* x,
                        const float* grid, float* x_gradient, float* grid_gradient) {
  Gradient(shape, gradient, x, grid, x_gradient, grid_gradient);
}

void GridSampleGradient(const GridSampleShape& shape, const double* gradient, const double* x,
                        const double* grid, double* x_gradient, double* grid_gradient) {
  Gradient(shape, gradient, x, grid, x_gradient, grid_gradient);
}

}  // namespace foothold
