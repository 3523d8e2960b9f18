// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Depthwise convolution of floats on blocks of channels (channel_blocks.h): each channel has a filter of its
// own and one output. Any thread; a plan is constant after its construction.
#pragma once

#include <cstddef>

#include "kernels/convolution_shape.h"
#include "kernels/output_finish.h"

namespace foothold {

class BlockedDepthwisePlan {
 public:
  explicit BlockedDepthwisePlan(const ConvolutionShape& shape);

  static bool Applies(const ConvolutionShape& shape);

  std::size_t PackedFilterBytes() const;
  void PackFilter(const float* filter, const FilterStrides& strides, float* to) const;

  std::size_t WorkspaceBytes() const { return 0; }
  // The bias is filled up to whole blocks.
  void Run(const float* input, const float* packed_filter, const OutputFinish& finish, float* output,
           std::byte* workspace) const;

 private:
  ConvolutionShape shape_;
  std::size_t blocks_;
};

}  // namespace foothold
