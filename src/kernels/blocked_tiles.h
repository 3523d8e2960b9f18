// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The inner loops of convolutions on blocks of channels (channel_blocks.h): sums of products for tiles of six
// pixels and two blocks of output channels, which stay in registers. Where the input of a pixel is found
// stands in a table, so one loop serves every window, stride and padding. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/output_finish.h"

namespace foothold {

constexpr std::size_t kTilePixels = 6;
constexpr std::size_t kTileBlocks = 2;

std::size_t BlockedTileLanes();

// One pass over all tiles and panels of a piece of the output.
struct BlockedTiles {
  // What stands for floats here are pairs of int16, but for outputs and bias, which are int32: products of
  // pairs are added up, without rounding. No finish then.
  bool pairs = false;
  const float* input = nullptr;
  std::size_t input_step = 0;             // floats from one block of channels to the next
  const std::int32_t* offsets = nullptr;  // [tile][tap][pixel] floats from `input`; negative: zeros
  std::size_t distance = 0;  // floats from one pixel of a tile to the next, with one tap; 0: not the same
  std::size_t taps = 1, blocks = 1, lanes = 1;  // what is summed up; several blocks have a vector's lanes
  std::size_t last_lanes = 1;                   // of the last block; the filter has zeros for the others
  // Panels of two output blocks, [tap][block][lane][channel]; the last panel may have one block only.
  const float* filter = nullptr;
  std::size_t filter_step = 0;   // floats from one panel to the next
  std::size_t filter_begin = 0;  // products of each sum that come before
  std::size_t pixels = 0, out_blocks = 0;
  float* out = nullptr;
  std::size_t pixel_step = 0, block_step = 0;  // floats in the output
  const float* bias = nullptr;                 // what the sums begin with; null: zeros
  bool accumulate = false;                     // they begin with the output
  const OutputFinish* finish = nullptr;        // residual and activation, with the last part of the sums only
};
void RunBlockedTiles(const BlockedTiles& tiles);

}  // namespace foothold
