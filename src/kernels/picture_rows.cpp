// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/picture_rows.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/picture_rows.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using ByteTag = hn::ScalableTag<std::uint8_t>;

std::size_t SplitVectors(const std::uint8_t* pixels, std::size_t channels, std::size_t count,
                         std::uint8_t* const* rows) {
  const ByteTag d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    auto a = hn::Zero(d), b = a, c = a, e = a;
    if (channels == 2) hn::LoadInterleaved2(d, pixels + i * 2, a, b);
    if (channels == 3) hn::LoadInterleaved3(d, pixels + i * 3, a, b, c);
    if (channels == 4) hn::LoadInterleaved4(d, pixels + i * 4, a, b, c, e);
    hn::StoreU(a, d, rows[0] + i);
    hn::StoreU(b, d, rows[1] + i);
    if (channels > 2) hn::StoreU(c, d, rows[2] + i);
    if (channels > 3) hn::StoreU(e, d, rows[3] + i);
  }
  return i;
}

std::size_t MergeVectors(const std::uint8_t* const* rows, std::size_t channels, std::size_t count,
                         std::uint8_t* pixels) {
  const ByteTag d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto a = hn::LoadU(d, rows[0] + i), b = hn::LoadU(d, rows[1] + i);
    const auto c = hn::LoadU(d, rows[channels > 2 ? 2 : 0] + i);
    const auto e = hn::LoadU(d, rows[channels > 3 ? 3 : 0] + i);
    if (channels == 2) hn::StoreInterleaved2(a, b, d, pixels + i * 2);
    if (channels == 3) hn::StoreInterleaved3(a, b, c, d, pixels + i * 3);
    if (channels == 4) hn::StoreInterleaved4(a, b, c, e, d, pixels + i * 4);
  }
  return i;
}

std::size_t SwapVectors(const std::uint8_t* in, std::size_t pairs, std::uint8_t* out) {
  const ByteTag d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= pairs; i += hn::Lanes(d)) {
    auto a = hn::Zero(d), b = a;
    hn::LoadInterleaved2(d, in + i * 2, a, b);
    hn::StoreInterleaved2(b, a, d, out + i * 2);
  }
  return i;
}

std::size_t SpreadVectors(const std::uint8_t* in, std::size_t samples, std::uint8_t* out) {
  const ByteTag d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= samples; i += hn::Lanes(d)) {
    const auto a = hn::LoadU(d, in + i);
    hn::StoreInterleaved2(a, a, d, out + i * 2);
  }
  return i;
}

std::size_t AverageRowVectors(const std::uint8_t* top, const std::uint8_t* bottom, std::size_t count,
                              std::uint8_t* out) {
  const ByteTag d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d))
    hn::StoreU(hn::AverageRound(hn::LoadU(d, top + i), hn::LoadU(d, bottom + i)), d, out + i);
  return i;
}

std::size_t AveragePairVectors(const std::uint8_t* in, std::size_t results, std::uint8_t* out) {
  const ByteTag d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= results; i += hn::Lanes(d)) {
    auto a = hn::Zero(d), b = a;
    hn::LoadInterleaved2(d, in + i * 2, a, b);
    hn::StoreU(hn::AverageRound(a, b), d, out + i);
  }
  return i;
}

// Sums of four in 16 bits: the even and the odd bytes of each pair.
template <class D16>
HWY_INLINE hn::Vec<D16> PairSums(D16 d16, const std::uint8_t* row) {
  const auto pairs = hn::LoadU(d16, reinterpret_cast<const std::uint16_t*>(row));
  return hn::Add(hn::And(pairs, hn::Set(d16, 0xFF)), hn::ShiftRight<8>(pairs));
}

std::size_t AverageSquareVectors(const std::uint8_t* top, const std::uint8_t* bottom, std::size_t results,
                                 std::uint8_t* out) {
#if HWY_TARGET == HWY_SCALAR
  (void)top, (void)bottom, (void)results, (void)out;
  return 0;
#else
  const hn::ScalableTag<std::uint16_t> d16;
  const hn::RebindToSigned<decltype(d16)> s16;
  const hn::Rebind<std::uint8_t, decltype(d16)> d8;
  std::size_t i = 0;
  for (; i + hn::Lanes(d16) <= results; i += hn::Lanes(d16)) {
    const auto sum = hn::Add(PairSums(d16, top + i * 2), PairSums(d16, bottom + i * 2));
    const auto average = hn::ShiftRight<2>(hn::Add(sum, hn::Set(d16, 2)));
    hn::StoreU(hn::DemoteTo(d8, hn::BitCast(s16, average)), d8, out + i);
  }
  return i;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(SplitVectors);
HWY_EXPORT(MergeVectors);
HWY_EXPORT(SwapVectors);
HWY_EXPORT(SpreadVectors);
HWY_EXPORT(AverageRowVectors);
HWY_EXPORT(AveragePairVectors);
HWY_EXPORT(AverageSquareVectors);
}  // namespace

void SplitPixels(const std::uint8_t* pixels, std::size_t channels, std::size_t count,
                 std::uint8_t* const* rows) {
  for (std::size_t i = HWY_DYNAMIC_DISPATCH(SplitVectors)(pixels, channels, count, rows); i < count; ++i)
    for (std::size_t c = 0; c < channels; ++c)
      rows[c][i] = pixels[i * channels + c];
}

void MergePixels(const std::uint8_t* const* rows, std::size_t channels, std::size_t count,
                 std::uint8_t* pixels) {
  for (std::size_t i = HWY_DYNAMIC_DISPATCH(MergeVectors)(rows, channels, count, pixels); i < count; ++i)
    for (std::size_t c = 0; c < channels; ++c)
      pixels[i * channels + c] = rows[c][i];
}

void SwapPairs(const std::uint8_t* in, std::size_t pairs, std::uint8_t* out) {
  for (std::size_t i = HWY_DYNAMIC_DISPATCH(SwapVectors)(in, pairs, out); i < pairs; ++i) {
    out[2 * i] = in[2 * i + 1];
    out[2 * i + 1] = in[2 * i];
  }
}

void SpreadSamples(const std::uint8_t* in, std::size_t count, std::uint8_t* out) {
  for (std::size_t i = 2 * HWY_DYNAMIC_DISPATCH(SpreadVectors)(in, count / 2, out); i < count; ++i)
    out[i] = in[i / 2];
}

void AverageRows(const std::uint8_t* top, const std::uint8_t* bottom, std::size_t count, std::uint8_t* out) {
  for (std::size_t i = HWY_DYNAMIC_DISPATCH(AverageRowVectors)(top, bottom, count, out); i < count; ++i)
    out[i] = static_cast<std::uint8_t>((top[i] + bottom[i] + 1) >> 1);
}

void AveragePairs(const std::uint8_t* in, std::size_t count, std::uint8_t* out) {
  const std::size_t pairs = count / 2;
  for (std::size_t i = HWY_DYNAMIC_DISPATCH(AveragePairVectors)(in, pairs, out); i < pairs; ++i)
    out[i] = static_cast<std::uint8_t>((in[2 * i] + in[2 * i + 1] + 1) >> 1);
  if (count % 2 != 0) out[pairs] = in[count - 1];
}

void AverageSquares(const std::uint8_t* top, const std::uint8_t* bottom, std::size_t count,
                    std::uint8_t* out) {
  const std::size_t pairs = count / 2;
  for (std::size_t i = HWY_DYNAMIC_DISPATCH(AverageSquareVectors)(top, bottom, pairs, out); i < pairs; ++i)
    out[i] =
        static_cast<std::uint8_t>((top[2 * i] + top[2 * i + 1] + bottom[2 * i] + bottom[2 * i + 1] + 2) >> 2);
  if (count % 2 != 0) out[pairs] = static_cast<std::uint8_t>((top[count - 1] + bottom[count - 1] + 1) >> 1);
}

}  // namespace foothold
#endif
