// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/blocked_depthwise.h"

#include <algorithm>

#include "base/thread_pool.h"
#include "kernels/channel_blocks.h"
#include "kernels/gemm_pack.h"
#include "kernels/parallel_items.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/blocked_depthwise.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/output_finish-inl.h"

#ifndef FOOTHOLD_KERNELS_BLOCKED_DEPTHWISE_SHARED
#define FOOTHOLD_KERNELS_BLOCKED_DEPTHWISE_SHARED
namespace foothold {
namespace {

// One row of the output of one block.
struct DepthwiseRow {
  const float* plane;     // of the input
  const float* filter;    // [tap][lane]
  const float* bias;      // or null
  const float* residual;  // or null
  float* out;
  std::size_t row;
};

}  // namespace
}  // namespace foothold
#endif

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using FloatVec = hn::Vec<Floats>;

struct RowTaps {
  std::size_t begin, end;  // rows of the window that are inside
};

HWY_INLINE void StorePixel(Floats d, FloatVec sum, const OutputFinish& finish, const DepthwiseRow& r,
                           std::size_t column) {
  const std::size_t place = column * hn::Lanes(d);
  if (r.residual != nullptr) sum = hn::Add(sum, hn::LoadU(d, r.residual + place));
  hn::StoreU(Clip(d, sum, finish.activation), d, r.out + place);
}

HWY_INLINE FloatVec StartOf(Floats d, const DepthwiseRow& r) {
  return r.bias == nullptr ? hn::Zero(d) : hn::LoadU(d, r.bias);
}

HWY_INLINE const float* TapAt(const ConvolutionShape& s, const DepthwiseRow& r, std::size_t y, std::size_t x,
                              std::size_t column, std::size_t lanes) {
  const std::size_t h = r.row * s.stride_height + y * s.dilation_height - s.pad_top;
  return r.plane + (h * s.width + column * s.stride_width + x * s.dilation_width - s.pad_left) * lanes;
}

void EdgePixel(const ConvolutionShape& s, const DepthwiseRow& r, const RowTaps& rows, std::size_t column,
               const OutputFinish& finish) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  FloatVec sum = StartOf(d, r);
  for (std::size_t y = rows.begin; y < rows.end; ++y)
    for (std::size_t x = 0; x < s.kernel_width; ++x) {
      const std::size_t w = column * s.stride_width + x * s.dilation_width - s.pad_left;
      if (w >= s.width) continue;  // before the first wraps around
      sum = hn::MulAdd(hn::LoadU(d, TapAt(s, r, y, x, column, lanes)),
                       hn::LoadU(d, r.filter + (y * s.kernel_width + x) * lanes), sum);
    }
  StorePixel(d, sum, finish, r, column);
}

// Six pixels whose windows are inside from left to right.
HWY_INLINE void SixPixels(const ConvolutionShape& s, const DepthwiseRow& r, const RowTaps& rows,
                          std::size_t column, const OutputFinish& finish) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d), step = s.stride_width * lanes;
  const FloatVec start = StartOf(d, r);
  FloatVec s0 = start, s1 = start, s2 = start, s3 = start, s4 = start, s5 = start;
  for (std::size_t y = rows.begin; y < rows.end; ++y) {
    const float* in = TapAt(s, r, y, 0, column, lanes);
    const float* filter = r.filter + y * s.kernel_width * lanes;
    for (std::size_t x = 0; x < s.kernel_width; ++x, in += s.dilation_width * lanes, filter += lanes) {
      const FloatVec factor = hn::LoadU(d, filter);
      s0 = hn::MulAdd(hn::LoadU(d, in), factor, s0);
      s1 = hn::MulAdd(hn::LoadU(d, in + step), factor, s1);
      s2 = hn::MulAdd(hn::LoadU(d, in + 2 * step), factor, s2);
      s3 = hn::MulAdd(hn::LoadU(d, in + 3 * step), factor, s3);
      s4 = hn::MulAdd(hn::LoadU(d, in + 4 * step), factor, s4);
      s5 = hn::MulAdd(hn::LoadU(d, in + 5 * step), factor, s5);
    }
  }
  StorePixel(d, s0, finish, r, column);
  StorePixel(d, s1, finish, r, column + 1);
  StorePixel(d, s2, finish, r, column + 2);
  StorePixel(d, s3, finish, r, column + 3);
  StorePixel(d, s4, finish, r, column + 4);
  StorePixel(d, s5, finish, r, column + 5);
}

void DepthwiseRowOf(const ConvolutionShape& s, const DepthwiseRow& r, const OutputFinish& finish) {
  const auto top =
      static_cast<std::ptrdiff_t>(r.row * s.stride_height) - static_cast<std::ptrdiff_t>(s.pad_top);
  const InsideRange rows = PositionsInside(top, s.dilation_height, s.height, s.kernel_height);
  const auto left = -static_cast<std::ptrdiff_t>(s.pad_left);
  const auto reach = static_cast<std::ptrdiff_t>((s.kernel_width - 1) * s.dilation_width);
  const InsideRange first = PositionsInside(left, s.stride_width, s.width, s.out_width);
  const InsideRange last = PositionsInside(left + reach, s.stride_width, s.width, s.out_width);
  const RowTaps taps{rows.begin, rows.end};
  std::size_t column = 0;
  for (; column < std::min(first.begin, s.out_width); ++column)
    EdgePixel(s, r, taps, column, finish);
  const std::size_t begin = column;
  for (; column + 6 <= last.end; column += 6)
    SixPixels(s, r, taps, column, finish);
  if (column < last.end && begin + 6 <= last.end) {  // six once more; some of them again
    column = last.end;
    SixPixels(s, r, taps, column - 6, finish);
  }
  for (; column < s.out_width; ++column)
    EdgePixel(s, r, taps, column, finish);
  Activate(Floats(), finish.activation, r.out, s.out_width * hn::Lanes(Floats()));
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(DepthwiseRowOf);

// Pixels of a padded plane that stay in the first two caches with what is computed from them.
constexpr std::size_t kMostPadded = 1600;

}  // namespace

bool BlockedDepthwisePlan::Applies(const ConvolutionShape& shape) {
  return shape.groups > 1 && shape.groups == shape.channels && shape.groups == shape.out_channels &&
         shape.Work() > 0;
}

BlockedDepthwisePlan::BlockedDepthwisePlan(const ConvolutionShape& shape)
    : shape_(shape), padded_(shape), blocks_(Parts(shape.channels, ChannelBlock())) {
  const auto reach = [](std::size_t out, std::size_t stride, std::size_t kernel, std::size_t dilation) {
    return (out - 1) * stride + (kernel - 1) * dilation + 1;
  };
  padded_.height = reach(shape.out_height, shape.stride_height, shape.kernel_height, shape.dilation_height);
  padded_.width = reach(shape.out_width, shape.stride_width, shape.kernel_width, shape.dilation_width);
  padded_.pad_top = padded_.pad_left = 0;
  pads_ = shape.KernelArea() > 1 && padded_.Pixels() <= kMostPadded;
  if (pads_) slots_ = SlotsFor(shape.batch * blocks_, shape.Work());
}

std::size_t BlockedDepthwisePlan::WorkspaceBytes() const {
  return pads_ ? slots_ * padded_.Pixels() * ChannelBlock() * sizeof(float) : 0;
}

// With zeros around it, as far as windows reach.
void BlockedDepthwisePlan::PadPlane(const float* plane, float* to) const {
  const std::size_t lanes = ChannelBlock();
  const std::size_t left = shape_.pad_left;
  const std::size_t columns = std::min(shape_.width, padded_.width - std::min(left, padded_.width));
  std::fill_n(to, padded_.Pixels() * lanes, 0.0f);
  for (std::size_t row = 0; row < shape_.height && row + shape_.pad_top < padded_.height; ++row)
    std::copy_n(plane + row * shape_.width * lanes, columns * lanes,
                to + ((row + shape_.pad_top) * padded_.width + left) * lanes);
}

std::size_t BlockedDepthwisePlan::PackedFilterBytes() const {
  return blocks_ * ChannelBlock() * shape_.KernelArea() * sizeof(float);
}

void BlockedDepthwisePlan::PackFilter(const float* filter, const FilterStrides& strides, float* to) const {
  const std::size_t lanes = ChannelBlock(), taps = shape_.KernelArea();
  std::fill_n(to, blocks_ * lanes * taps, 0.0f);
  for (std::size_t c = 0; c < shape_.channels; ++c)
    for (std::size_t tap = 0; tap < taps; ++tap)
      to[(c / lanes * taps + tap) * lanes + c % lanes] =
          filter[c * strides.out + tap / shape_.kernel_width * strides.row +
                 tap % shape_.kernel_width * strides.column];
}

void BlockedDepthwisePlan::RunRows(const ConvolutionShape& shape, const float* plane, std::size_t index,
                                   std::size_t begin, std::size_t end, const float* filter,
                                   const OutputFinish& finish, float* output) const {
  const std::size_t lanes = ChannelBlock(), block = index % blocks_;
  const auto run = HWY_DYNAMIC_DISPATCH(DepthwiseRowOf);
  for (std::size_t row = begin; row < end; ++row) {
    const std::size_t place = (index * shape.out_height + row) * shape.out_width * lanes;
    run(shape,
        {plane, filter + block * shape.KernelArea() * lanes,
         finish.bias == nullptr ? nullptr : finish.bias + block * lanes,
         finish.residual == nullptr ? nullptr : finish.residual + place, output + place, row},
        finish);
  }
}

void BlockedDepthwisePlan::Run(const float* input, const float* packed_filter, const OutputFinish& finish,
                               float* output, std::byte* workspace) const {
  const std::size_t lanes = ChannelBlock(), planes = shape_.batch * blocks_;
  const std::size_t plane_floats = shape_.Pixels() * lanes;
  if (pads_) {
    ForEachItem(planes, slots_, [&](std::size_t slot, std::size_t index) {
      float* padded = reinterpret_cast<float*>(workspace) + slot * padded_.Pixels() * lanes;
      PadPlane(input + index * plane_floats, padded);
      RunRows(padded_, padded, index, 0, shape_.out_height, packed_filter, finish, output);
    });
    return;
  }
  const std::size_t grain =
      std::max<std::size_t>(1, 65536 / (shape_.out_width * lanes * shape_.KernelArea() + 1));
  ParallelFor(planes * shape_.out_height, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t index = i / shape_.out_height, row = i % shape_.out_height;
      RunRows(shape_, input + index * plane_floats, index, row, row + 1, packed_filter, finish, output);
    }
  });
}

}  // namespace foothold
#endif
