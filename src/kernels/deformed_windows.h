// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Windows of images whose elements are taken somewhere else than where they would be: the input of a
// deformable convolution, as an image in which the windows stand side by side. Any thread.
#pragma once

#include <cmath>
#include <cstddef>

#include "base/thread_pool.h"
#include "kernels/convolution_shape.h"

namespace foothold {

// The output is [batch, channels, out_height * kernel_height, out_width * kernel_width]. Offsets have, for
// each position, three (or two) parts: columns, rows and factors; each one number for each group of channels
// and element of the kernel.
struct DeformedShape {
  ConvolutionShape windows;  // groups are those of the convolution and not looked at
  std::size_t deformable_groups = 1;
  std::size_t offset_parts = 3;
  bool modulated = true;  // the third part counts
};

// Between four pixels; what is outside the image is 0. `column` and `row` are the distances of pixels.
template <typename T>
T PointBetween(const T* plane, const ConvolutionShape& s, const ImageStrides& strides, double y, double x) {
  const auto height = static_cast<double>(s.height), width = static_cast<double>(s.width);
  if (!(y > -1 && y < height && x > -1 && x < width)) return T{};
  const double top = std::floor(y), left = std::floor(x);
  T sum{};
  for (const double row : {top, top + 1})
    for (const double column : {left, left + 1}) {
      if (row < 0 || row >= height || column < 0 || column >= width) continue;
      const double share = (1 - std::abs(y - row)) * (1 - std::abs(x - column));
      sum += static_cast<T>(share) * plane[static_cast<std::size_t>(row) * strides.row +
                                           static_cast<std::size_t>(column) * strides.column];
    }
  return sum;
}

// Element (y, x) of the deformed image `image`, for all channels.
template <typename T>
void DeformPoint(const DeformedShape& d, const T* x, const T* offsets, std::size_t image, std::size_t y,
                 std::size_t column, T* out) {
  const ConvolutionShape& s = d.windows;
  const std::size_t parts = d.offset_parts * d.deformable_groups * s.KernelArea();
  const ImageStrides in = StridesOf(s.channels, s.height, s.width, s.channels_last);
  const ImageStrides at = StridesOf(parts, s.out_height, s.out_width, s.channels_last);
  const ImageStrides to =
      StridesOf(s.channels, s.out_height * s.kernel_height, s.out_width * s.kernel_width, s.channels_last);
  const std::size_t own_row = y / s.kernel_height, own_column = column / s.kernel_width;
  const std::size_t place = y % s.kernel_height * s.kernel_width + column % s.kernel_width;
  const double base_row =
      double(own_row * s.stride_height + y % s.kernel_height * s.dilation_height) - double(s.pad_top);
  const double base_column =
      double(own_column * s.stride_width + column % s.kernel_width * s.dilation_width) - double(s.pad_left);
  const T* here = offsets + image * at.image + own_row * at.row + own_column * at.column;
  for (std::size_t c = 0; c < s.channels; ++c) {
    const std::size_t group = c / (s.channels / d.deformable_groups);
    const auto part = [&](std::size_t p) {
      return here[((p * d.deformable_groups + group) * s.KernelArea() + place) * at.channel];
    };
    const T value =
        PointBetween(x + image * in.image + c * in.channel, s, in, base_row + static_cast<double>(part(1)),
                     base_column + static_cast<double>(part(0)));
    out[image * to.image + c * to.channel + y * to.row + column * to.column] =
        d.modulated ? value * part(2) : value;
  }
}

template <typename T>
void DeformWindows(const DeformedShape& d, const T* x, const T* offsets, T* out) {
  const ConvolutionShape& s = d.windows;
  const std::size_t rows = s.out_height * s.kernel_height, columns = s.out_width * s.kernel_width;
  ParallelFor(s.batch * rows, 1 + 1024 / (1 + columns * s.channels), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t column = 0; column < columns; ++column)
        DeformPoint(d, x, offsets, i / rows, i % rows, column, out);
  });
}

}  // namespace foothold
