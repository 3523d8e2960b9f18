// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The sizes of a 2-D convolution, its data in planes (NCHW) or with channels last (NHWC). Shared by the
// kernels of convolutions and their gradients. Values; any thread.
#pragma once

#include <cstddef>

namespace foothold {

struct ConvolutionShape {
  std::size_t batch = 0;
  std::size_t channels = 0, height = 0, width = 0;              // of the input
  std::size_t out_channels = 0, out_height = 0, out_width = 0;  // of the output
  std::size_t kernel_height = 1, kernel_width = 1;
  std::size_t stride_height = 1, stride_width = 1;
  std::size_t dilation_height = 1, dilation_width = 1;
  std::size_t pad_top = 0, pad_left = 0;  // the other sides follow from the sizes
  std::size_t groups = 1;
  bool channels_last = false;

  std::size_t GroupChannels() const { return channels / groups; }
  std::size_t GroupOutChannels() const { return out_channels / groups; }
  std::size_t KernelArea() const { return kernel_height * kernel_width; }
  std::size_t Depth() const { return GroupChannels() * KernelArea(); }  // products in one output element
  std::size_t Pixels() const { return height * width; }
  // One product for each pixel and channel: the input is the matrix already.
  bool Pointwise() const {
    return KernelArea() == 1 && stride_height == 1 && stride_width == 1 && pad_top == 0 && pad_left == 0 &&
           out_height == height && out_width == width;
  }
  std::size_t OutPixels() const { return out_height * out_width; }
  double Work() const { return double(batch) * double(out_channels) * double(OutPixels()) * double(Depth()); }
};

// Where an element of the input lies: channel c of row h and column w of image n.
struct ImageStrides {
  std::size_t image, channel, row, column;
};
inline ImageStrides StridesOf(std::size_t channels, std::size_t height, std::size_t width,
                              bool channels_last) {
  const std::size_t image = channels * height * width;
  if (channels_last) return {image, 1, width * channels, channels};
  return {image, height * width, width, 1};
}

// Where an element of a filter lies; the order of the dimensions differs from format to format.
struct FilterStrides {
  std::size_t out, in, row, column;
};

// The part [begin, end) of `count` window positions at which position * stride + offset is inside [0,
// extent).
struct InsideRange {
  std::size_t begin, end;
};
inline InsideRange PositionsInside(std::ptrdiff_t offset, std::size_t stride, std::size_t extent,
                                   std::size_t count) {
  const auto step = static_cast<std::ptrdiff_t>(stride);
  const auto most = static_cast<std::ptrdiff_t>(count);
  const auto limit = static_cast<std::ptrdiff_t>(extent) - offset;
  std::ptrdiff_t begin = offset < 0 ? -offset : 0;
  std::ptrdiff_t end = limit > 0 ? limit : 0;
  if (step != 1) {  // divisions are what this function costs
    begin = (begin + step - 1) / step;
    end = (end + step - 1) / step;
  }
  end = end < most ? end : most;
  return {static_cast<std::size_t>(begin < end ? begin : end), static_cast<std::size_t>(end)};
}

}  // namespace foothold
