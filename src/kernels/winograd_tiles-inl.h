// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The walk over the tiles of an image that Winograd's method transforms, whatever the vectors hold; included
// once per target.
#if defined(FOOTHOLD_KERNELS_WINOGRAD_TILES) == defined(HWY_TARGET_TOGGLE)
#ifdef FOOTHOLD_KERNELS_WINOGRAD_TILES
#undef FOOTHOLD_KERNELS_WINOGRAD_TILES
#else
#define FOOTHOLD_KERNELS_WINOGRAD_TILES
#endif

#include "hwy/highway.h"
#include "kernels/winograd_transform.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A tile that reaches past the image, with zeros there.
template <std::size_t kReach, class D, class T = hn::TFromD<D>>
HWY_NOINLINE const T* FilledTile(D d, const ConvolutionShape& s, const T* plane, std::size_t row,
                                 std::size_t column, T* to) {
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t y = 0; y < kReach; ++y)
    for (std::size_t x = 0; x < kReach; ++x) {
      const std::size_t h = row + y - s.pad_top,
                        w = column + x - s.pad_left;  // before the first wraps around
      const bool inside = h < s.height && w < s.width;
      hn::StoreU(inside ? hn::LoadU(d, plane + (h * s.width + w) * lanes) : hn::Zero(d), d,
                 to + (y * kReach + x) * lanes);
    }
  return to;
}

// Transforms the input of tiles; Line::In does one line. Strides of `t` count lanes of 32 bits.
template <std::size_t kSide, class Line, class D, class T = hn::TFromD<D>>
HWY_INLINE void TransformTiles(D d, const WinogradTiles& t, const T* plane, T* transformed) {
  constexpr std::size_t kReach = kSide + 2, kPerLane = sizeof(float) / sizeof(T);
  const ConvolutionShape& s = *t.shape;
  const std::size_t lanes = hn::Lanes(d), place_stride = kPerLane * t.place_stride;
  HWY_ALIGN T filled[kReach * kReach * hn::MaxLanes(d)];
  HWY_ALIGN T half[kReach * kReach * hn::MaxLanes(d)];
  for (std::size_t i = 0; i < t.tiles; ++i, transformed += kPerLane * t.tile_stride) {
    const std::size_t row = (t.tile + i) / t.tile_columns * kSide,
                      column = (t.tile + i) % t.tile_columns * kSide;
    const bool whole = row >= s.pad_top && column >= s.pad_left && row - s.pad_top + kReach <= s.height &&
                       column - s.pad_left + kReach <= s.width;
    const T* from = whole ? plane + ((row - s.pad_top) * s.width + column - s.pad_left) * lanes
                          : FilledTile<kReach>(d, s, plane, row, column, filled);
    const std::size_t line = (whole ? s.width : kReach) * lanes;
    for (std::size_t x = 0; x < kReach; ++x)
      Line::In(from + x * lanes, line, half + x * lanes, kReach * lanes);
    for (std::size_t y = 0; y < kReach; ++y)
      Line::In(half + y * kReach * lanes, lanes, transformed + y * kReach * place_stride, place_stride);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#endif
