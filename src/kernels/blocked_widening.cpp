// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/blocked_widening.h"

#include <algorithm>

#include "base/thread_pool.h"
#include "kernels/blocked_tiles.h"
#include "kernels/channel_blocks.h"
#include "kernels/gemm_pack.h"

namespace foothold {
namespace {

constexpr std::size_t kDepthBlocks = 40;  // of input channels at a time: a panel stays in the first cache

}  // namespace

BlockedWideningPlan::BlockedWideningPlan(const WideningShape& shape)
    : shape_(shape),
      in_blocks_(Parts(shape.channels, ChannelBlock())),
      out_blocks_(Parts(shape.out_channels, ChannelBlock())) {
  for (std::size_t x = 0; x < RoundUp(shape.width, kTilePixels); ++x)
    offsets_.push_back(static_cast<std::int32_t>(x * ChannelBlock()));
}

std::size_t BlockedWideningPlan::PackedFilterBytes() const {
  const std::size_t lanes = ChannelBlock();
  return shape_.window_height * shape_.window_width * in_blocks_ * lanes * out_blocks_ * lanes *
         sizeof(float);
}

void BlockedWideningPlan::PackFilter(const float* filter, const FilterStrides& strides, float* to) const {
  const std::size_t lanes = ChannelBlock(), depth = in_blocks_ * lanes;
  const std::size_t taps = shape_.window_height * shape_.window_width;
  std::fill_n(to, PackedFilterBytes() / sizeof(float), 0.0f);
  for (std::size_t o = 0; o < shape_.out_channels; ++o) {
    const std::size_t panel = o / lanes / kTileBlocks * kTileBlocks;
    const std::size_t width = std::min(kTileBlocks, out_blocks_ - panel) * lanes;
    for (std::size_t tap = 0; tap < taps; ++tap) {
      float* line = to + tap * depth * out_blocks_ * lanes + panel * lanes * depth + o - panel * lanes;
      const float* from = filter + o * strides.out + tap / shape_.window_width * strides.row +
                          tap % shape_.window_width * strides.column;
      for (std::size_t c = 0; c < shape_.channels; ++c)
        line[c * width] = from[c * strides.in];
    }
  }
}

void BlockedWideningPlan::RunRow(std::size_t image, std::size_t row, std::size_t tap, const float* input,
                                 const float* filter, const OutputFinish& finish, float* output) const {
  const std::size_t lanes = ChannelBlock(), depth = in_blocks_ * lanes;
  const std::size_t out_width = shape_.width * shape_.window_width;
  BlockedTiles tiles;
  tiles.input_step = shape_.height * shape_.width * lanes;
  tiles.offsets = offsets_.data();
  tiles.distance = lanes;
  tiles.lanes = tiles.last_lanes = lanes;
  tiles.filter = filter + tap * depth * out_blocks_ * lanes;
  tiles.filter_step = kTileBlocks * lanes * depth;
  tiles.pixels = shape_.width;
  tiles.out_blocks = out_blocks_;
  tiles.pixel_step = shape_.window_width * lanes;
  tiles.block_step = shape_.height * shape_.window_height * out_width * lanes;
  const std::size_t out_row = row * shape_.window_height + tap / shape_.window_width;
  const std::size_t place =
      image * out_blocks_ * tiles.block_step + (out_row * out_width + tap % shape_.window_width) * lanes;
  tiles.out = output + place;
  OutputFinish shifted = finish;
  if (finish.residual != nullptr) shifted.residual += place;
  const float* from = input + image * in_blocks_ * tiles.input_step + row * shape_.width * lanes;
  for (std::size_t begin = 0; begin < in_blocks_; begin += kDepthBlocks) {
    tiles.blocks = std::min(kDepthBlocks, in_blocks_ - begin);
    tiles.input = from + begin * tiles.input_step;
    tiles.filter_begin = begin * lanes;
    tiles.accumulate = begin > 0;
    tiles.bias = shifted.bias;
    tiles.finish = begin + tiles.blocks == in_blocks_ ? &shifted : nullptr;
    RunBlockedTiles(tiles);
  }
}

void BlockedWideningPlan::Run(const float* input, const float* packed_filter, const OutputFinish& finish,
                              float* output, std::byte*) const {
  const std::size_t taps = shape_.window_height * shape_.window_width;
  const std::size_t work = shape_.width * shape_.channels * shape_.out_channels;
  // The rows of one tap come one after another, because they share its part of the filter.
  ParallelFor(shape_.batch * taps * shape_.height, 1 + 400000 / (work + 1),
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                  const std::size_t row = i % shape_.height, tap = i / shape_.height % taps;
                  RunRow(i / shape_.height / taps, row, tap, input, packed_filter, finish, output);
                }
              });
}

}  // namespace foothold
