// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/blocked_tiles.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/blocked_tiles.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/output_finish-inl.h"

#ifndef FOOTHOLD_KERNELS_BLOCKED_TILES_SHARED
#define FOOTHOLD_KERNELS_BLOCKED_TILES_SHARED
namespace foothold {
namespace {

alignas(64) constexpr float kZeros[64] = {};
constexpr std::size_t kFewTiles = 16;

// Where a tile is read and written.
struct TileSpot {
  const std::int32_t* offsets;
  const float* filter;
  const float* ahead;  // what to fetch of the next panel meanwhile, and how far for each product
  std::size_t ahead_step;
  const float* bias;      // or null
  const float* residual;  // or null
  float* out;
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

HWY_INLINE FloatVec Finished(Floats d, FloatVec sum, const BlockedTiles& tiles, const TileSpot& spot,
                             std::size_t block, std::size_t place) {
  if (spot.bias != nullptr) sum = hn::Add(sum, hn::LoadU(d, spot.bias + block * hn::Lanes(d)));
  if (spot.residual != nullptr) sum = hn::Add(sum, hn::LoadU(d, spot.residual + place));
  return Clip(d, sum, tiles.finish->activation);
}

template <std::size_t kBlocks>
HWY_INLINE void StorePixel(Floats d, FloatVec first, FloatVec second, const BlockedTiles& tiles,
                           const TileSpot& spot, std::size_t pixel) {
  const std::size_t place = pixel * tiles.pixel_step, other = place + tiles.block_step;
  if (tiles.accumulate) {
    first = hn::Add(first, hn::LoadU(d, spot.out + place));
    if constexpr (kBlocks > 1) second = hn::Add(second, hn::LoadU(d, spot.out + other));
  }
  if (tiles.finish != nullptr) {
    first = Finished(d, first, tiles, spot, 0, place);
    if constexpr (kBlocks > 1) second = Finished(d, second, tiles, spot, 1, other);
  }
  hn::StoreU(first, d, spot.out + place);
  if constexpr (kBlocks > 1) hn::StoreU(second, d, spot.out + other);
}

HWY_INLINE const float* SourceOf(const float* input, std::int32_t offset) {
  return offset < 0 ? kZeros : input + offset;
}

// Blocks lie too far apart for the hardware to see it coming.
HWY_INLINE void FetchNextTile(const float* tile) {
  for (std::size_t line = 0; line < 3; ++line)
    hwy::Prefetch(tile + line * 16);
}

// Twelve named accumulators: vectors whose size only the CPU knows cannot be in an array.
template <std::size_t kPixels, std::size_t kBlocks>
HWY_INLINE void ComputeTile(const BlockedTiles& tiles, const TileSpot& spot) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  auto a0 = zero, b0 = zero, a1 = zero, b1 = zero, a2 = zero, b2 = zero;
  auto a3 = zero, b3 = zero, a4 = zero, b4 = zero, a5 = zero, b5 = zero;
  const float* HWY_RESTRICT filter = spot.filter;
  const float* ahead = spot.ahead;
  const float* input = tiles.input;
  for (std::size_t block = 0; block < tiles.blocks; ++block, input += tiles.input_step) {
    const std::int32_t* at = spot.offsets;
    for (std::size_t tap = 0; tap < tiles.taps; ++tap, at += kTilePixels) {
      const float* p0 = SourceOf(input, at[0]);
      const float* p1 = kPixels > 1 ? SourceOf(input, at[1]) : p0;
      const float* p2 = kPixels > 2 ? SourceOf(input, at[2]) : p0;
      const float* p3 = kPixels > 3 ? SourceOf(input, at[3]) : p0;
      const float* p4 = kPixels > 4 ? SourceOf(input, at[4]) : p0;
      const float* p5 = kPixels > 5 ? SourceOf(input, at[5]) : p0;
      FetchNextTile(p0 + kTilePixels * tiles.lanes);
      for (std::size_t lane = 0; lane < tiles.lanes;
           ++lane, filter += kBlocks * lanes, ahead += spot.ahead_step) {
        hwy::Prefetch(ahead);
        const auto x = hn::LoadU(d, filter);
        const auto y = kBlocks > 1 ? hn::LoadU(d, filter + lanes) : x;
        const auto add = [&](const float* from, FloatVec& a, FloatVec& b) HWY_ATTR {
          const auto factor = hn::Set(d, from[lane]);
          a = hn::MulAdd(factor, x, a);
          if constexpr (kBlocks > 1) b = hn::MulAdd(factor, y, b);
        };
        add(p0, a0, b0);
        if constexpr (kPixels > 1) add(p1, a1, b1);
        if constexpr (kPixels > 2) add(p2, a2, b2);
        if constexpr (kPixels > 3) add(p3, a3, b3);
        if constexpr (kPixels > 4) add(p4, a4, b4);
        if constexpr (kPixels > 5) add(p5, a5, b5);
      }
    }
  }
  StorePixel<kBlocks>(d, a0, b0, tiles, spot, 0);
  if constexpr (kPixels > 1) StorePixel<kBlocks>(d, a1, b1, tiles, spot, 1);
  if constexpr (kPixels > 2) StorePixel<kBlocks>(d, a2, b2, tiles, spot, 2);
  if constexpr (kPixels > 3) StorePixel<kBlocks>(d, a3, b3, tiles, spot, 3);
  if constexpr (kPixels > 4) StorePixel<kBlocks>(d, a4, b4, tiles, spot, 4);
  if constexpr (kPixels > 5) StorePixel<kBlocks>(d, a5, b5, tiles, spot, 5);
}

template <std::size_t kBlocks>
HWY_NOINLINE void ComputePixels(std::size_t pixels, const BlockedTiles& tiles, const TileSpot& spot) {
  switch (pixels) {
    case 6:
      return ComputeTile<6, kBlocks>(tiles, spot);
    case 5:
      return ComputeTile<5, kBlocks>(tiles, spot);
    case 4:
      return ComputeTile<4, kBlocks>(tiles, spot);
    case 3:
      return ComputeTile<3, kBlocks>(tiles, spot);
    case 2:
      return ComputeTile<2, kBlocks>(tiles, spot);
    default:
      return ComputeTile<1, kBlocks>(tiles, spot);
  }
}

// What takes more than the limits of StorePixel, while the tile is in the first cache.
HWY_NOINLINE void ActivateTile(const BlockedTiles& tiles, float* out, std::size_t pixels,
                               std::size_t blocks) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t run = tiles.pixel_step == lanes ? pixels : 1;
  for (std::size_t block = 0; block < blocks; ++block)
    for (std::size_t pixel = 0; pixel < pixels; pixel += run)
      Activate(d, tiles.finish->activation, out + block * tiles.block_step + pixel * tiles.pixel_step,
               run * lanes);
}

void BlockedTilesOf(const BlockedTiles& tiles) {
  const std::size_t lanes = hn::Lanes(Floats());
  const bool activates = tiles.finish != nullptr && tiles.finish->activation.kind != Activation::kClip;
  for (std::size_t block = 0; block < tiles.out_blocks; block += kTileBlocks) {
    const std::size_t blocks = std::min(kTileBlocks, tiles.out_blocks - block);
    const float* panel =
        tiles.filter + block / kTileBlocks * tiles.filter_step + tiles.filter_begin * blocks * lanes;
    // Where few tiles use a panel, the next one must be on its way.
    const std::size_t passes = (tiles.pixels + kTilePixels - 1) / kTilePixels;
    const std::size_t ahead_step = passes <= kFewTiles ? (blocks * lanes + passes - 1) / passes : 0;
    const std::size_t ahead_pass = ahead_step * tiles.blocks * tiles.taps * tiles.lanes;
    const float* ahead = panel + (ahead_step == 0 ? 0 : tiles.filter_step);
    const std::int32_t* offsets = tiles.offsets;
    for (std::size_t pixel = 0; pixel < tiles.pixels;
         pixel += kTilePixels, offsets += kTilePixels * tiles.taps, ahead += ahead_pass) {
      const std::size_t pixels = std::min(kTilePixels, tiles.pixels - pixel);
      const std::size_t place = block * tiles.block_step + pixel * tiles.pixel_step;
      TileSpot spot{offsets, panel, ahead, ahead_step, nullptr, nullptr, tiles.out + place};
      if (tiles.finish != nullptr) {
        if (tiles.finish->bias != nullptr) spot.bias = tiles.finish->bias + block * lanes;
        if (tiles.finish->residual != nullptr) spot.residual = tiles.finish->residual + place;
      }
      if (blocks > 1)
        ComputePixels<2>(pixels, tiles, spot);
      else
        ComputePixels<1>(pixels, tiles, spot);
      if (activates) ActivateTile(tiles, spot.out, pixels, blocks);
    }
  }
}

std::size_t TileLanes() {
  return hn::Lanes(Floats());
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(BlockedTilesOf);
HWY_EXPORT(TileLanes);
}  // namespace

std::size_t BlockedTileLanes() {
  static const std::size_t lanes = HWY_DYNAMIC_DISPATCH(TileLanes)();
  return lanes;
}

void RunBlockedTiles(const BlockedTiles& tiles) {
  HWY_DYNAMIC_DISPATCH(BlockedTilesOf)(tiles);
}

}  // namespace foothold
#endif
