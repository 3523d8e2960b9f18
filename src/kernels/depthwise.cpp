// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/depthwise.h"

#include <algorithm>

#include "base/thread_pool.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/depthwise.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// out[i] += factor * in[i * step]
void AddScaled(const float* in, std::size_t step, float factor, std::size_t count, float* out) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto scale = hn::Set(d, factor);
  std::size_t i = 0;
  if (step == 1) {
    for (; i + lanes <= count; i += lanes)
      hn::StoreU(hn::MulAdd(scale, hn::LoadU(d, in + i), hn::LoadU(d, out + i)), d, out + i);
  } else if (step == 2) {
    for (; i + lanes < count; i += lanes) {  // the odd one after the last even one must be there to be read
      hn::Vec<decltype(d)> even, odd;
      hn::LoadInterleaved2(d, in + 2 * i, even, odd);
      hn::StoreU(hn::MulAdd(scale, even, hn::LoadU(d, out + i)), d, out + i);
    }
  }
  for (; i < count; ++i)
    out[i] += factor * in[i * step];
}

// out[i] += in[i] * factors[i]
void AddProducts(const float* in, const float* factors, std::size_t count, float* out) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::MulAdd(hn::LoadU(d, factors + i), hn::LoadU(d, in + i), hn::LoadU(d, out + i)), d,
               out + i);
  for (; i < count; ++i)
    out[i] += in[i] * factors[i];
}

std::ptrdiff_t Offset(std::size_t position, std::size_t stride, std::size_t tap, std::size_t dilation,
                      std::size_t pad) {
  return static_cast<std::ptrdiff_t>(position * stride + tap * dilation) - static_cast<std::ptrdiff_t>(pad);
}

void PlaneRow(const ConvolutionShape& s, const float* plane, const float* filter, std::size_t row,
              float* out) {
  for (std::size_t y = 0; y < s.kernel_height; ++y) {
    const std::ptrdiff_t from = Offset(row, s.stride_height, y, s.dilation_height, s.pad_top);
    if (from < 0 || from >= static_cast<std::ptrdiff_t>(s.height)) continue;
    for (std::size_t x = 0; x < s.kernel_width; ++x) {
      const std::ptrdiff_t column = Offset(0, s.stride_width, x, s.dilation_width, s.pad_left);
      const InsideRange inside = PositionsInside(column, s.stride_width, s.width, s.out_width);
      if (inside.begin == inside.end) continue;
      const float* in = plane + from * static_cast<std::ptrdiff_t>(s.width) + column +
                        static_cast<std::ptrdiff_t>(inside.begin * s.stride_width);
      AddScaled(in, s.stride_width, filter[y * s.kernel_width + x], inside.end - inside.begin,
                out + inside.begin);
    }
  }
}

void ChannelsLastPixel(const ConvolutionShape& s, const float* image, const float* filter, std::size_t row,
                       std::size_t column, float* out) {
  for (std::size_t y = 0; y < s.kernel_height; ++y) {
    const std::ptrdiff_t h = Offset(row, s.stride_height, y, s.dilation_height, s.pad_top);
    if (h < 0 || h >= static_cast<std::ptrdiff_t>(s.height)) continue;
    for (std::size_t x = 0; x < s.kernel_width; ++x) {
      const std::ptrdiff_t w = Offset(column, s.stride_width, x, s.dilation_width, s.pad_left);
      if (w < 0 || w >= static_cast<std::ptrdiff_t>(s.width)) continue;
      const std::size_t pixel = static_cast<std::size_t>(h) * s.width + static_cast<std::size_t>(w);
      AddProducts(image + pixel * s.channels, filter + (y * s.kernel_width + x) * s.channels, s.channels,
                  out);
    }
  }
}

// Row `index` of all rows of all planes of the output.
void DepthwisePlaneRow(const ConvolutionShape& s, const float* input, const float* filter, const float* bias,
                       std::size_t index, float* output) {
  const std::size_t row = index % s.out_height;
  const std::size_t plane = index / s.out_height;
  const std::size_t channel = plane % s.out_channels;
  const std::size_t source = plane / s.out_channels * s.channels + channel / s.GroupOutChannels();
  float* out = output + index * s.out_width;
  std::fill_n(out, s.out_width, bias == nullptr ? 0.0f : bias[channel]);
  PlaneRow(s, input + source * s.Pixels(), filter + channel * s.KernelArea(), row, out);
}

// Row `index` of all rows of all images of the output.
void DepthwisePixelRow(const ConvolutionShape& s, const float* input, const float* filter, const float* bias,
                       std::size_t index, float* output) {
  const float* image = input + index / s.out_height * s.Pixels() * s.channels;
  float* out = output + index * s.out_width * s.channels;
  for (std::size_t column = 0; column < s.out_width; ++column, out += s.channels) {
    if (bias == nullptr)
      std::fill_n(out, s.channels, 0.0f);
    else
      std::copy_n(bias, s.channels, out);
    ChannelsLastPixel(s, image, filter, index % s.out_height, column, out);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(DepthwisePlaneRow);
HWY_EXPORT(DepthwisePixelRow);
}  // namespace

bool DepthwisePlan::Applies(const ConvolutionShape& shape) {
  if (shape.groups != shape.channels || shape.groups < 2) return false;
  return !shape.channels_last || shape.out_channels == shape.channels;
}

std::size_t DepthwisePlan::PackedFilterBytes() const {
  return shape_.out_channels * shape_.KernelArea() * sizeof(float);
}

void DepthwisePlan::PackFilter(const float* filter, const FilterStrides& strides, float* to) const {
  const std::size_t area = shape_.KernelArea();
  for (std::size_t o = 0; o < shape_.out_channels; ++o)
    for (std::size_t place = 0; place < area; ++place)
      to[shape_.channels_last ? place * shape_.out_channels + o : o * area + place] =
          filter[o * strides.out + place / shape_.kernel_width * strides.row +
                 place % shape_.kernel_width * strides.column];
}

void DepthwisePlan::Run(const float* input, const float* packed_filter, const float* bias, float* output,
                        std::byte*) const {
  const bool last = shape_.channels_last;
  const std::size_t rows = shape_.batch * shape_.out_height * (last ? 1 : shape_.out_channels);
  const std::size_t work = shape_.out_width * shape_.KernelArea() * (last ? shape_.channels : 1);
  ParallelFor(rows, 1 + 65536 / (1 + work), [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      last ? HWY_DYNAMIC_DISPATCH(DepthwisePixelRow)(shape_, input, packed_filter, bias, row, output)
           : HWY_DYNAMIC_DISPATCH(DepthwisePlaneRow)(shape_, input, packed_filter, bias, row, output);
  });
}

}  // namespace foothold
#endif
