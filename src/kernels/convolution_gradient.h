// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The gradients of a 2-D convolution of floats, described by the shape of the convolution itself. The
// gradient for the input is also the transposed convolution. Any thread; plans are constant after their
// construction.
#pragma once

#include <cstddef>

#include "kernels/convolution_shape.h"

namespace foothold {

// From the output's gradient to the input's: a product for each place of the kernel, added where it belongs.
class InputGradientPlan {
 public:
  explicit InputGradientPlan(const ConvolutionShape& shape);

  std::size_t PackedFilterBytes() const;
  void PackFilter(const float* filter, const FilterStrides& strides, float* to) const;

  std::size_t WorkspaceBytes() const;
  // `bias` for each channel of `input_gradient`, or null.
  void Run(const float* output_gradient, const float* packed_filter, const float* bias, float* input_gradient,
           std::byte* workspace) const;

 private:
  struct Item {
    std::size_t image, group, channel, channels;  // channels within the group
  };
  Item ItemOf(std::size_t index) const;
  std::size_t PartFloats() const;  // of the packed filter for one part of the channels of a group
  std::size_t ScratchFloats() const;
  void FillChannels(const Item& item, const float* bias, float* image) const;
  void Multiply(const Item& item, const float* gradient, const float* filter, std::size_t pixel,
                std::size_t pixels, float* columns, float* packed) const;
  void RunItem(const Item& item, const float* gradient, const float* filter, const float* bias, float* output,
               float* scratch) const;

  ConvolutionShape shape_;
  std::size_t channel_step_, channel_parts_, pixel_step_;
  std::size_t items_, slots_;
};

// From the input and the output's gradient to the filter's, dense [out channel][channel][row][column].
class FilterGradientPlan {
 public:
  explicit FilterGradientPlan(const ConvolutionShape& shape);

  std::size_t WorkspaceBytes() const;
  void Run(const float* input, const float* output_gradient, float* filter_gradient,
           std::byte* workspace) const;

 private:
  std::size_t LeftFloats() const;
  std::size_t RightFloats() const;
  void RunItem(std::size_t index, const float* input, const float* gradient, float* filter,
               float* scratch) const;

  ConvolutionShape shape_;
  std::size_t depth_step_, depth_parts_, channel_parts_;
  std::size_t items_, slots_;
};

}  // namespace foothold
