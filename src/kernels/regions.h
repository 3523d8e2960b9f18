// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pooling over regions of planes: whole cells of a region, or points between its pixels. Any thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace foothold {

struct PlaneSize {
  std::size_t height = 0, width = 0;
};

struct RegionGrid {
  std::size_t rows = 0, columns = 0;  // of cells
};

// Corners in pixels of the plane.
struct Region {
  double top = 0, left = 0, height = 0, width = 0;
};

// What lies between four pixels: the sum of their shares, or, as a maximum in ONNX has it, the largest of
// them. Points more than a pixel outside the plane are 0; closer ones count as on its edge.
template <typename T>
T BilinearPoint(const T* plane, PlaneSize size, double y, double x, bool largest = false) {
  const auto height = static_cast<double>(size.height), width = static_cast<double>(size.width);
  if (!(y >= -1 && y <= height && x >= -1 && x <= width) || size.height == 0 || size.width == 0) return T{};
  y = std::clamp(y, 0.0, height - 1);
  x = std::clamp(x, 0.0, width - 1);
  const auto top = static_cast<std::size_t>(y), left = static_cast<std::size_t>(x);
  const std::size_t bottom = std::min(top + 1, size.height - 1), right = std::min(left + 1, size.width - 1);
  const auto down = static_cast<T>(y - static_cast<double>(top));
  const auto along = static_cast<T>(x - static_cast<double>(left));
  const T* upper = plane + top * size.width;
  const T* lower = plane + bottom * size.width;
  if (largest)
    return std::max({(1 - down) * (1 - along) * upper[left], (1 - down) * along * upper[right],
                     down * (1 - along) * lower[left], down * along * lower[right]});
  return (1 - down) * ((1 - along) * upper[left] + along * upper[right]) +
         down * ((1 - along) * lower[left] + along * lower[right]);
}

// Cell (row, column) of a region, from `samples` points along each direction.
template <typename T>
T SampledCell(const T* plane, PlaneSize size, const Region& region, RegionGrid grid, std::size_t row,
              std::size_t column, RegionGrid samples, bool maximum) {
  const double cell_height = region.height / static_cast<double>(grid.rows);
  const double cell_width = region.width / static_cast<double>(grid.columns);
  T result = maximum && samples.rows * samples.columns > 0 ? -std::numeric_limits<T>::infinity() : T{};
  for (std::size_t i = 0; i < samples.rows; ++i)
    for (std::size_t j = 0; j < samples.columns; ++j) {
      const double y =
          region.top + cell_height * (static_cast<double>(row) +
                                      (static_cast<double>(i) + 0.5) / static_cast<double>(samples.rows));
      const double x =
          region.left + cell_width * (static_cast<double>(column) +
                                      (static_cast<double>(j) + 0.5) / static_cast<double>(samples.columns));
      const T value = BilinearPoint(plane, size, y, x, maximum);
      result = maximum ? std::max(result, value) : result + value;
    }
  if (maximum) return result;
  return result / static_cast<T>(std::max<std::size_t>(1, samples.rows * samples.columns));
}

}  // namespace foothold
