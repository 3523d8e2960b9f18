// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Interpolates between two rows of pixels. For ResizeBilinear. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

// For each of `count` results: the two neighbours, as offsets in elements, and the share of the second.
struct BilinearTable {
  const std::int32_t* first;
  const std::int32_t* second;
  const float* share;
  std::size_t count;
};

// y[i] = mix of top and bottom, each a mix of its neighbours of i; `share` is that of bottom.
void BilinearRow(const float* top, const float* bottom, float share, BilinearTable table, float* y);
// The same with `channels` values per pixel; offsets then count values, y has count * channels.
void BilinearPixels(const float* top, const float* bottom, float share, BilinearTable table,
                    std::size_t channels, float* y);

}  // namespace foothold
