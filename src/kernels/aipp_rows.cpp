// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/aipp_rows.h"

#include <algorithm>

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/aipp_rows.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Widths of networks are multiples of 16 more often than of longer vectors.
using ByteTag = hn::CappedTag<std::uint8_t, 16>;

#if HWY_TARGET != HWY_SCALAR  // whose vectors have no room for pairs
using PairTag = hn::Repartition<std::uint16_t, ByteTag>;

// Two channels side by side, one of each for two pixels: each of them twice.
template <typename V>
HWY_INLINE void StoreTwice(V pairs, std::uint8_t* first, std::uint8_t* second) {
  const ByteTag d;
  const PairTag d16;
  const auto low = hn::Set(d16, 0x00FF), both = hn::BitCast(d16, pairs);
  const auto a = hn::And(both, low), b = hn::AndNot(low, both);
  hn::StoreU(hn::BitCast(d, hn::Or(a, hn::ShiftLeft<8>(a))), d, first);
  hn::StoreU(hn::BitCast(d, hn::Or(hn::ShiftRight<8>(b), b)), d, second);
}
#endif

void SplitPairsImpl(const std::uint8_t* luma, const std::uint8_t* pairs, std::size_t pixels,
                    const AippChannels& to) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const ByteTag d;
  for (; i + hn::Lanes(d) <= pixels; i += hn::Lanes(d)) {
    hn::StoreU(hn::LoadU(d, luma + i), d, to[0] + i);
    StoreTwice(hn::LoadU(d, pairs + i), to[1] + i, to[2] + i);
  }
#endif
  for (; i < pixels; ++i) {
    to[0][i] = luma[i];
    to[1][i] = pairs[i / 2 * 2];
    to[2][i] = pairs[i / 2 * 2 + 1];
  }
}

void SplitYuyvImpl(const std::uint8_t* from, std::size_t pixels, const AippChannels& to) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const ByteTag d;
  for (; i + hn::Lanes(d) <= pixels; i += hn::Lanes(d)) {
    hn::Vec<ByteTag> luma, pairs;
    hn::LoadInterleaved2(d, from + 2 * i, luma, pairs);
    hn::StoreU(luma, d, to[0] + i);
    StoreTwice(pairs, to[1] + i, to[2] + i);
  }
#endif
  for (; i < pixels; ++i) {
    to[0][i] = from[2 * i];
    to[1][i] = from[i / 2 * 4 + 1];
    to[2][i] = from[i / 2 * 4 + 3];
  }
}

void SplitThreeImpl(const std::uint8_t* from, std::size_t pixels, const AippChannels& to) {
  const ByteTag d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= pixels; i += hn::Lanes(d)) {
    hn::Vec<ByteTag> a, b, c;
    hn::LoadInterleaved3(d, from + 3 * i, a, b, c);
    hn::StoreU(a, d, to[0] + i);
    hn::StoreU(b, d, to[1] + i);
    hn::StoreU(c, d, to[2] + i);
  }
  for (; i < pixels; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      to[k][i] = from[3 * i + k];
}

void SplitFourImpl(const std::uint8_t* from, std::size_t pixels, const AippChannels& to) {
  const ByteTag d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= pixels; i += hn::Lanes(d)) {
    hn::Vec<ByteTag> a, b, c, e;
    hn::LoadInterleaved4(d, from + 4 * i, a, b, c, e);
    hn::StoreU(a, d, to[0] + i);
    hn::StoreU(b, d, to[1] + i);
    hn::StoreU(c, d, to[2] + i);
    hn::StoreU(e, d, to[3] + i);
  }
  for (; i < pixels; ++i)
    for (std::size_t k = 0; k < 4; ++k)
      to[k][i] = from[4 * i + k];
}

using IntTag = hn::CappedTag<std::int32_t, 16>;
using FewBytes = hn::Rebind<std::uint8_t, IntTag>;

HWY_INLINE hn::Vec<IntTag> LoadInts(const std::uint8_t* from) {
  return hn::PromoteTo(IntTag(), hn::LoadU(FewBytes(), from));
}

// Rounds up to whole vectors: channels have room behind their pixels.
void ConvertImpl(const AippColours& colours, std::size_t pixels, const AippChannels& channels) {
  const IntTag d;
  const auto row = [&](std::size_t r, hn::Vec<IntTag> a, hn::Vec<IntTag> b, hn::Vec<IntTag> c) {
    const auto factor = [&](std::size_t k) { return hn::Set(d, colours.matrix[3 * r + k]); };
    const auto sum = hn::Add(hn::Add(hn::Mul(a, factor(0)), hn::Mul(b, factor(1))), hn::Mul(c, factor(2)));
    return hn::DemoteTo(FewBytes(), hn::Add(hn::ShiftRight<8>(sum), hn::Set(d, colours.after[r])));
  };
  const auto load = [&](std::size_t k, std::size_t i) {
    return hn::Sub(LoadInts(channels[k] + i), hn::Set(d, colours.before[k]));
  };
  for (std::size_t i = 0; i < pixels; i += hn::Lanes(d)) {
    const auto a = load(0, i), b = load(1, i), c = load(2, i);
    const auto x = row(0, a, b, c), y = row(1, a, b, c), z = row(2, a, b, c);
    hn::StoreU(x, FewBytes(), channels[0] + i);
    hn::StoreU(y, FewBytes(), channels[1] + i);
    hn::StoreU(z, FewBytes(), channels[2] + i);
  }
}

using FloatTag = hn::CappedTag<float, 16>;

HWY_INLINE hn::Vec<FloatTag> LoadScaled(const AippScale& scale, std::size_t channel,
                                        const std::uint8_t* from) {
  const FloatTag d;
  const auto p = hn::Sub(hn::ConvertTo(d, LoadInts(from)), hn::Set(d, scale.mean[channel]));
  return hn::Mul(hn::Sub(p, hn::Set(d, scale.min[channel])), hn::Set(d, scale.factor[channel]));
}

HWY_INLINE float Scaled(const AippScale& scale, std::size_t channel, std::uint8_t p) {
  return (static_cast<float>(p) - scale.mean[channel] - scale.min[channel]) * scale.factor[channel];
}

void FloatsOfChannelImpl(const AippScale& scale, std::size_t channel, const std::uint8_t* from,
                         std::size_t pixels, float* to) {
  const FloatTag d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= pixels; i += hn::Lanes(d))
    hn::StoreU(LoadScaled(scale, channel, from + i), d, to + i);
  for (; i < pixels; ++i)
    to[i] = Scaled(scale, channel, from[i]);
}

void FloatsOfPixelsImpl(const AippScale& scale, std::size_t channels, const AippChannels& from,
                        std::size_t pixels, float* to) {
  const FloatTag d;
  std::size_t i = 0;
  for (; channels >= 3 && i + hn::Lanes(d) <= pixels; i += hn::Lanes(d)) {
    const auto a = LoadScaled(scale, 0, from[0] + i), b = LoadScaled(scale, 1, from[1] + i);
    const auto c = LoadScaled(scale, 2, from[2] + i);
    if (channels == 3)
      hn::StoreInterleaved3(a, b, c, d, to + 3 * i);
    else
      hn::StoreInterleaved4(a, b, c, LoadScaled(scale, 3, from[3] + i), d, to + 4 * i);
  }
  for (; i < pixels; ++i)
    for (std::size_t k = 0; k < channels; ++k)
      to[i * channels + k] = Scaled(scale, k, from[k][i]);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(SplitPairsImpl);
HWY_EXPORT(SplitYuyvImpl);
HWY_EXPORT(SplitThreeImpl);
HWY_EXPORT(SplitFourImpl);
HWY_EXPORT(ConvertImpl);
HWY_EXPORT(FloatsOfChannelImpl);
HWY_EXPORT(FloatsOfPixelsImpl);
}  // namespace

void SplitLumaAndPairs(const std::uint8_t* luma, const std::uint8_t* pairs, std::size_t pixels,
                       const AippChannels& to) {
  HWY_DYNAMIC_DISPATCH(SplitPairsImpl)(luma, pairs, pixels, to);
}

void SplitYuyv(const std::uint8_t* from, std::size_t pixels, const AippChannels& to) {
  HWY_DYNAMIC_DISPATCH(SplitYuyvImpl)(from, pixels, to);
}

void SplitThree(const std::uint8_t* from, std::size_t pixels, const AippChannels& to) {
  HWY_DYNAMIC_DISPATCH(SplitThreeImpl)(from, pixels, to);
}

void SplitFour(const std::uint8_t* from, std::size_t pixels, const AippChannels& to) {
  HWY_DYNAMIC_DISPATCH(SplitFourImpl)(from, pixels, to);
}

void ConvertColours(const AippColours& colours, std::size_t pixels, const AippChannels& channels) {
  HWY_DYNAMIC_DISPATCH(ConvertImpl)(colours, pixels, channels);
}

void FloatsOfChannel(const AippScale& scale, std::size_t channel, const std::uint8_t* from,
                     std::size_t pixels, float* to) {
  HWY_DYNAMIC_DISPATCH(FloatsOfChannelImpl)(scale, channel, from, pixels, to);
}

void FloatsOfPixels(const AippScale& scale, std::size_t channels, const AippChannels& from,
                    std::size_t pixels, float* to) {
  HWY_DYNAMIC_DISPATCH(FloatsOfPixelsImpl)(scale, channels, from, pixels, to);
}

}  // namespace foothold
#endif
