// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the resizing operators share: layout, sizes, and where a pixel of the result lies in x. Any thread.
#pragma once

#include <vector>

#include "ops/op.h"

namespace foothold {

struct ResizeSide {
  std::int64_t from;
  std::int64_t to;
};

struct ResizeImage {
  bool channels_last;
  std::int64_t n, c;
  ResizeSide height, width;
};

// Reads x, size (input or attribute) and data_format, and refuses what cannot be.
ResizeImage ReadResize(const OpContext& context);
Dims ResizedDims(const ResizeImage& image);

// How coordinates correspond; asking for both corners and half pixels is refused.
struct PixelMap {
  bool align_corners;
  bool half_pixels;
  float Scale(ResizeSide side) const;
};
PixelMap ReadPixelMap(const OpContext& context);

}  // namespace foothold
