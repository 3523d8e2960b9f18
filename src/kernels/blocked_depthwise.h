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

  std::size_t WorkspaceBytes() const;
  // The bias is filled up to whole blocks.
  void Run(const float* input, const float* packed_filter, const OutputFinish& finish, float* output,
           std::byte* workspace) const;

  // Rows of the input that windows of rows [begin, end) of the output reach.
  InsideRange RowsBefore(std::size_t begin, std::size_t end) const;
  // Rows [begin, end) of the output of block `index` of all images. `rows` begins with the first of
  // RowsBefore; `scratch` has room for ScratchFloats.
  void RunRows(const float* rows, std::size_t index, std::size_t begin, std::size_t end, const float* filter,
               const OutputFinish& finish, float* output, float* scratch) const;
  std::size_t ScratchFloats() const { return pads_ ? padded_.Pixels() * lanes_ : 0; }
  // Only whole planes may be asked for.
  bool Whole() const { return pads_; }

 private:
  void PadPlane(const float* plane, float* to) const;

  std::size_t lanes_;
  ConvolutionShape shape_;
  ConvolutionShape padded_;  // the same with zeros in place of the padding
  std::size_t blocks_;
  bool pads_ =
      false;  // small planes with many edges are copied into `padded_` form, so that no window is at an edge
  std::size_t slots_ = 1;
};

}  // namespace foothold
