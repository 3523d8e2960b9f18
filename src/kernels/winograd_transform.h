// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The transforms of tiles that winograd.h goes through, for one block of channels. Any thread.
#pragma once

#include <cstddef>

#include "kernels/convolution_shape.h"
#include "kernels/output_finish.h"

namespace foothold {

// Tiles of one block of channels, `tile_columns` to a row of the image.
struct WinogradTiles {
  const ConvolutionShape* shape = nullptr;
  std::size_t side = 4;
  std::size_t tile = 0, tiles = 0, tile_columns = 1;
  std::size_t place_stride = 0;  // floats from one place of a transform to the next
  std::size_t tile_stride = 0;   // and from one tile to the next
};

// `plane` is the block of the input.
void TransformWinogradInput(const WinogradTiles& tiles, const float* plane, float* transformed);
// `plane` is the block of the output, the finish that of the block.
void TransformWinogradOutput(const WinogradTiles& tiles, const float* products, const OutputFinish& finish,
                             float* plane);

// 3x3 filters, at most as many as a block has channels. Turned: from their last place to the first.
struct WinogradFilters {
  const float* data = nullptr;
  FilterStrides strides{};
  bool turned = false;
  std::size_t count = 0;
};
// Their transforms, (side + 2) squared vectors `place_stride` floats apart; lanes without a filter get zeros.
void TransformWinogradFilters(std::size_t side, const WinogradFilters& filters, float* transformed,
                              std::size_t place_stride);

}  // namespace foothold
