// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/grid_taps.h"

#include <algorithm>
#include <cmath>

namespace foothold {
namespace {

// A coordinate, and how it changes with what it was made of.
struct Coordinate {
  double at, slope;
};

Coordinate Reflected(double at, double low, double high) {
  const double span = high - low;
  if (span <= 0) return {0, 0};
  const double side = at < low ? -1 : 1;
  const double away = std::abs(at - low), rest = std::fmod(away, span);
  const bool back = std::fmod(std::floor(away / span), 2.0) != 0;
  return back ? Coordinate{high - rest, -side} : Coordinate{low + rest, side};
}

Coordinate Padded(const GridSampleShape& shape, double at, std::size_t extent) {
  const double last = static_cast<double>(extent) - 1;
  Coordinate found{at, 1};
  if (shape.padding == SamplePadding::kZeros) return found;
  if (shape.padding == SamplePadding::kReflection)
    found = shape.align_corners ? Reflected(at, 0, last) : Reflected(at, -0.5, last + 0.5);
  if (!(found.at > 0)) return {0, 0};
  return found.at >= last ? Coordinate{last, 0} : found;
}

void AddCubic(const GridSampleShape& shape, Coordinate from, std::size_t extent, AxisTaps& taps) {
  constexpr double kA = -0.75;
  const double low = std::floor(from.at), t = from.at - low;
  const auto outer = [](double x) { return ((kA * x - 5 * kA) * x + 8 * kA) * x - 4 * kA; };
  const auto inner = [](double x) { return ((kA + 2) * x - (kA + 3)) * x * x + 1; };
  const auto outer_slope = [](double x) { return (3 * kA * x - 10 * kA) * x + 8 * kA; };
  const auto inner_slope = [](double x) { return (3 * (kA + 2) * x - 2 * (kA + 3)) * x; };
  const std::array<double, 4> weights = {outer(t + 1), inner(t), inner(1 - t), outer(2 - t)};
  const std::array<double, 4> slopes = {outer_slope(t + 1), inner_slope(t), -inner_slope(1 - t),
                                        -outer_slope(2 - t)};
  for (std::size_t i = 0; i < 4; ++i)
    taps.Add(Padded(shape, low - 1 + static_cast<double>(i), extent).at, weights[i], slopes[i] * from.slope,
             extent);
}

}  // namespace

AxisTaps TapsAt(const GridSampleShape& shape, double normalised, std::size_t extent) {
  AxisTaps taps;
  const auto length = static_cast<double>(extent);
  const Coordinate from = shape.align_corners
                              ? Coordinate{(normalised + 1) / 2 * (length - 1), (length - 1) / 2}
                              : Coordinate{((normalised + 1) * length - 1) / 2, length / 2};
  if (shape.way == SampleWay::kCubic) {
    AddCubic(shape, from, extent, taps);
    return taps;
  }
  const Coordinate inside = Padded(shape, from.at, extent);
  if (shape.way == SampleWay::kNearest) {
    taps.Add(std::nearbyint(inside.at), 1, 0, extent);
  } else {
    const double low = std::floor(inside.at), slope = inside.slope * from.slope;
    taps.Add(low, 1 - (inside.at - low), -slope, extent);
    taps.Add(low + 1, inside.at - low, slope, extent);
  }
  return taps;
}

}  // namespace foothold
