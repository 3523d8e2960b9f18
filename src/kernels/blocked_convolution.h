// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// 2-D convolution of floats on blocks of channels (channel_blocks.h), sum by sum: any window, stride and
// dilation. Any thread; a plan is constant after its construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/blocked_tiles.h"
#include "kernels/convolution_shape.h"

namespace foothold {

class BlockedConvolutionPlan {
 public:
  // `lanes` of the blocks of the input: ChannelBlock(), or all channels if there are fewer. `pairs`: what
  // counts as a float in the input and the filter is a pair of int16, and sums are int32 (BlockedTiles).
  BlockedConvolutionPlan(const ConvolutionShape& shape, std::size_t lanes, bool pairs = false);

  // With groups, each must have whole blocks of channels.
  static bool Applies(const ConvolutionShape& shape);

  // Filters that are packed for plans of the same shape but for sizes of images may differ in these.
  std::size_t DepthBlocks() const { return depth_blocks_; }
  bool JoinsPixels() const { return joins_; }
  std::size_t PackedFilterBytes() const;
  void PackFilter(const float* filter, const FilterStrides& strides, float* to) const;

  std::size_t WorkspaceBytes() const;
  // The bias is filled up to whole blocks.
  void Run(const float* input, const float* packed_filter, const OutputFinish& finish, float* output,
           std::byte* workspace) const;

  // A piece of the output.
  struct Item {
    std::size_t image = 0, group = 0, pixel = 0, pixels = 0, block = 0, blocks = 0;
  };
  // Instead of Run, for pairs: hands out sums, [block][pixel][lane], of one or two blocks at a time, on
  // several threads.
  using UseSums = std::function<void(const Item& item, const float* sums)>;
  void RunSums(const float* input, const float* packed_filter, const float* bias, std::byte* workspace,
               const UseSums& use) const;

 private:
  Item ItemOf(std::size_t index) const;
  struct TilePixel {
    std::size_t row, column;
  };
  void Divide();
  void FillTapOffsets();
  void FillOffsets(const Item& item, std::int32_t* offsets) const;
  const std::int32_t* OffsetsOf(const Item& item, std::byte* workspace) const;
  void FillEdges(const TilePixel* pixels, std::int32_t* offsets) const;
  // The pixels of an item stand side by side in the input, or will.
  bool SideBySide() const { return gathers_ || shape_.Pointwise(); }
  BlockedTiles TilesOf(const Item& item, const float* filter, float* out, const std::int32_t* offsets) const;
  void RunItem(const Item& item, const float* input, const float* filter, const OutputFinish& finish,
               float* output, std::byte* workspace) const;
  void RunPart(const Item& item, std::size_t begin, const float* from, BlockedTiles& tiles) const;
  void SumItem(const Item& item, const float* input, const float* filter, const float* bias,
               std::byte* workspace, const UseSums& use) const;
  const float* Joined(const float* input, std::byte* workspace) const;
  void Join(const float* from, float* to) const;
  void Gather(const Item& item, const float* from, std::size_t blocks, float* to) const;
  std::size_t PlaceOf(std::size_t channel, std::size_t tap) const;  // in the products of a sum
  std::size_t LastLanes() const { return shape_.GroupChannels() - (in_blocks_ - 1) * lanes_; }
  std::size_t GroupFilterFloats() const;
  std::size_t SlotBytes() const;
  std::size_t JoinedBytes() const;
  std::size_t SumsBytes() const;  // of a slot, before what else it holds

  ConvolutionShape shape_;
  bool pairs_;
  std::size_t source_lanes_;            // of a block of the input
  bool joins_;                          // all channels of a pixel side by side first
  std::size_t lanes_;                   // of a block after that
  std::size_t taps_, tap_lanes_;        // rows of the window are one tap where nothing is outside the image
  std::size_t in_blocks_, out_blocks_;  // of one group
  bool gathers_;                        // the input of an item first
  std::size_t depth_blocks_;            // summed up at a time
  std::size_t gathered_blocks_;         // gathered at a time
  std::size_t pixel_step_, pixel_parts_;
  std::size_t block_step_, block_parts_;
  std::size_t items_, slots_;
  std::vector<std::int32_t>
      tap_offsets_;  // from a pixel to its taps; of the pixels of an item if side by side
  InsideRange inner_rows_{}, inner_columns_{};  // outputs whose windows are inside the image
  std::vector<std::int32_t> offsets_;           // of all pixels, if they are few
};

}  // namespace foothold
