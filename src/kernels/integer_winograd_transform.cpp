// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/integer_winograd_transform.h"

#include <algorithm>

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/integer_winograd_transform.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/integer_pairs-inl.h"
#include "kernels/winograd_tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using Wide = hn::RebindToSigned<Floats>;

#if HWY_TARGET == HWY_SCALAR

// No vector holds a pair; the pass that makes integer networks asks for one.
void IntegerInputOf(const WinogradTiles&, const float*, float*) {}
void IntegerOutputOf(const WinogradTiles&, const float*, bool, const std::int32_t*, const IntegerFinish&,
                     std::int16_t*) {}

#else

using Narrow = hn::Repartition<std::int16_t, Floats>;
using NarrowVec = hn::Vec<Narrow>;
using WideVec = hn::Vec<Wide>;

// One line of a tile, from and to vectors that lie `from_step` and `to_step` numbers apart.
template <std::size_t kSide>
struct IntegerLine;

template <>
struct IntegerLine<4> {
  static HWY_INLINE void In(const std::int16_t* from, std::size_t from_step, std::int16_t* to,
                            std::size_t to_step) {
    const Narrow d;
    const auto four = [](NarrowVec v) HWY_ATTR { return hn::ShiftLeft<2>(v); };
    const auto x0 = hn::LoadU(d, from), x1 = hn::LoadU(d, from + from_step);
    const auto x2 = hn::LoadU(d, from + 2 * from_step), x3 = hn::LoadU(d, from + 3 * from_step);
    const auto x4 = hn::LoadU(d, from + 4 * from_step), x5 = hn::LoadU(d, from + 5 * from_step);
    const auto a = hn::Sub(x4, four(x2)), b = hn::Sub(x3, four(x1));
    const auto c = hn::Sub(x4, x2), odd = hn::Sub(x3, x1);
    const auto e = hn::Add(odd, odd);
    hn::StoreU(hn::Add(four(hn::Sub(x0, x2)), c), d, to);
    hn::StoreU(hn::Add(a, b), d, to + to_step);
    hn::StoreU(hn::Sub(a, b), d, to + 2 * to_step);
    hn::StoreU(hn::Add(c, e), d, to + 3 * to_step);
    hn::StoreU(hn::Sub(c, e), d, to + 4 * to_step);
    hn::StoreU(hn::Add(hn::Sub(four(hn::Sub(x1, x3)), x3), x5), d, to + 5 * to_step);
  }
  // 24 times what it is with fractions.
  static HWY_INLINE void Out(const std::int32_t* from, std::size_t from_step, std::int32_t* to,
                             std::size_t to_step) {
    const Wide d;
    const auto m0 = hn::LoadU(d, from), m1 = hn::LoadU(d, from + from_step);
    const auto m2 = hn::LoadU(d, from + 2 * from_step), m3 = hn::LoadU(d, from + 3 * from_step);
    const auto m4 = hn::LoadU(d, from + 4 * from_step), m5 = hn::LoadU(d, from + 5 * from_step);
    const auto a = hn::ShiftLeft<2>(hn::Add(m1, m2)), b = hn::ShiftLeft<2>(hn::Sub(m1, m2));
    const auto c = hn::Add(m3, m4), e = hn::Add(hn::Sub(m3, m4), hn::Sub(m3, m4));
    const auto twice = hn::Add(m0, m0);
    hn::StoreU(hn::Sub(hn::Add(hn::Add(twice, hn::Add(twice, twice)), c), a), d, to);
    hn::StoreU(hn::Sub(e, b), d, to + to_step);
    hn::StoreU(hn::Sub(hn::ShiftLeft<2>(c), a), d, to + 2 * to_step);
    const auto last = hn::ShiftLeft<3>(hn::Add(m5, hn::Add(m5, m5)));
    hn::StoreU(hn::Add(hn::Sub(hn::ShiftLeft<2>(e), b), last), d, to + 3 * to_step);
  }
  // 9 times 954437177 is 1 modulo 2^32.
  static HWY_INLINE WideVec Whole(WideVec sum) {
    return hn::ShiftRight<6>(hn::Mul(sum, hn::Set(Wide(), 954437177)));
  }
};

template <>
struct IntegerLine<2> {
  static HWY_INLINE void In(const std::int16_t* from, std::size_t from_step, std::int16_t* to,
                            std::size_t to_step) {
    const Narrow d;
    const auto x0 = hn::LoadU(d, from), x1 = hn::LoadU(d, from + from_step);
    const auto x2 = hn::LoadU(d, from + 2 * from_step), x3 = hn::LoadU(d, from + 3 * from_step);
    hn::StoreU(hn::Sub(x0, x2), d, to);
    hn::StoreU(hn::Add(x1, x2), d, to + to_step);
    hn::StoreU(hn::Sub(x2, x1), d, to + 2 * to_step);
    hn::StoreU(hn::Sub(x1, x3), d, to + 3 * to_step);
  }
  // Twice what it is with fractions.
  static HWY_INLINE void Out(const std::int32_t* from, std::size_t from_step, std::int32_t* to,
                             std::size_t to_step) {
    const Wide d;
    const auto m0 = hn::LoadU(d, from), m1 = hn::LoadU(d, from + from_step);
    const auto m2 = hn::LoadU(d, from + 2 * from_step), m3 = hn::LoadU(d, from + 3 * from_step);
    hn::StoreU(hn::Add(hn::Add(m0, m0), hn::Add(m1, m2)), d, to);
    hn::StoreU(hn::Sub(hn::Sub(m1, m2), hn::Add(m3, m3)), d, to + to_step);
  }
  static HWY_INLINE WideVec Whole(WideVec sum) { return hn::ShiftRight<2>(sum); }
};

// One vector of channels, half of a block of the output.
struct OutputHalf {
  const std::int32_t* products;
  const std::int32_t* bias;  // or null
  const float* scales;
  const std::int16_t* residual;  // or null
  std::int16_t* plane;
  bool alone;  // the other half is filled with zeros
};

void ClearOtherHalf(std::size_t pixels, std::int16_t* half) {
  const hn::Rebind<std::int16_t, Floats> d;
  for (std::size_t i = 0; i < pixels; ++i)
    hn::StoreU(hn::Zero(d), d, half + (2 * i + 1) * hn::Lanes(d));
}

template <std::size_t kSide>
HWY_NOINLINE void IntegerOutputTiles(const WinogradTiles& t, const IntegerFinish& finish, OutputHalf o) {
  constexpr std::size_t kReach = kSide + 2;
  const ConvolutionShape& s = *t.shape;
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN std::int32_t half[kSide * kReach * hn::MaxLanes(Wide())];
  HWY_ALIGN std::int32_t line[kSide * hn::MaxLanes(Wide())];
  const auto bias = o.bias == nullptr ? hn::Zero(d) : hn::LoadU(d, o.bias);
  const auto scales = hn::LoadU(Floats(), o.scales);
  for (std::size_t i = 0; i < t.tiles; ++i, o.products += t.tile_stride) {
    const std::size_t row = (t.tile + i) / t.tile_columns * kSide,
                      column = (t.tile + i) % t.tile_columns * kSide;
    for (std::size_t x = 0; x < kReach; ++x)
      IntegerLine<kSide>::Out(o.products + x * t.place_stride, kReach * t.place_stride, half + x * lanes,
                              kReach * lanes);
    const std::size_t rows = std::min(kSide, s.out_height - row);
    const std::size_t columns = std::min(kSide, s.out_width - column);
    for (std::size_t y = 0; y < rows; ++y) {
      IntegerLine<kSide>::Out(half + y * kReach * lanes, lanes, line, lanes);
      for (std::size_t x = 0; x < kSide; ++x)
        hn::StoreU(hn::Add(IntegerLine<kSide>::Whole(hn::LoadU(d, line + x * lanes)), bias), d,
                   line + x * lanes);
      const std::size_t place = ((row + y) * s.out_width + column) * 2 * lanes;
      FinishPixels(Floats(), finish, scales, o.residual == nullptr ? nullptr : o.residual + place, line,
                   columns, o.plane + place);
      if (o.alone) ClearOtherHalf(columns, o.plane + place);
    }
  }
}

void IntegerInputOf(const WinogradTiles& tiles, const float* plane, float* transformed) {
  const auto* from = reinterpret_cast<const std::int16_t*>(plane);
  auto* to = reinterpret_cast<std::int16_t*>(transformed);
  const Narrow d;
  tiles.side == 4 ? TransformTiles<4, IntegerLine<4> >(d, tiles, from, to)
                  : TransformTiles<2, IntegerLine<2> >(d, tiles, from, to);
}

void IntegerOutputOf(const WinogradTiles& tiles, const float* products, bool second, const std::int32_t* bias,
                     const IntegerFinish& finish, std::int16_t* plane) {
  const std::size_t lanes = hn::Lanes(Wide());
  const auto run = tiles.side == 4 ? IntegerOutputTiles<4> : IntegerOutputTiles<2>;
  OutputHalf half{
      reinterpret_cast<const std::int32_t*>(products), bias, finish.scales, finish.residual, plane, !second};
  run(tiles, finish, half);
  if (!second) return;
  half.products += lanes;
  half.scales += lanes;
  half.plane += lanes;
  if (half.bias != nullptr) half.bias += lanes;
  if (half.residual != nullptr) half.residual += lanes;
  run(tiles, finish, half);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(IntegerInputOf);
HWY_EXPORT(IntegerOutputOf);
}  // namespace

void TransformIntegerInput(const WinogradTiles& tiles, const float* plane, float* transformed) {
  HWY_DYNAMIC_DISPATCH(IntegerInputOf)(tiles, plane, transformed);
}

void TransformIntegerOutput(const WinogradTiles& tiles, const float* products, bool second,
                            const std::int32_t* bias, const IntegerFinish& finish, std::int16_t* plane) {
  HWY_DYNAMIC_DISPATCH(IntegerOutputOf)(tiles, products, second, bias, finish, plane);
}

}  // namespace foothold
#endif
