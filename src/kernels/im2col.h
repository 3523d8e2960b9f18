// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The input of a convolution as a matrix, straight into the panels of gemm_pack.h: one line for each output
// pixel, along the depth all elements its window covers, zero where it is in the padding. Any thread.
#pragma once

#include <cstddef>

#include "kernels/convolution_shape.h"

namespace foothold {

struct ColumnBlock {
  std::size_t pixel, pixels;  // output pixels, counted row by row
  std::size_t depth_begin, depth;
};

// Pixels side by side in panels `width` wide. `image` is the first channel of the group. In planes the depth
// goes channel, row, column of the kernel; with channels last row, column, channel.
void PackPixels(const ConvolutionShape& shape, const float* image, const ColumnBlock& block,
                std::size_t width, float* to);

// The transposed matrix: elements of the depth side by side in panels `width` wide, along the pixels. The
// depth goes channel, row, column in either layout.
void PackDepth(const ConvolutionShape& shape, const float* image, const ColumnBlock& block, std::size_t width,
               float* to);

// Adds a matrix [depth, pixels], rows `stride` apart, to the elements its windows cover. The depth as in
// PackDepth.
void AddColumns(const ConvolutionShape& shape, const float* columns, std::size_t stride,
                const ColumnBlock& block, float* image);

}  // namespace foothold
