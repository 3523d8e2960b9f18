// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Convolution with one input channel for each output channel, computed directly: there is too little depth
// for a matrix product. Float. Any thread; a plan is constant.
#pragma once

#include <cstddef>

#include "kernels/convolution_shape.h"

namespace foothold {

class DepthwisePlan {
 public:
  // Groups of one input channel; with channels last also one output channel each.
  static bool Applies(const ConvolutionShape& shape);

  explicit DepthwisePlan(const ConvolutionShape& shape) : shape_(shape) {}

  // Packed is [channel][row][column] in planes, [row][column][channel] otherwise.
  std::size_t PackedFilterBytes() const;
  void PackFilter(const float* filter, const FilterStrides& strides, float* to) const;

  std::size_t WorkspaceBytes() const { return 0; }
  // `bias` for each output channel, or null.
  void Run(const float* input, const float* packed_filter, const float* bias, float* output,
           std::byte* workspace) const;

 private:
  ConvolutionShape shape_;
};

}  // namespace foothold
