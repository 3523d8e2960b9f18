// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which elements along one dimension a sample is made of, for GridSample and its gradient. Any thread.
#pragma once

#include <array>
#include <cstddef>

#include "kernels/grid_sample.h"

namespace foothold {

// At most four elements. `slope` is how the weight changes with the normalised coordinate.
struct AxisTaps {
  std::size_t count = 0;
  std::array<std::size_t, 4> place;
  std::array<double, 4> weight;
  std::array<double, 4> slope;

  // Elements outside do not count.
  void Add(double index, double share, double change, std::size_t extent) {
    if (!(index >= 0 && index <= static_cast<double>(extent) - 1)) return;
    place[count] = static_cast<std::size_t>(index);
    slope[count] = change;
    weight[count++] = share;
  }
};

AxisTaps TapsAt(const GridSampleShape& shape, double normalised, std::size_t extent);

// Depth, height and width of one point; a dimension there is not has its one element.
template <typename T>
std::array<AxisTaps, 3> TapsOfAxes(const GridSampleShape& shape, const T* point) {
  std::array<AxisTaps, 3> axes;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t from_end = 2 - i;
    if (from_end < shape.dimensions)
      axes[i] = TapsAt(shape, static_cast<double>(point[from_end]), shape.space[i]);
    else
      axes[i].Add(0, 1, 0, 1);
  }
  return axes;
}

// Calls visit(element of the space, z, y, x) for every element a point is made of; the latter by tap.
template <typename Visit>
void ForEachTap(const GridSampleShape& shape, const std::array<AxisTaps, 3>& axes, Visit&& visit) {
  const auto& [depth, height, width] = axes;
  for (std::size_t z = 0; z < depth.count; ++z)
    for (std::size_t y = 0; y < height.count; ++y)
      for (std::size_t x = 0; x < width.count; ++x)
        visit((depth.place[z] * shape.space[1] + height.place[y]) * shape.space[2] + width.place[x], z, y, x);
}

}  // namespace foothold
