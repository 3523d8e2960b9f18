// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/grid_sample.h"

#include <algorithm>

namespace foothold {
namespace {

constexpr std::size_t kGrainSums = std::size_t{1} << 13;

// What is taken along one dimension: at most four elements.
struct AxisTaps {
  std::size_t count = 0;
  std::array<std::size_t, 4> place;
  std::array<double, 4> weight;

  void Add(double index, double share, std::size_t extent) {
    if (!(index >= 0 && index <= static_cast<double>(extent) - 1)) return;
    place[count] = static_cast<std::size_t>(index);
    weight[count++] = share;
  }
};

double Reflected(double at, double low, double high) {
  const double span = high - low;
  if (span <= 0) return 0;
  const double away = std::abs(at - low), rest = std::fmod(away, span);
  return std::fmod(std::floor(away / span), 2.0) == 0 ? low + rest : high - rest;
}

double Padded(const GridSampleShape& shape, double at, std::size_t extent) {
  const double last = static_cast<double>(extent) - 1;
  if (shape.padding == SamplePadding::kZeros) return at;
  if (shape.padding == SamplePadding::kReflection)
    at = shape.align_corners ? Reflected(at, 0, last) : Reflected(at, -0.5, last + 0.5);
  return at != at ? 0 : std::clamp(at, 0.0, last);
}

void AddCubic(const GridSampleShape& shape, double at, std::size_t extent, AxisTaps& taps) {
  constexpr double kA = -0.75;
  const double low = std::floor(at), t = at - low;
  const auto outer = [](double x) { return ((kA * x - 5 * kA) * x + 8 * kA) * x - 4 * kA; };
  const auto inner = [](double x) { return ((kA + 2) * x - (kA + 3)) * x * x + 1; };
  const std::array<double, 4> weights = {outer(t + 1), inner(t), inner(1 - t), outer(2 - t)};
  for (std::size_t i = 0; i < 4; ++i)
    taps.Add(Padded(shape, low - 1 + static_cast<double>(i), extent), weights[i], extent);
}

AxisTaps TapsAt(const GridSampleShape& shape, double normalised, std::size_t extent) {
  AxisTaps taps;
  const auto length = static_cast<double>(extent);
  double at = shape.align_corners ? (normalised + 1) / 2 * (length - 1) : ((normalised + 1) * length - 1) / 2;
  if (shape.way == SampleWay::kCubic) {
    AddCubic(shape, at, extent, taps);
    return taps;
  }
  at = Padded(shape, at, extent);
  if (shape.way == SampleWay::kNearest) {
    taps.Add(std::nearbyint(at), 1, extent);
  } else {
    const double low = std::floor(at);
    taps.Add(low, 1 - (at - low), extent);
    taps.Add(low + 1, at - low, extent);
  }
  return taps;
}

// Everything one point is made of; two dimensions have up to 16 elements, three up to 64.
template <typename T>
struct PointTaps {
  std::size_t count = 0;
  std::array<std::size_t, 64> place;
  std::array<T, 64> weight;
};

template <typename T>
void TapsOfPoint(const GridSampleShape& shape, const T* point, PointTaps<T>& all) {
  std::array<AxisTaps, 3> axes;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t from_end = 2 - i;
    if (from_end < shape.dimensions)
      axes[i] = TapsAt(shape, static_cast<double>(point[from_end]), shape.space[i]);
    else
      axes[i].Add(0, 1, 1);
  }
  all.count = 0;
  const auto& [depth, height, width] = axes;
  for (std::size_t z = 0; z < depth.count; ++z)
    for (std::size_t y = 0; y < height.count; ++y)
      for (std::size_t x = 0; x < width.count; ++x) {
        all.place[all.count] =
            (depth.place[z] * shape.space[1] + height.place[y]) * shape.space[2] + width.place[x];
        all.weight[all.count++] = static_cast<T>(depth.weight[z] * height.weight[y] * width.weight[x]);
      }
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
