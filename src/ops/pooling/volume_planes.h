// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Windows over planes [depth, height, width] as PyTorch lays them: what there is less of counts as 1. Used by
// rules; any thread.
#pragma once

#include <algorithm>
#include <array>

#include "ops/op.h"

namespace foothold {

struct PlaneAxis {
  std::int64_t in = 1, out = 1, kernel = 1, stride = 1, padding = 0, dilation = 1;

  std::int64_t Start(std::int64_t i) const { return i * stride - padding; }
  // Where a window without dilation ends, with the padding behind and without.
  std::int64_t PaddedEnd(std::int64_t i) const { return std::min(Start(i) + kernel, in + padding); }
  std::int64_t End(std::int64_t i) const { return std::min(PaddedEnd(i), in); }
};

struct Planes {
  std::size_t count = 1;
  std::array<PlaneAxis, 3> axes;

  std::int64_t InPoints() const { return axes[0].in * axes[1].in * axes[2].in; }
  std::int64_t OutPoints() const { return axes[0].out * axes[1].out * axes[2].out; }
};

// Of [planes, depth, height, width], by the attributes kernel, stride, padding and dilation of three entries
// each, and ceil_mode: then a last window may hang over, as long as it begins before the end.
Planes PlanesOf(const OpContext& context, const Dims& in);
Dims PooledDims(const Planes& planes);

// visit(point, z, y, x) for each point of a plane of results.
template <typename Visit>
void ForEachPoint(const Planes& planes, Visit&& visit) {
  std::size_t point = 0;
  for (std::int64_t z = 0; z < planes.axes[0].out; ++z)
    for (std::int64_t y = 0; y < planes.axes[1].out; ++y)
      for (std::int64_t x = 0; x < planes.axes[2].out; ++x)
        visit(point++, z, y, x);
}

}  // namespace foothold
