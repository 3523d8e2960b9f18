// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Convolutions and their gradients by their definition, for the element types without packed kernels: double
// and integers, which wrap. Any thread.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/thread_pool.h"
#include "kernels/convolution_shape.h"
#include "kernels/plain_product.h"

namespace foothold {

// Calls visit(input, filter, output) with the elements of every product that belongs to image `image` and
// output channel `channel`.
template <typename Visit>
void ForEachProduct(const ConvolutionShape& s, const FilterStrides& filter, std::size_t image,
                    std::size_t channel, Visit&& visit) {
  const ImageStrides in = StridesOf(s.channels, s.height, s.width, s.channels_last);
  const ImageStrides out = StridesOf(s.out_channels, s.out_height, s.out_width, s.channels_last);
  const std::size_t first = channel / s.GroupOutChannels() * s.GroupChannels();
  for (std::size_t y = 0; y < s.kernel_height; ++y) {
    const auto top =
        static_cast<std::ptrdiff_t>(y * s.dilation_height) - static_cast<std::ptrdiff_t>(s.pad_top);
    const InsideRange rows = PositionsInside(top, s.stride_height, s.height, s.out_height);
    for (std::size_t x = 0; x < s.kernel_width; ++x) {
      const auto left =
          static_cast<std::ptrdiff_t>(x * s.dilation_width) - static_cast<std::ptrdiff_t>(s.pad_left);
      const InsideRange columns = PositionsInside(left, s.stride_width, s.width, s.out_width);
      for (std::size_t c = 0; c < s.GroupChannels(); ++c)
        for (std::size_t row = rows.begin; row < rows.end; ++row)
          for (std::size_t column = columns.begin; column < columns.end; ++column) {
            const auto h = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(row * s.stride_height) + top);
            const auto w =
                static_cast<std::size_t>(static_cast<std::ptrdiff_t>(column * s.stride_width) + left);
            visit(image * in.image + (first + c) * in.channel + h * in.row + w * in.column,
                  channel * filter.out + c * filter.in + y * filter.row + x * filter.column,
                  image * out.image + channel * out.channel + row * out.row + column * out.column);
          }
    }
  }
}

// `offset` is taken from every input element inside the image; `bias` for each output channel, or null.
template <typename In, typename Out>
void PlainConvolution(const ConvolutionShape& s, const In* input, const In* filter,
                      const FilterStrides& strides, const Out* bias, Out offset, Out* output) {
  const ImageStrides out = StridesOf(s.out_channels, s.out_height, s.out_width, s.channels_last);
  ParallelFor(s.batch * s.out_channels, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t image = i / s.out_channels, channel = i % s.out_channels;
      for (std::size_t pixel = 0; pixel < s.OutPixels(); ++pixel)
        output[image * out.image + channel * out.channel + pixel * out.column] =
            bias == nullptr ? Out{} : bias[channel];
      ForEachProduct(s, strides, image, channel, [&](std::size_t x, std::size_t w, std::size_t y) {
        const Out value = PlusProduct<Out, Out>(static_cast<Out>(input[x]), offset, static_cast<Out>(-1));
        output[y] = PlusProduct<Out, Out>(output[y], value, static_cast<Out>(filter[w]));
      });
    }
  });
}

template <typename In, typename Out>
void PlainInputGradient(const ConvolutionShape& s, const In* gradient, const In* filter,
                        const FilterStrides& strides, const Out* bias, Out* input_gradient) {
  const ImageStrides in = StridesOf(s.channels, s.height, s.width, s.channels_last);
  ParallelFor(s.batch, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t image = begin; image < end; ++image) {
      for (std::size_t c = 0; c < s.channels; ++c)
        for (std::size_t pixel = 0; pixel < s.Pixels(); ++pixel)
          input_gradient[image * in.image + c * in.channel + pixel * in.column] =
              bias == nullptr ? Out{} : bias[c];
      for (std::size_t channel = 0; channel < s.out_channels; ++channel)
        ForEachProduct(s, strides, image, channel, [&](std::size_t x, std::size_t w, std::size_t y) {
          input_gradient[x] = PlusProduct<Out, Out>(input_gradient[x], static_cast<Out>(gradient[y]),
                                                    static_cast<Out>(filter[w]));
        });
    }
  });
}

// The filter's gradient, in the layout of `strides`.
template <typename T>
void PlainFilterGradient(const ConvolutionShape& s, const T* input, const T* gradient,
                         const FilterStrides& strides, T* filter_gradient) {
  std::fill_n(filter_gradient, s.out_channels * s.Depth(), T{});
  ParallelFor(s.out_channels, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t channel = begin; channel < end; ++channel)
      for (std::size_t image = 0; image < s.batch; ++image)
        ForEachProduct(s, strides, image, channel, [&](std::size_t x, std::size_t w, std::size_t y) {
          filter_gradient[w] = PlusProduct<T, T>(filter_gradient[w], input[x], gradient[y]);
        });
  });
}

}  // namespace foothold
