// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/color_rows.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/color_rows.cpp"
#endif
#include <algorithm>
#include <cmath>
#include <cstring>

#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
using WordTag = hn::ScalableTag<std::int16_t>;
using Word = hn::Vec<WordTag>;
using OctetTag = hn::Repartition<std::uint8_t, WordTag>;
using Octet = hn::Vec<OctetTag>;
using PlainWordTag = hn::RebindToUnsigned<WordTag>;
using PlainWord = hn::Vec<PlainWordTag>;

// What U and V add to each colour; one number for two pixels where they share them.
struct Chroma {
  Word color[3];
};

// `u` and `v` are 256 * (sample - 128).
HWY_INLINE Chroma ChromaOf(const YuvToRgb& by, Word u, Word v) {
  const WordTag d;
  const auto color = [&](int c) HWY_ATTR {
    return hn::SaturatedAdd(hn::MulFixedPoint15(u, hn::Set(d, by.u[c])),
                            hn::MulFixedPoint15(v, hn::Set(d, by.v[c])));
  };
  return {{color(0), color(1), color(2)}};
}

// The colour is the upper byte, with its sign turned.
HWY_INLINE Word ColorOf(Word luma, const Chroma& chroma, int color) {
  Word sum = hn::SaturatedAdd(luma, chroma.color[color]);
  if (color == 2) sum = hn::SaturatedAdd(sum, chroma.color[2]);
  return hn::SaturatedAdd(sum, sum);
}

// 256 * (sample - 128) of the low and the high byte of each word.
HWY_INLINE Word CenteredLow(PlainWord words) {
  const PlainWordTag plain;
  return hn::BitCast(WordTag(), hn::Xor(hn::ShiftLeft<8>(words), hn::Set(plain, 0x8000)));
}
HWY_INLINE Word CenteredHigh(PlainWord words) {
  const PlainWordTag plain;
  return hn::BitCast(WordTag(), hn::Xor(hn::And(words, hn::Set(plain, 0xFF00)), hn::Set(plain, 0x8000)));
}

// The luma of a vector of bytes: of the even and of the odd ones.
struct Halves {
  Word even, odd;
};
HWY_INLINE Halves LumaHalves(const YuvToRgb& by, Octet bytes) {
  const WordTag d;
  const PlainWord words = hn::BitCast(PlainWordTag(), bytes);
  const Word factor = hn::Set(d, by.luma), offset = hn::Set(d, by.offset);
  return {hn::Add(hn::MulFixedPoint15(CenteredLow(words), factor), offset),
          hn::Add(hn::MulFixedPoint15(CenteredHigh(words), factor), offset)};
}
HWY_INLINE Octet Join(Word even, Word odd) {
  const OctetTag octets;
  const PlainWordTag plain;
  const Octet low = hn::BitCast(octets, hn::ShiftRight<8>(hn::BitCast(plain, even)));
  return hn::Xor(hn::OddEven(hn::BitCast(octets, odd), low), hn::Set(octets, 0x80));
}

template <bool kBFirst>
HWY_INLINE void StoreColors(const YuvToRgb& by, const std::uint8_t* y, const Chroma& chroma,
                            std::uint8_t* out) {
  const OctetTag octets;
  const Halves luma = LumaHalves(by, hn::LoadU(octets, y));
  Octet color[3];
  for (int c = 0; c < 3; ++c)
    color[c] = Join(ColorOf(luma.even, chroma, c), ColorOf(luma.odd, chroma, c));
  hn::StoreInterleaved3(color[kBFirst ? 2 : 0], color[1], color[kBFirst ? 0 : 2], octets, out);
}

template <bool kBFirst>
HWY_INLINE void PairedStep(const YuvToRgb& by, const PairedRows& rows, std::size_t i) {
  const PlainWordTag plain;
  const PlainWord pairs = hn::BitCast(plain, hn::LoadU(OctetTag(), rows.pairs + i));
  const Chroma chroma = ChromaOf(by, CenteredLow(pairs), CenteredHigh(pairs));
  StoreColors<kBFirst>(by, rows.first + i, chroma, rows.first_out + 3 * i);
  if (rows.second != nullptr) StoreColors<kBFirst>(by, rows.second + i, chroma, rows.second_out + 3 * i);
}

template <bool kBFirst>
HWY_INLINE std::size_t PairedVectors(const YuvToRgb& by, const PairedRows& rows) {
  const std::size_t step = hn::Lanes(OctetTag());
  std::size_t i = 0;
  for (; i + step <= rows.count; i += step)
    PairedStep<kBFirst>(by, rows, i);
  return i;
}

// Answers how many pixels are done.
std::size_t PairedColors(const YuvToRgb& by, const PairedRows& rows, bool b_first) {
  return b_first ? PairedVectors<true>(by, rows) : PairedVectors<false>(by, rows);
}

std::size_t SingleColors(const YuvToRgb& by, const std::uint8_t* y, const std::uint8_t* u,
                         const std::uint8_t* v, std::size_t count, std::uint8_t* const* out) {
  const OctetTag octets;
  const PlainWordTag plain;
  std::size_t i = 0;
  for (; i + hn::Lanes(octets) <= count; i += hn::Lanes(octets)) {
    const Halves luma = LumaHalves(by, hn::LoadU(octets, y + i));
    const PlainWord us = hn::BitCast(plain, hn::LoadU(octets, u + i));
    const PlainWord vs = hn::BitCast(plain, hn::LoadU(octets, v + i));
    const Chroma even = ChromaOf(by, CenteredLow(us), CenteredLow(vs));
    const Chroma odd = ChromaOf(by, CenteredHigh(us), CenteredHigh(vs));
    for (int c = 0; c < 3; ++c)
      hn::StoreU(Join(ColorOf(luma.even, even, c), ColorOf(luma.odd, odd, c)), octets, out[c] + i);
  }
  return i;
}

std::size_t MixedColors(const ColorMix& by, const std::uint8_t* const* in, std::size_t count,
                        std::uint8_t* const* out) {
  const hn::ScalableTag<std::int32_t> d;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto a = hn::PromoteTo(d, hn::LoadU(bytes, in[0] + i));
    const auto b = hn::PromoteTo(d, hn::LoadU(bytes, in[1] + i));
    const auto c = hn::PromoteTo(d, hn::LoadU(bytes, in[2] + i));
    for (int row = 0; row < 3; ++row) {
      const std::int32_t* const m = by.matrix + 3 * row;
      auto sum = hn::Add(hn::Mul(a, hn::Set(d, m[0])), hn::Set(d, by.bias[row]));
      sum = hn::Add(sum, hn::Add(hn::Mul(b, hn::Set(d, m[1])), hn::Mul(c, hn::Set(d, m[2]))));
      hn::StoreU(hn::DemoteTo(bytes, hn::ShiftRight<16>(sum)), bytes, out[row] + i);
    }
  }
  return i;
}
#else
std::size_t PairedColors(const YuvToRgb&, const PairedRows&, bool) {
  return 0;
}
std::size_t SingleColors(const YuvToRgb&, const std::uint8_t*, const std::uint8_t*, const std::uint8_t*,
                         std::size_t, std::uint8_t* const*) {
  return 0;
}
std::size_t MixedColors(const ColorMix&, const std::uint8_t* const*, std::size_t, std::uint8_t* const*) {
  return 0;
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {

HWY_EXPORT(PairedColors);
HWY_EXPORT(SingleColors);
HWY_EXPORT(MixedColors);

int Times15(int a, int b) {
  return (a * b + (1 << 14)) >> 15;
}

int InWord(int value) {
  return std::clamp(value, -32768, 32767);
}

std::uint8_t OneColor(const YuvToRgb& by, int y, int u, int v, int color) {
  const int chroma = InWord(Times15((u - 128) * 256, by.u[color]) + Times15((v - 128) * 256, by.v[color]));
  int sum = InWord(Times15((y - 128) * 256, by.luma) + by.offset + chroma);
  if (color == 2) sum = InWord(sum + chroma);
  return static_cast<std::uint8_t>((InWord(2 * sum) >> 8) + 128);
}

void OneRgb(const YuvToRgb& by, int y, const std::uint8_t* pair, bool b_first, std::uint8_t* out) {
  for (int c = 0; c < 3; ++c)
    out[b_first ? 2 - c : c] = OneColor(by, y, pair[0], pair[1], c);
}

bool IntoWord(double value, double scale, std::int16_t* out) {
  const double scaled = std::nearbyint(value * scale);
  if (!(std::abs(scaled) < 32767)) return false;
  *out = static_cast<std::int16_t>(scaled);
  return true;
}

YuvToRgb WithPairsSwapped(const YuvToRgb& by) {
  YuvToRgb out = by;
  std::swap(out.u, out.v);
  return out;
}

}  // namespace

bool MakeYuvToRgb(const double matrix[9], const double bias[3], YuvToRgb* out) {
  const double luma = matrix[0];
  if (bias[1] != 128 || bias[2] != 128 || bias[0] < 0 || bias[0] > 64 || luma < 0 || luma > 1.5) return false;
  if (!IntoWord(luma, 16384, &out->luma) || !IntoWord((128 - bias[0]) * luma - 128 + 0.5, 128, &out->offset))
    return false;
  for (int row = 0; row < 3; ++row) {
    const double* const m = matrix + 3 * row;
    const double scale = row == 2 ? 8192 : 16384, most = row == 2 ? 3.9 : 1.95;
    if (m[0] != luma || std::abs(m[1]) + std::abs(m[2]) > most) return false;
    if (!IntoWord(m[1], scale, &out->u[row]) || !IntoWord(m[2], scale, &out->v[row])) return false;
  }
  return true;
}

void YuvToRgbRow(const YuvToRgb& by, const std::uint8_t* y, const std::uint8_t* u, const std::uint8_t* v,
                 std::size_t count, std::uint8_t* r, std::uint8_t* g, std::uint8_t* b) {
  std::uint8_t* const out[] = {r, g, b};
  for (std::size_t i = HWY_DYNAMIC_DISPATCH(SingleColors)(by, y, u, v, count, out); i < count; ++i)
    for (int c = 0; c < 3; ++c)
      out[c][i] = OneColor(by, y[i], u[i], v[i], c);
}

void PairedRowsToRgb(const YuvToRgb& given, const PairedRows& rows, bool b_first, bool v_first) {
  const YuvToRgb by = v_first ? WithPairsSwapped(given) : given;
  for (std::size_t i = HWY_DYNAMIC_DISPATCH(PairedColors)(by, rows, b_first); i < rows.count; ++i) {
    const std::uint8_t* const pair = rows.pairs + i / 2 * 2;
    OneRgb(by, rows.first[i], pair, b_first, rows.first_out + 3 * i);
    if (rows.second != nullptr) OneRgb(by, rows.second[i], pair, b_first, rows.second_out + 3 * i);
  }
}

ColorMix MakeColorMix(const double matrix[9], const double bias_before[3], const double bias_after[3]) {
  constexpr double kOne = 65536;
  ColorMix out{};
  for (int row = 0; row < 3; ++row) {
    double sum = 0, offset = bias_after[row] + 0.5;
    std::int32_t rounded = 0;
    int largest = 0;
    for (int column = 0; column < 3; ++column) {
      const double value = matrix[3 * row + column];
      const auto number = static_cast<std::int32_t>(std::nearbyint(std::clamp(value, -8., 8.) * kOne));
      out.matrix[3 * row + column] = number;
      rounded += number;
      sum += value;
      offset -= value * bias_before[column];
      if (std::abs(value) > std::abs(matrix[3 * row + largest])) largest = column;
    }
    // White stays white, grey stays grey.
    const auto wanted = static_cast<std::int32_t>(std::nearbyint(std::clamp(sum, -8., 8.) * kOne));
    if (std::abs(wanted - rounded) <= 2) out.matrix[3 * row + largest] += wanted - rounded;
    out.bias[row] = static_cast<std::int32_t>(std::nearbyint(std::clamp(offset, -4096., 4096.) * kOne));
  }
  return out;
}

void MixColorRow(const ColorMix& by, const std::uint8_t* const in[3], std::size_t count,
                 std::uint8_t* const out[3]) {
  for (std::size_t i = HWY_DYNAMIC_DISPATCH(MixedColors)(by, in, count, out); i < count; ++i)
    for (int row = 0; row < 3; ++row) {
      const std::int32_t* const m = by.matrix + 3 * row;
      const std::int32_t sum = m[0] * in[0][i] + m[1] * in[1][i] + m[2] * in[2][i] + by.bias[row];
      out[row][i] = static_cast<std::uint8_t>(std::clamp(sum >> 16, 0, 255));
    }
}

}  // namespace foothold
#endif
