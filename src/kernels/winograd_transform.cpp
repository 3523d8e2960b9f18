// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/winograd_transform.h"

#include <algorithm>

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/winograd_transform.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/output_finish-inl.h"
#include "kernels/winograd_tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;

// One line of a tile, from and to vectors that lie `from_step` and `to_step` floats apart.
template <std::size_t kSide>
struct Line;

template <>
struct Line<4> {
  static HWY_INLINE void In(const float* from, std::size_t from_step, float* to, std::size_t to_step) {
    const Floats d;
    const auto four = hn::Set(d, 4.0f), five = hn::Set(d, 5.0f);
    const auto x0 = hn::LoadU(d, from), x1 = hn::LoadU(d, from + from_step);
    const auto x2 = hn::LoadU(d, from + 2 * from_step), x3 = hn::LoadU(d, from + 3 * from_step);
    const auto x4 = hn::LoadU(d, from + 4 * from_step), x5 = hn::LoadU(d, from + 5 * from_step);
    const auto a = hn::NegMulAdd(four, x2, x4), b = hn::NegMulAdd(four, x1, x3);
    const auto c = hn::Sub(x4, x2), odd = hn::Sub(x3, x1);
    const auto e = hn::Add(odd, odd);
    hn::StoreU(hn::MulAdd(four, x0, hn::NegMulAdd(five, x2, x4)), d, to);
    hn::StoreU(hn::Add(a, b), d, to + to_step);
    hn::StoreU(hn::Sub(a, b), d, to + 2 * to_step);
    hn::StoreU(hn::Add(c, e), d, to + 3 * to_step);
    hn::StoreU(hn::Sub(c, e), d, to + 4 * to_step);
    hn::StoreU(hn::MulAdd(four, x1, hn::NegMulAdd(five, x3, x5)), d, to + 5 * to_step);
  }
  static HWY_INLINE void Out(const float* from, std::size_t from_step, float* to, std::size_t to_step) {
    const Floats d;
    const auto m0 = hn::LoadU(d, from), m1 = hn::LoadU(d, from + from_step);
    const auto m2 = hn::LoadU(d, from + 2 * from_step), m3 = hn::LoadU(d, from + 3 * from_step);
    const auto m4 = hn::LoadU(d, from + 4 * from_step), m5 = hn::LoadU(d, from + 5 * from_step);
    const auto a = hn::Add(m1, m2), b = hn::Sub(m1, m2), c = hn::Add(m3, m4), e = hn::Sub(m3, m4);
    hn::StoreU(hn::Add(m0, hn::Add(a, c)), d, to);
    hn::StoreU(hn::MulAdd(hn::Set(d, 2.0f), e, b), d, to + to_step);
    hn::StoreU(hn::MulAdd(hn::Set(d, 4.0f), c, a), d, to + 2 * to_step);
    hn::StoreU(hn::Add(hn::MulAdd(hn::Set(d, 8.0f), e, b), m5), d, to + 3 * to_step);
  }
};

template <>
struct Line<2> {
  static HWY_INLINE void In(const float* from, std::size_t from_step, float* to, std::size_t to_step) {
    const Floats d;
    const auto x0 = hn::LoadU(d, from), x1 = hn::LoadU(d, from + from_step);
    const auto x2 = hn::LoadU(d, from + 2 * from_step), x3 = hn::LoadU(d, from + 3 * from_step);
    hn::StoreU(hn::Sub(x0, x2), d, to);
    hn::StoreU(hn::Add(x1, x2), d, to + to_step);
    hn::StoreU(hn::Sub(x2, x1), d, to + 2 * to_step);
    hn::StoreU(hn::Sub(x1, x3), d, to + 3 * to_step);
  }
  static HWY_INLINE void Out(const float* from, std::size_t from_step, float* to, std::size_t to_step) {
    const Floats d;
    const auto m0 = hn::LoadU(d, from), m1 = hn::LoadU(d, from + from_step);
    const auto m2 = hn::LoadU(d, from + 2 * from_step), m3 = hn::LoadU(d, from + 3 * from_step);
    hn::StoreU(hn::Add(m0, hn::Add(m1, m2)), d, to);
    hn::StoreU(hn::Sub(hn::Sub(m1, m2), m3), d, to + to_step);
  }
};

HWY_INLINE void StoreLine(const float* line, std::size_t columns, hn::Vec<Floats> bias,
                          const OutputFinish& finish, std::size_t place, float* plane) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t x = 0; x < columns; ++x) {
    auto sum = hn::Add(hn::LoadU(d, line + x * lanes), bias);
    if (finish.residual != nullptr) sum = hn::Add(sum, hn::LoadU(d, finish.residual + place + x * lanes));
    hn::StoreU(Clip(d, sum, finish.activation), d, plane + place + x * lanes);
  }
  Activate(d, finish.activation, plane + place, columns * lanes);
}

template <std::size_t kSide>
void OutputTiles(const WinogradTiles& t, const float* products, const OutputFinish& finish, float* plane) {
  constexpr std::size_t kReach = kSide + 2;
  const ConvolutionShape& s = *t.shape;
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN float half[kSide * kReach * hn::MaxLanes(Floats())];
  HWY_ALIGN float line[kSide * hn::MaxLanes(Floats())];
  const auto bias = finish.bias == nullptr ? hn::Zero(d) : hn::LoadU(d, finish.bias);
  for (std::size_t i = 0; i < t.tiles; ++i, products += t.tile_stride) {
    const std::size_t row = (t.tile + i) / t.tile_columns * kSide,
                      column = (t.tile + i) % t.tile_columns * kSide;
    for (std::size_t x = 0; x < kReach; ++x)
      Line<kSide>::Out(products + x * t.place_stride, kReach * t.place_stride, half + x * lanes,
                       kReach * lanes);
    const std::size_t rows = std::min(kSide, s.out_height - row);
    const std::size_t columns = std::min(kSide, s.out_width - column);
    for (std::size_t y = 0; y < rows; ++y) {
      Line<kSide>::Out(half + y * kReach * lanes, lanes, line, lanes);
      const std::size_t place = ((row + y) * s.out_width + column) * lanes;
      StoreLine(line, columns, bias, finish, place, plane);
    }
  }
}

void InputOf(const WinogradTiles& tiles, const float* plane, float* transformed) {
  const Floats d;
  tiles.side == 4 ? TransformTiles<4, Line<4>>(d, tiles, plane, transformed)
                  : TransformTiles<2, Line<2>>(d, tiles, plane, transformed);
}

void OutputOf(const WinogradTiles& tiles, const float* products, const OutputFinish& finish, float* plane) {
  tiles.side == 4 ? OutputTiles<4>(tiles, products, finish, plane)
                  : OutputTiles<2>(tiles, products, finish, plane);
}

// In double, rounded once: the factors of a filter are no powers of two.
using Doubles = hn::CappedTag<double, 8>;
using SomeFloats = hn::Rebind<float, Doubles>;

// One line of filters; `to` has side + 2 vectors, `step` apart.
template <std::size_t kSide>
HWY_INLINE void FilterLine(const double* g, std::size_t from_step, double* to, std::size_t step) {
  const Doubles d;
  const auto a = hn::LoadU(d, g), b = hn::LoadU(d, g + from_step), c = hn::LoadU(d, g + 2 * from_step);
  const auto even = hn::Add(a, c);
  if constexpr (kSide == 2) {
    const auto half = hn::Set(d, 0.5);
    hn::StoreU(a, d, to);
    hn::StoreU(hn::Mul(hn::Add(even, b), half), d, to + step);
    hn::StoreU(hn::Mul(hn::Sub(even, b), half), d, to + 2 * step);
    hn::StoreU(c, d, to + 3 * step);
  } else {
    const auto sixth = hn::Set(d, -1.0 / 6), other = hn::Mul(b, hn::Set(d, 1.0 / 12));
    const auto outer = hn::MulAdd(a, hn::Set(d, 1.0 / 24), hn::Mul(c, hn::Set(d, 1.0 / 6)));
    hn::StoreU(hn::Mul(a, hn::Set(d, 0.25)), d, to);
    hn::StoreU(hn::Mul(hn::Add(even, b), sixth), d, to + step);
    hn::StoreU(hn::Mul(hn::Sub(even, b), sixth), d, to + 2 * step);
    hn::StoreU(hn::Add(outer, other), d, to + 3 * step);
    hn::StoreU(hn::Sub(outer, other), d, to + 4 * step);
    hn::StoreU(c, d, to + 5 * step);
  }
}

// As many filters as a vector of doubles has lanes, from `first` on.
template <std::size_t kSide>
void SomeFilters(const WinogradFilters& filters, std::size_t first, float* transformed,
                 std::size_t place_stride) {
  constexpr std::size_t kReach = kSide + 2, kLanes = hn::MaxLanes(Doubles());
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN float given[9 * kLanes] = {};
  HWY_ALIGN double wide[9 * kLanes], half[kReach * 3 * kLanes], whole[kReach * kReach * kLanes];
  const std::size_t past = std::min(first + lanes, filters.count);
  for (std::size_t f = first; f < past; ++f) {
    const float* from = filters.data + f * filters.strides.out;
    for (std::size_t i = 0; i < 9; ++i) {
      const std::size_t place = filters.turned ? 8 - i : i;
      given[i * lanes + f - first] =
          from[place / 3 * filters.strides.row + place % 3 * filters.strides.column];
    }
  }
  for (std::size_t i = 0; i < 9; ++i)
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(SomeFloats(), given + i * lanes)), d, wide + i * lanes);
  for (std::size_t x = 0; x < 3; ++x)
    FilterLine<kSide>(wide + x * lanes, 3 * lanes, half + x * lanes, 3 * lanes);
  for (std::size_t y = 0; y < kReach; ++y)
    FilterLine<kSide>(half + y * 3 * lanes, lanes, whole + y * kReach * lanes, lanes);
  for (std::size_t i = 0; i < kReach * kReach; ++i)
    hn::StoreU(hn::DemoteTo(SomeFloats(), hn::LoadU(d, whole + i * lanes)), SomeFloats(),
               transformed + i * place_stride);
}

void FiltersOf(std::size_t side, const WinogradFilters& filters, float* transformed,
               std::size_t place_stride) {
  const std::size_t step = hn::Lanes(Doubles());
  for (std::size_t f = 0; f < hn::Lanes(Floats()); f += step)
    side == 4 ? SomeFilters<4>(filters, f, transformed + f, place_stride)
              : SomeFilters<2>(filters, f, transformed + f, place_stride);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(InputOf);
HWY_EXPORT(OutputOf);
HWY_EXPORT(FiltersOf);
}  // namespace

void TransformWinogradInput(const WinogradTiles& tiles, const float* plane, float* transformed) {
  HWY_DYNAMIC_DISPATCH(InputOf)(tiles, plane, transformed);
}

void TransformWinogradOutput(const WinogradTiles& tiles, const float* products, const OutputFinish& finish,
                             float* plane) {
  HWY_DYNAMIC_DISPATCH(OutputOf)(tiles, products, finish, plane);
}

void TransformWinogradFilters(std::size_t side, const WinogradFilters& filters, float* transformed,
                              std::size_t place_stride) {
  HWY_DYNAMIC_DISPATCH(FiltersOf)(side, filters, transformed, place_stride);
}

}  // namespace foothold
#endif
