// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// 2-D convolutions of quantised numbers with exact sums in int32, on blocks of int16 (integer_finish.h). Two
// neighbouring channels stand for one float of the convolutions of floats, whose plans are used: products of
// pairs are added by one instruction. Any thread; a plan is constant after its construction.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/blocked_convolution.h"
#include "kernels/integer_finish.h"

namespace foothold {

// A filter less its zero points: [out channel][in channel][row][column].
using IntegerFilter = const std::int16_t*;

class IntegerConvolutionPlan {
 public:
  // `lanes`: pairs of a block of the input; ChannelBlock(), or those of all channels if there are fewer.
  // Without groups.
  IntegerConvolutionPlan(const ConvolutionShape& shape, std::size_t lanes);

  // Filters that are packed for plans of the same shape but for sizes of images may differ in this.
  std::size_t Way() const { return 2 * pairs_.DepthBlocks() + (pairs_.JoinsPixels() ? 1 : 0); }
  std::size_t PackedFilterBytes() const { return pairs_.PackedFilterBytes(); }
  void PackFilter(IntegerFilter filter, std::byte* to) const;

  std::size_t WorkspaceBytes() const { return pairs_.WorkspaceBytes(); }
  // The bias, or null, is filled up to whole blocks.
  void Run(const std::int16_t* input, const std::byte* packed_filter, const std::int32_t* bias,
           const IntegerFinish& finish, std::int16_t* output, std::byte* workspace) const;

 private:
  ConvolutionShape shape_;
  BlockedConvolutionPlan pairs_;
};

// The shape with pairs in place of channels.
ConvolutionShape ShapeOfPairs(const ConvolutionShape& shape);

}  // namespace foothold
