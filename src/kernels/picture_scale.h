// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Scales planes of bytes: bilinear and nearest to the last bit as OpenCV does (half-pixel centres, weights of
// 11 bits, borders repeated), bicubic with a = -0.75 in the same arithmetic. Rows are spread over the cores.
// Input and output do not overlap. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

// `width` pixels of `channels` (1 to 4) bytes in each of `height` rows.
struct ConstBytePlane {
  const std::uint8_t* data;
  std::size_t row_step;
  std::size_t width;
  std::size_t height;
};
struct BytePlane {
  std::uint8_t* data;
  std::size_t row_step;
  std::size_t width;
  std::size_t height;
};

void ScaleBilinear(const ConstBytePlane& in, const BytePlane& out, std::size_t channels);
void ScaleNearest(const ConstBytePlane& in, const BytePlane& out, std::size_t channels);
void ScaleBicubic(const ConstBytePlane& in, const BytePlane& out, std::size_t channels);

}  // namespace foothold
