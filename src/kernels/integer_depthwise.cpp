// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/integer_depthwise.h"

#include <algorithm>

#include "base/thread_pool.h"
#include "kernels/channel_blocks.h"
#include "kernels/gemm_pack.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/integer_depthwise.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/integer_pairs-inl.h"

#ifndef FOOTHOLD_KERNELS_INTEGER_DEPTHWISE_SHARED
#define FOOTHOLD_KERNELS_INTEGER_DEPTHWISE_SHARED
namespace foothold {
namespace {

constexpr std::size_t kMostTaps = 64;

// Rows of the output of one block.
struct IntegerRows {
  const std::int16_t* plane;   // of the input
  const std::int16_t* filter;  // [pair of taps][lower, upper half of the channels of each 16 bytes]
  const std::int32_t* bias;    // or null
  const float* scales;
  std::int16_t* out;  // of the first row
  std::size_t row, rows;
};

}  // namespace
}  // namespace foothold
#endif

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

// No vector holds a pair; the pass that makes integer networks asks for one.
void PairTaps(const std::int16_t*, const std::int16_t*, std::int16_t*) {}
void IntegerRowsOf(const ConvolutionShape&, const IntegerFinish&, IntegerRows) {}

#else

using Floats = hn::CappedTag<float, 16>;
using Wide = hn::RebindToSigned<Floats>;
using Narrow = hn::Repartition<std::int16_t, Floats>;
using NarrowVec = hn::Vec<Narrow>;

HWY_INLINE hn::Vec<Wide> LowerPairs(NarrowVec a, NarrowVec b) {
  return hn::BitCast(Wide(), hn::InterleaveLower(Narrow(), a, b));
}
HWY_INLINE hn::Vec<Wide> UpperPairs(NarrowVec a, NarrowVec b) {
  return hn::BitCast(Wide(), hn::InterleaveUpper(Narrow(), a, b));
}

void PairTaps(const std::int16_t* first, const std::int16_t* second, std::int16_t* to) {
  const Narrow d;
  const auto a = hn::LoadU(d, first), b = hn::LoadU(d, second);
  hn::StoreU(hn::BitCast(d, LowerPairs(a, b)), d, to);
  hn::StoreU(hn::BitCast(d, UpperPairs(a, b)), d, to + hn::Lanes(d));
}

// What belongs to channels, in the order that pairs have.
template <typename T>
HWY_INLINE void OrderAsPairs(const T* channels, T* lower, T* upper) {
  const Wide d;
  const Narrow narrow;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN std::int32_t places[2 * hn::MaxLanes(Wide())];
  const auto numbers = hn::Iota(narrow, 0);
  hn::StoreU(LowerPairs(numbers, hn::Zero(narrow)), d, places);
  hn::StoreU(UpperPairs(numbers, hn::Zero(narrow)), d, places + lanes);
  for (std::size_t i = 0; i < lanes; ++i) {
    lower[i] = channels[places[i]];
    upper[i] = channels[places[lanes + i]];
  }
}

// Where the taps of a pixel are.
struct Taps {
  const std::int16_t* at[kMostTaps];
};

HWY_INLINE void FillTaps(const ConvolutionShape& s, const IntegerRows& r, const std::int16_t* zeros,
                         std::size_t row, std::size_t column, Taps& taps) {
  const std::size_t lanes = hn::Lanes(Narrow());
  std::size_t tap = 0;
  for (std::size_t y = 0; y < s.kernel_height; ++y)
    for (std::size_t x = 0; x < s.kernel_width; ++x, ++tap) {
      const std::size_t h = row * s.stride_height + y * s.dilation_height - s.pad_top;
      const std::size_t w = column * s.stride_width + x * s.dilation_width - s.pad_left;
      const bool inside = h < s.height && w < s.width;  // before the first wraps around
      taps.at[tap] = inside ? r.plane + (h * s.width + w) * lanes : zeros;
    }
  taps.at[tap] = zeros;
}

void IntegerRowsOf(const ConvolutionShape& s, const IntegerFinish& finish, IntegerRows r) {
  const Floats d;
  const Wide di;
  const Narrow narrow;
  const std::size_t lanes = hn::Lanes(narrow), half = hn::Lanes(d), pairs = (s.KernelArea() + 1) / 2;
  HWY_ALIGN const std::int16_t zeros[hn::MaxLanes(Narrow())] = {};
  HWY_ALIGN float scales[2 * hn::MaxLanes(Floats())];
  HWY_ALIGN std::int32_t biases[2 * hn::MaxLanes(Floats())] = {};
  OrderAsPairs(r.scales, scales, scales + half);
  if (r.bias != nullptr) OrderAsPairs(r.bias, biases, biases + half);
  const auto lower_scale = hn::LoadU(d, scales), upper_scale = hn::LoadU(d, scales + half);
  const auto lower_bias = hn::LoadU(di, biases), upper_bias = hn::LoadU(di, biases + half);
  const InsideRange first =
      PositionsInside(-static_cast<std::ptrdiff_t>(s.pad_left), s.stride_width, s.width, s.out_width);
  const auto reach = static_cast<std::ptrdiff_t>((s.kernel_width - 1) * s.dilation_width) -
                     static_cast<std::ptrdiff_t>(s.pad_left);
  const InsideRange last = PositionsInside(reach, s.stride_width, s.width, s.out_width);
  Taps taps;
  for (std::size_t row = r.row; row < r.row + r.rows; ++row)
    for (std::size_t column = 0; column < s.out_width; ++column, r.out += lanes) {
      const bool inside = column > first.begin && column < last.end;
      if (inside)  // all taps have moved on, or are still outside
        for (std::size_t tap = 0; tap < s.KernelArea(); ++tap)
          taps.at[tap] += taps.at[tap] == zeros ? 0 : s.stride_width * lanes;
      else
        FillTaps(s, r, zeros, row, column, taps);
      auto lower = lower_bias, upper = upper_bias;
      const std::int16_t* filter = r.filter;
      for (std::size_t pair = 0; pair < pairs; ++pair, filter += 2 * lanes) {
        const auto a = hn::LoadU(narrow, taps.at[2 * pair]), b = hn::LoadU(narrow, taps.at[2 * pair + 1]);
        lower = AddIntegerPairs(di, LowerPairs(a, b), hn::BitCast(di, hn::LoadU(narrow, filter)), lower);
        upper =
            AddIntegerPairs(di, UpperPairs(a, b), hn::BitCast(di, hn::LoadU(narrow, filter + lanes)), upper);
      }
      const auto finished = [&](hn::Vec<Wide> sum, hn::Vec<Floats> scale) HWY_ATTR {
        return RoundWithin(d, hn::Mul(hn::ConvertTo(d, sum), scale), finish.low, finish.high);
      };
      hn::StoreU(hn::ReorderDemote2To(narrow, finished(lower, lower_scale), finished(upper, upper_scale)),
                 narrow, r.out);
    }
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(PairTaps);
HWY_EXPORT(IntegerRowsOf);
}  // namespace

bool IntegerDepthwisePlan::Applies(const ConvolutionShape& shape) {
  return shape.groups > 1 && shape.groups == shape.channels && shape.groups == shape.out_channels &&
         shape.KernelArea() < kMostTaps && shape.Work() > 0;
}

IntegerDepthwisePlan::IntegerDepthwisePlan(const ConvolutionShape& shape)
    : shape_(shape),
      blocks_(Parts(shape.channels, 2 * ChannelBlock())),
      taps_(RoundUp(shape.KernelArea(), 2)) {}

std::size_t IntegerDepthwisePlan::PackedFilterBytes() const {
  return blocks_ * taps_ * 2 * ChannelBlock() * sizeof(std::int16_t);
}

void IntegerDepthwisePlan::PackFilter(IntegerFilter filter, std::byte* to) const {
  const std::size_t width = 2 * ChannelBlock(), area = shape_.KernelArea();
  std::vector<std::int16_t> block(taps_ * width);
  auto* packed = reinterpret_cast<std::int16_t*>(to);
  for (std::size_t b = 0; b < blocks_; ++b, packed += taps_ * width) {
    std::fill(block.begin(), block.end(), std::int16_t{0});
    for (std::size_t c = b * width; c < std::min((b + 1) * width, shape_.channels); ++c)
      for (std::size_t tap = 0; tap < area; ++tap)
        block[tap * width + c % width] = filter[c * area + tap];
    for (std::size_t tap = 0; tap < taps_; tap += 2)
      HWY_DYNAMIC_DISPATCH(PairTaps)
    (&block[tap * width], &block[(tap + 1) * width], packed + tap * width);
  }
}

void IntegerDepthwisePlan::Run(const std::int16_t* input, const std::byte* packed_filter,
                               const std::int32_t* bias, const IntegerFinish& finish, std::int16_t* output,
                               std::byte*) const {
  const std::size_t width = 2 * ChannelBlock(), planes = shape_.batch * blocks_;
  const auto* filter = reinterpret_cast<const std::int16_t*>(packed_filter);
  const std::size_t grain =
      std::max<std::size_t>(1, 65536 / (shape_.out_width * width * shape_.KernelArea() + 1));
  ParallelFor(planes * shape_.out_height, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end;) {
      const std::size_t index = i / shape_.out_height, row = i % shape_.out_height, block = index % blocks_;
      const std::size_t rows = std::min(shape_.out_height - row, end - i);
      const std::size_t place = (index * shape_.out_height + row) * shape_.out_width * width;
      HWY_DYNAMIC_DISPATCH(IntegerRowsOf)
      (shape_, finish,
       {input + index * shape_.Pixels() * width, filter + block * taps_ * width,
        bias == nullptr ? nullptr : bias + block * width, finish.scales + block * width, output + place, row,
        rows});
      i += rows;
    }
  });
}

}  // namespace foothold
#endif
