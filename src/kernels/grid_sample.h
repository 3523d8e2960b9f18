// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Values of planes or volumes at points between their elements. Points are normalised: -1 and 1 are the two
// ends of every dimension. Any thread.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "base/thread_pool.h"

namespace foothold {

enum class SampleWay { kLinear, kNearest, kCubic };
enum class SamplePadding { kZeros, kBorder, kReflection };

// x is [batch, channels, space] or, with channels last, [batch, space, channels]; likewise y with points
// instead of space. A point has one coordinate for each dimension of the space, the last dimension first.
struct GridSampleShape {
  std::size_t batch = 0, channels = 0, points = 0;
  std::array<std::size_t, 3> space = {1, 1, 1};  // what there is less of stands at the end
  std::size_t dimensions = 2;
  bool channels_last = false;
  SampleWay way = SampleWay::kLinear;
  SamplePadding padding = SamplePadding::kZeros;
  bool align_corners = false;

  std::size_t SpaceSize() const { return space[0] * space[1] * space[2]; }
};

void GridSample(const GridSampleShape& shape, const float* x, const float* grid, float* y);
void GridSample(const GridSampleShape& shape, const double* x, const double* grid, double* y);

}  // namespace foothold
