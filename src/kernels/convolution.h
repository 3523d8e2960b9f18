// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// 2-D convolution of floats: a packed product (gemm.h) of the filter with blocks of output pixels. Any
// thread; a plan is constant after its construction.
#pragma once

#include <cstddef>

#include "kernels/convolution_shape.h"
#include "kernels/gemm.h"

namespace foothold {

// Limits of the output: what an activation that follows makes of it.
struct OutputLimits {
  float low = ActivationSpec().low;
  float high = ActivationSpec().high;
};

class ConvolutionPlan {
 public:
  explicit ConvolutionPlan(const ConvolutionShape& shape);

  std::size_t PackedFilterBytes() const;
  void PackFilter(const float* filter, const FilterStrides& strides, float* to) const;

  std::size_t WorkspaceBytes() const;
  // `bias` for each output channel, or null.
  void Run(const float* input, const float* packed_filter, const float* bias, float* output,
           std::byte* workspace, const OutputLimits& limits = {}) const;

 private:
  struct Item {
    std::size_t image, group, pixel, pixels, channel, channels;
  };
  Item ItemOf(std::size_t index) const;
  std::size_t FilterWidth() const;  // of the panels the filter is packed in
  std::size_t PixelWidth() const;   // of the panels pixels are packed in
  std::size_t GroupFilterFloats() const;
  std::size_t ScratchFloats() const;
  GemmBlock BlockOf(const Item& item, const float* filter, float* output) const;
  void RunItem(const Item& item, const float* input, const float* filter, const GemmEpilogue& finish,
               float* output, float* scratch) const;

  ConvolutionShape shape_;
  std::size_t pixel_step_, pixel_parts_, channel_step_, channel_parts_;
  std::size_t items_, slots_;
};

}  // namespace foothold
