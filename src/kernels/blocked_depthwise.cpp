// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/blocked_depthwise.h"

#include <algorithm>

#include "base/thread_pool.h"
#include "kernels/channel_blocks.h"
#include "kernels/gemm_pack.h"
#include "kernels/parallel_items.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/blocked_depthwise.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/output_finish-inl.h"

#ifndef FOOTHOLD_KERNELS_BLOCKED_DEPTHWISE_SHARED
#define FOOTHOLD_KERNELS_BLOCKED_DEPTHWISE_SHARED
namespace foothold {
namespace {

// Rows of the output of one block.
struct DepthwiseRow {
  const float* plane;     // of the input
  const float* filter;    // [tap][lane]
  const float* bias;      // or null
  const float* residual;  // or null
  float* out;
  std::size_t row;  // the first, which `residual` and `out` point to
};

}  // namespace
}  // namespace foothold
#endif

// Left to itself, the compiler keeps what a lambda refers to in memory.
#undef FOOTHOLD_INLINE_LAMBDA
#define FOOTHOLD_INLINE_LAMBDA HWY_ATTR __attribute__((always_inline))

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

// Up to six pixels whose windows are inside from left to right. Widths and strides that are known let the
// compiler read each input once for all the pixels it belongs to; 0: not known.
template <std::size_t kPixels, std::size_t kWidth, std::size_t kStride>
HWY_INLINE void ComputePixels(const ConvolutionShape& s, const DepthwiseRow& r, const RowTaps& rows,
                              std::size_t column, const OutputFinish& finish) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d), width = kWidth > 0 ? kWidth : s.kernel_width;
  const std::size_t step = (kStride > 0 ? kStride : s.stride_width) * lanes;
  const std::size_t tap = (kWidth > 0 ? 1 : s.dilation_width) * lanes;
  const FloatVec start = StartOf(d, r);
  FloatVec s0 = start, s1 = start, s2 = start, s3 = start, s4 = start, s5 = start;
  const float* in = TapAt(s, r, rows.begin, 0, column, lanes);
  const float* filter = r.filter + rows.begin * width * lanes;
  for (std::size_t y = rows.begin; y < rows.end; ++y, in += s.dilation_height * s.width * lanes) {
    HWY_UNROLL(5)
    for (std::size_t x = 0; x < width; ++x, filter += lanes) {
      const FloatVec factor = hn::LoadU(d, filter);
      const auto add = [&](std::size_t pixel, FloatVec& sum) FOOTHOLD_INLINE_LAMBDA {
        if (pixel < kPixels) sum = hn::MulAdd(hn::LoadU(d, in + pixel * step + x * tap), factor, sum);
      };
      add(0, s0), add(1, s1), add(2, s2), add(3, s3), add(4, s4), add(5, s5);
    }
  }
  StorePixel(d, s0, finish, r, column);
  if constexpr (kPixels > 1) StorePixel(d, s1, finish, r, column + 1);
  if constexpr (kPixels > 2) StorePixel(d, s2, finish, r, column + 2);
  if constexpr (kPixels > 3) StorePixel(d, s3, finish, r, column + 3);
  if constexpr (kPixels > 4) StorePixel(d, s4, finish, r, column + 4);
  if constexpr (kPixels > 5) StorePixel(d, s5, finish, r, column + 5);
}

template <std::size_t kWidth, std::size_t kStride>
void InnerPixels(const ConvolutionShape& s, const DepthwiseRow& r, const RowTaps& rows, std::size_t begin,
                 std::size_t end, const OutputFinish& finish) {
  for (std::size_t parts = Parts(end - begin, 6); parts > 0; --parts) {
    const std::size_t pixels = Parts(end - begin, parts);  // as equal as can be
    switch (pixels) {
      case 6:
        ComputePixels<6, kWidth, kStride>(s, r, rows, begin, finish);
        break;
      case 5:
        ComputePixels<5, kWidth, kStride>(s, r, rows, begin, finish);
        break;
      case 4:
        ComputePixels<4, kWidth, kStride>(s, r, rows, begin, finish);
        break;
      case 3:
        ComputePixels<3, kWidth, kStride>(s, r, rows, begin, finish);
        break;
      case 2:
        ComputePixels<2, kWidth, kStride>(s, r, rows, begin, finish);
        break;
      default:
        ComputePixels<1, kWidth, kStride>(s, r, rows, begin, finish);
    }
    begin += pixels;
  }
}

using InnerFunction = void (*)(const ConvolutionShape&, const DepthwiseRow&, const RowTaps&, std::size_t,
                               std::size_t, const OutputFinish&);

InnerFunction InnerOf(const ConvolutionShape& s) {
  const bool plain = s.dilation_width == 1 && s.stride_width <= 2;
  if (plain && s.kernel_width == 3) return s.stride_width == 1 ? InnerPixels<3, 1> : InnerPixels<3, 2>;
  if (plain && s.kernel_width == 5) return s.stride_width == 1 ? InnerPixels<5, 1> : InnerPixels<5, 2>;
  return InnerPixels<0, 0>;
}

void DepthwiseRowsOf(const ConvolutionShape& s, DepthwiseRow r, std::size_t count,
                     const OutputFinish& finish) {
  const std::size_t line = s.out_width * hn::Lanes(Floats());
  const auto left = -static_cast<std::ptrdiff_t>(s.pad_left);
  const auto reach = static_cast<std::ptrdiff_t>((s.kernel_width - 1) * s.dilation_width);
  const std::size_t begin = PositionsInside(left, s.stride_width, s.width, s.out_width).begin;
  const std::size_t last = PositionsInside(left + reach, s.stride_width, s.width, s.out_width).end;
  const std::size_t end = std::max(begin, last);
  const InnerFunction inner = InnerOf(s);
  float* const out = r.out;
  for (std::size_t i = 0; i < count; ++i, ++r.row, r.out += line) {
    const auto top =
        static_cast<std::ptrdiff_t>(r.row * s.stride_height) - static_cast<std::ptrdiff_t>(s.pad_top);
    const InsideRange rows = PositionsInside(top, s.dilation_height, s.height, s.kernel_height);
    const RowTaps taps{rows.begin, rows.end};
    for (std::size_t column = 0; column < begin; ++column)
      EdgePixel(s, r, taps, column, finish);
    if (end > begin) inner(s, r, taps, begin, end, finish);
    for (std::size_t column = end; column < s.out_width; ++column)
      EdgePixel(s, r, taps, column, finish);
    if (r.residual != nullptr) r.residual += line;
  }
  Activate(Floats(), finish.activation, out, count * line);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(DepthwiseRowsOf);

// Pixels of a padded plane that stay in the first two caches with what is computed from them.
constexpr std::size_t kMostPadded = 1600;

}  // namespace

bool BlockedDepthwisePlan::Applies(const ConvolutionShape& shape) {
  return shape.groups > 1 && shape.groups == shape.channels && shape.groups == shape.out_channels &&
         shape.Work() > 0;
}

BlockedDepthwisePlan::BlockedDepthwisePlan(const ConvolutionShape& shape)
    : lanes_(ChannelBlock()), shape_(shape), padded_(shape), blocks_(Parts(shape.channels, lanes_)) {
  const auto reach = [](std::size_t out, std::size_t stride, std::size_t kernel, std::size_t dilation) {
    return (out - 1) * stride + (kernel - 1) * dilation + 1;
  };
  padded_.height = reach(shape.out_height, shape.stride_height, shape.kernel_height, shape.dilation_height);
  padded_.width = reach(shape.out_width, shape.stride_width, shape.kernel_width, shape.dilation_width);
  padded_.pad_top = padded_.pad_left = 0;
  pads_ = shape.KernelArea() > 1 && shape.stride_width == 1 && padded_.Pixels() <= kMostPadded;
  if (pads_) slots_ = SlotsFor(shape.batch * blocks_, shape.Work());
}

std::size_t BlockedDepthwisePlan::WorkspaceBytes() const {
  return slots_ * ScratchFloats() * sizeof(float);
}

// With zeros around it, as far as windows reach.
void BlockedDepthwisePlan::PadPlane(const float* plane, float* to) const {
  const std::size_t line = padded_.width * lanes_, left = std::min(shape_.pad_left * lanes_, line);
  const std::size_t copied = std::min(shape_.width * lanes_, line - left);
  for (std::size_t row = 0; row < padded_.height; ++row, to += line) {
    const std::size_t from = row - shape_.pad_top;  // before the first wraps around
    if (from >= shape_.height) {
      std::fill_n(to, line, 0.0f);
      continue;
    }
    std::fill_n(to, left, 0.0f);
    std::copy_n(plane + from * shape_.width * lanes_, copied, to + left);
    std::fill_n(to + left + copied, line - left - copied, 0.0f);
  }
}

std::size_t BlockedDepthwisePlan::PackedFilterBytes() const {
  return blocks_ * lanes_ * shape_.KernelArea() * sizeof(float);
}

void BlockedDepthwisePlan::PackFilter(const float* filter, const FilterStrides& strides, float* to) const {
  const std::size_t taps = shape_.KernelArea();
  std::fill_n(to, blocks_ * lanes_ * taps, 0.0f);
  for (std::size_t c = 0; c < shape_.channels; ++c)
    for (std::size_t tap = 0; tap < taps; ++tap)
      to[(c / lanes_ * taps + tap) * lanes_ + c % lanes_] =
          filter[c * strides.out + tap / shape_.kernel_width * strides.row +
                 tap % shape_.kernel_width * strides.column];
}

InsideRange BlockedDepthwisePlan::RowsBefore(std::size_t begin, std::size_t end) const {
  const std::size_t reach = (shape_.kernel_height - 1) * shape_.dilation_height + 1;
  const auto inside = [&](std::size_t row) {  // of the image with its padding
    return std::min(row - std::min(row, shape_.pad_top), shape_.height);
  };
  return {inside(begin * shape_.stride_height), inside((end - 1) * shape_.stride_height + reach)};
}

// What is left of the image is an image of its own, with what is left of the padding.
void BlockedDepthwisePlan::RunRows(const float* rows, std::size_t index, std::size_t begin, std::size_t end,
                                   const float* filter, const OutputFinish& finish, float* output,
                                   float* scratch) const {
  const std::size_t block = index % blocks_;
  const std::size_t place = (index * shape_.out_height + begin) * shape_.out_width * lanes_;
  ConvolutionShape strip = padded_;
  if (!pads_) {
    const InsideRange there = RowsBefore(begin, end);
    strip = shape_;
    strip.height = there.end - there.begin;
    strip.pad_top = shape_.pad_top + there.begin - begin * shape_.stride_height;
  }
  if (pads_) PadPlane(rows, scratch);
  HWY_DYNAMIC_DISPATCH(DepthwiseRowsOf)
  (strip,
   {pads_ ? scratch : rows, filter + block * shape_.KernelArea() * lanes_,
    finish.bias == nullptr ? nullptr : finish.bias + block * lanes_,
    finish.residual == nullptr ? nullptr : finish.residual + place, output + place, 0},
   end - begin, finish);
}

void BlockedDepthwisePlan::Run(const float* input, const float* packed_filter, const OutputFinish& finish,
                               float* output, std::byte* workspace) const {
  const std::size_t planes = shape_.batch * blocks_, height = shape_.out_height;
  const auto run = [&](std::size_t index, std::size_t begin, std::size_t end, float* scratch) {
    const std::size_t row = index * shape_.height + RowsBefore(begin, end).begin;
    RunRows(input + row * shape_.width * lanes_, index, begin, end, packed_filter, finish, output, scratch);
  };
  if (pads_) {
    ForEachItem(planes, slots_, [&](std::size_t slot, std::size_t index) {
      run(index, 0, height, reinterpret_cast<float*>(workspace) + slot * ScratchFloats());
    });
    return;
  }
  const std::size_t grain =
      std::max<std::size_t>(1, 65536 / (shape_.out_width * lanes_ * shape_.KernelArea() + 1));
  ParallelFor(planes * height, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end;) {
      const std::size_t index = i / height, row = i % height;
      const std::size_t rows = std::min(height - row, end - i);
      run(index, row, row + rows, nullptr);
      i += rows;
    }
  });
}

}  // namespace foothold
#endif
