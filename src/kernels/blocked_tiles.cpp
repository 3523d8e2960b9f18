// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/blocked_tiles.h"

#include <algorithm>

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/blocked_tiles.cpp"
#endif
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/integer_pairs-inl.h"
#include "kernels/output_finish-inl.h"

#ifndef FOOTHOLD_KERNELS_BLOCKED_TILES_SHARED
#define FOOTHOLD_KERNELS_BLOCKED_TILES_SHARED
namespace foothold {
namespace {

alignas(64) constexpr float kZeros[64] = {};
constexpr std::size_t kFewTiles = 16;
constexpr std::size_t kUnrolled = 8;  // products

// Where a tile is read and written.
struct TileSpot {
  const std::int32_t* offsets;
  const float* filter;
  const float* ahead;      // what to fetch of the next panel meanwhile,
  std::size_t ahead_step;  // and how much of it with kUnrolled products
  const float* bias;       // or null
  const float* residual;   // or null
  float* out;
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

// Blocks lie too far apart for the hardware to see it coming.
HWY_INLINE void FetchNextTile(const float* tile) {
  for (std::size_t line = 0; line < 3; ++line)
    hwy::Prefetch(tile + line * 16);
}

HWY_INLINE void FetchAhead(const TileSpot& spot, const float*& ahead) {
  for (std::size_t line = 0; line < spot.ahead_step; line += 16)
    hwy::Prefetch(ahead + line);
  ahead += spot.ahead_step;
}

// What is known of the products of a sum; a vector's lanes are known to the compiler on most targets.
enum class Reach {
  kSideBySide,  // one tap, blocks of a vector's lanes, pixels beside each other
  kEvenly,      // one tap, one block of a multiple of kUnrolled lanes, pixels at equal distances
  kBlocks,      // blocks of a vector's lanes
  kRuns,        // one block of any number of lanes
};

template <bool kPairs>
HWY_INLINE FloatVec AddProduct(Floats d, FloatVec factor, FloatVec x, FloatVec sum) {
  if constexpr (kPairs)
    return AddPairs(d, factor, x, sum);
  else
    return hn::MulAdd(factor, x, sum);
}

// The inputs of the pixels of a tile.
struct TileInputs {
  const float *p0, *p1, *p2, *p3, *p4, *p5;

  HWY_INLINE void Spread(const float* first, std::size_t distance) {
    p0 = first, p1 = p0 + distance, p2 = p1 + distance;
    p3 = p2 + distance, p4 = p3 + distance, p5 = p4 + distance;
  }
};

// Calls add(lane, count) for all lanes of a block.
template <class Add>
HWY_INLINE void AddLanes(const TileSpot& spot, const float*& ahead, std::size_t lanes, const Add& add) {
  std::size_t lane = 0;
  for (; lane + kUnrolled <= lanes; lane += kUnrolled) {
    FetchAhead(spot, ahead);
    add(lane, kUnrolled);
  }
  if (lanes & 4) add(lane, 4), lane += 4;
  if (lanes & 2) add(lane, 2), lane += 2;
  if (lanes & 1) add(lane, 1);
}

// The walks over the products of a sum set `inputs` and call add(lane, count) for `count` lanes of them, in
// the order of the filter.
template <class Add>
HWY_INLINE void WalkSideBySide(const BlockedTiles& tiles, const TileSpot& spot, TileInputs& inputs,
                               const Add& add) {
  const std::size_t lanes = hn::Lanes(Floats());
  const float* from = tiles.input + spot.offsets[0];
  const float* ahead = spot.ahead;
  const std::size_t whole = tiles.last_lanes == lanes ? tiles.blocks : tiles.blocks - 1;
  for (std::size_t block = 0; block < whole; ++block, from += tiles.input_step) {
    inputs.Spread(from, lanes);
    FetchNextTile(from + kTilePixels * lanes);
    AddLanes(spot, ahead, lanes, add);
  }
  if (whole == tiles.blocks) return;
  inputs.Spread(from, lanes);
  AddLanes(spot, ahead, tiles.last_lanes, add);
}

template <class Add>
HWY_INLINE void WalkEvenly(const BlockedTiles& tiles, const TileSpot& spot, TileInputs& inputs,
                           const Add& add) {
  const float* from = tiles.input + spot.offsets[0];
  const float* ahead = spot.ahead;
  for (std::size_t lane = 0; lane < tiles.lanes; lane += kUnrolled, from += kUnrolled) {
    inputs.Spread(from, tiles.distance);
    FetchAhead(spot, ahead);
    add(0, kUnrolled);
  }
}

// Steps from one block to the next; those outside the image stay with the zeros.
struct TileSteps {
  std::size_t s0, s1, s2, s3, s4, s5;
};

HWY_INLINE TileSteps StartTap(const BlockedTiles& tiles, const std::int32_t* at, TileInputs& inputs) {
  const float* input = tiles.input;
  const std::size_t step = tiles.input_step;
  TileSteps steps{step, step, step, step, step, step};
  inputs = {input + at[0], input + at[1], input + at[2], input + at[3], input + at[4], input + at[5]};
  if (HWY_LIKELY((at[0] | at[1] | at[2] | at[3] | at[4] | at[5]) >= 0)) return steps;
  const auto stay = [](std::int32_t offset, const float*& from, std::size_t& by) FOOTHOLD_INLINE_LAMBDA {
    if (offset < 0) from = kZeros, by = 0;
  };
  stay(at[0], inputs.p0, steps.s0), stay(at[1], inputs.p1, steps.s1), stay(at[2], inputs.p2, steps.s2);
  stay(at[3], inputs.p3, steps.s3), stay(at[4], inputs.p4, steps.s4), stay(at[5], inputs.p5, steps.s5);
  return steps;
}

// skip(count) leaves out products with channels that only fill the last block.
template <class Add, class Skip>
HWY_INLINE void WalkBlocks(const BlockedTiles& tiles, const TileSpot& spot, TileInputs& inputs,
                           const Add& add, const Skip& skip) {
  const std::size_t lanes = hn::Lanes(Floats());
  const std::size_t whole = tiles.last_lanes == lanes ? tiles.blocks : tiles.blocks - 1;
  const std::int32_t* at = spot.offsets;
  const float* ahead = spot.ahead;
  for (std::size_t tap = 0; tap < tiles.taps; ++tap, at += kTilePixels) {
    const TileSteps steps = StartTap(tiles, at, inputs);
    for (std::size_t block = 0; block < whole; ++block) {
      AddLanes(spot, ahead, lanes, add);
      inputs.p0 += steps.s0, inputs.p1 += steps.s1, inputs.p2 += steps.s2;
      inputs.p3 += steps.s3, inputs.p4 += steps.s4, inputs.p5 += steps.s5;
    }
    if (whole == tiles.blocks) continue;
    AddLanes(spot, ahead, tiles.last_lanes, add);
    skip(lanes - tiles.last_lanes);
  }
}

template <class Add>
HWY_INLINE void WalkRuns(const BlockedTiles& tiles, const TileSpot& spot, TileInputs& inputs,
                         const Add& add) {
  const std::int32_t* at = spot.offsets;
  const float* ahead = spot.ahead;
  for (std::size_t tap = 0; tap < tiles.taps; ++tap, at += kTilePixels) {
    StartTap(tiles, at, inputs);
    AddLanes(spot, ahead, tiles.lanes, add);
  }
}

// What the sums begin with, and what is done to them in the end: each(change) sets every sum to
// change(sum, its block, its place in the output).
template <std::size_t kBlocks, class Each>
HWY_INLINE void StartSums(const BlockedTiles& tiles, const TileSpot& spot, const Each& each) {
  const Floats d;
  if (tiles.accumulate)
    return each([&](FloatVec, std::size_t, std::size_t place)
                    FOOTHOLD_INLINE_LAMBDA { return hn::LoadU(d, spot.out + place); });
  if (spot.bias == nullptr) return;
  const auto first = hn::LoadU(d, spot.bias), second = hn::LoadU(d, spot.bias + (kBlocks - 1) * hn::Lanes(d));
  each([&](FloatVec, std::size_t block, std::size_t)
           FOOTHOLD_INLINE_LAMBDA { return block == 0 ? first : second; });
}

template <class Each>
HWY_INLINE void FinishSums(const BlockedTiles& tiles, const TileSpot& spot, const Each& each) {
  const Floats d;
  if (spot.residual != nullptr)
    each([&](FloatVec sum, std::size_t, std::size_t place)
             FOOTHOLD_INLINE_LAMBDA { return hn::Add(sum, hn::LoadU(d, spot.residual + place)); });
  if (tiles.finish != nullptr) {
    const ActivationSpec activation = tiles.finish->activation;
    each([&](FloatVec sum, std::size_t, std::size_t)
             FOOTHOLD_INLINE_LAMBDA { return Clip(d, sum, activation); });
  }
  each([&](FloatVec sum, std::size_t, std::size_t place) FOOTHOLD_INLINE_LAMBDA {
    hn::StoreU(sum, d, spot.out + place);
    return sum;
  });
}

// Six pixels of one or two blocks. Twelve named sums: vectors whose size only the CPU knows cannot be in an
// array.
template <std::size_t kPixels, std::size_t kBlocks, Reach kReach, bool kPairs>
HWY_INLINE void ComputeTile(const BlockedTiles& tiles, const TileSpot& spot) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  auto a0 = zero, b0 = zero, a1 = zero, b1 = zero, a2 = zero, b2 = zero;
  auto a3 = zero, b3 = zero, a4 = zero, b4 = zero, a5 = zero, b5 = zero;
  const auto each = [&](const auto& change) FOOTHOLD_INLINE_LAMBDA {
    const auto both = [&](FloatVec& a, FloatVec& b, std::size_t pixel) FOOTHOLD_INLINE_LAMBDA {
      if (pixel >= kPixels) return;
      a = change(a, 0, pixel * tiles.pixel_step);
      if constexpr (kBlocks > 1) b = change(b, 1, pixel * tiles.pixel_step + tiles.block_step);
    };
    both(a0, b0, 0), both(a1, b1, 1), both(a2, b2, 2), both(a3, b3, 3), both(a4, b4, 4), both(a5, b5, 5);
  };
  StartSums<kBlocks>(tiles, spot, each);
  TileInputs inputs;
  const float* HWY_RESTRICT filter = spot.filter;
  const auto add = [&](std::size_t lane, std::size_t count) FOOTHOLD_INLINE_LAMBDA {
    HWY_UNROLL(8)
    for (std::size_t i = 0; i < count; ++i, filter += kBlocks * lanes) {
      const auto x = hn::LoadU(d, filter), y = hn::LoadU(d, filter + (kBlocks - 1) * lanes);
      const auto to = [&](std::size_t pixel, const float* from, FloatVec& a, FloatVec& b)
                          FOOTHOLD_INLINE_LAMBDA {
                            if (pixel >= kPixels) return;
                            const auto factor = hn::Set(d, from[lane + i]);
                            a = AddProduct<kPairs>(d, factor, x, a);
                            if constexpr (kBlocks > 1) b = AddProduct<kPairs>(d, factor, y, b);
                          };
      to(0, inputs.p0, a0, b0), to(1, inputs.p1, a1, b1), to(2, inputs.p2, a2, b2);
      to(3, inputs.p3, a3, b3), to(4, inputs.p4, a4, b4), to(5, inputs.p5, a5, b5);
    }
  };
  const auto skip = [&](std::size_t count) FOOTHOLD_INLINE_LAMBDA { filter += count * kBlocks * lanes; };
  if constexpr (kReach == Reach::kSideBySide) WalkSideBySide(tiles, spot, inputs, add);
  if constexpr (kReach == Reach::kEvenly) WalkEvenly(tiles, spot, inputs, add);
  if constexpr (kReach == Reach::kBlocks) WalkBlocks(tiles, spot, inputs, add, skip);
  if constexpr (kReach == Reach::kRuns) WalkRuns(tiles, spot, inputs, add);
  FinishSums(tiles, spot, each);
}

// The pixels that are left over after whole tiles.
template <std::size_t kBlocks, Reach kReach, bool kPairs>
HWY_NOINLINE void ComputeRest(std::size_t pixels, BlockedTiles tiles, TileSpot spot) {
  switch (pixels) {
    case 5:
      return ComputeTile<5, kBlocks, kReach, kPairs>(tiles, spot);
    case 4:
      return ComputeTile<4, kBlocks, kReach, kPairs>(tiles, spot);
    case 3:
      return ComputeTile<3, kBlocks, kReach, kPairs>(tiles, spot);
    case 2:
      return ComputeTile<2, kBlocks, kReach, kPairs>(tiles, spot);
    case 1:
      return ComputeTile<1, kBlocks, kReach, kPairs>(tiles, spot);
  }
}

// On to the tile after `pixels`.
HWY_INLINE void Advance(const BlockedTiles& tiles, std::size_t pixels, TileSpot& spot) {
  spot.offsets += pixels * tiles.taps;
  spot.ahead += spot.ahead_step * tiles.blocks * tiles.taps * (tiles.lanes / kUnrolled);
  spot.out += pixels * tiles.pixel_step;
  if (spot.residual != nullptr) spot.residual += pixels * tiles.pixel_step;
}

// All pixels of one panel of the filter. Copies, because stores of vectors might change what is referred to.
template <std::size_t kBlocks, Reach kReach, bool kPairs>
HWY_NOINLINE void ComputePanel(BlockedTiles tiles, TileSpot spot) {
  std::size_t left = tiles.pixels;
  // A tile of one or two pixels waits for its own sums; with the last whole tile it becomes two that do not.
  constexpr bool kDivides = kReach == Reach::kSideBySide || kReach == Reach::kEvenly;
  constexpr std::size_t kHalf = 4, kStay = kDivides ? 2 * kHalf : kTilePixels - 1;
  for (; left > kStay || left == kTilePixels; left -= kTilePixels) {
    ComputeTile<kTilePixels, kBlocks, kReach, kPairs>(tiles, spot);
    Advance(tiles, kTilePixels, spot);
  }
  if (left > kTilePixels) {
    ComputeRest<kBlocks, kReach, kPairs>(kHalf, tiles, spot);
    Advance(tiles, kHalf, spot);
    left -= kHalf;
  }
  if (left > 0) ComputeRest<kBlocks, kReach, kPairs>(left, tiles, spot);
}

// The general loops serve processors without vectors, for which nothing is gained by the others.
template <std::size_t kBlocks, bool kPairs>
void ChooseGeneralPanel(const BlockedTiles& tiles, const TileSpot& spot) {
  if (tiles.lanes == hn::Lanes(Floats()))
    ComputePanel<kBlocks, Reach::kBlocks, kPairs>(tiles, spot);
  else
    ComputePanel<kBlocks, Reach::kRuns, kPairs>(tiles, spot);
}

template <std::size_t kBlocks, bool kPairs>
void ChoosePanel(const BlockedTiles& tiles, const TileSpot& spot) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  ChooseGeneralPanel<kBlocks, kPairs>(tiles, spot);
#else
  const std::size_t lanes = hn::Lanes(Floats());
  if (tiles.distance == lanes && tiles.lanes == lanes)
    ComputePanel<kBlocks, Reach::kSideBySide, kPairs>(tiles, spot);
  else if (tiles.distance > 0 && tiles.blocks == 1 && tiles.lanes % kUnrolled == 0)
    ComputePanel<kBlocks, Reach::kEvenly, kPairs>(tiles, spot);
  else
    ChooseGeneralPanel<kBlocks, kPairs>(tiles, spot);
#endif
}

// What takes more than limits, while the panel's outputs are in the first caches.
HWY_NOINLINE void ActivatePanel(const BlockedTiles& tiles, float* out, std::size_t blocks) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t run = tiles.pixel_step == lanes ? tiles.pixels : 1;
  for (std::size_t block = 0; block < blocks; ++block)
    for (std::size_t pixel = 0; pixel < tiles.pixels; pixel += run)
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
    const std::size_t ahead_step =
        passes <= kFewTiles ? (kUnrolled * blocks * lanes + passes - 1) / passes : 0;
    const float* ahead = panel + (ahead_step == 0 ? 0 : tiles.filter_step);
    const std::size_t place = block * tiles.block_step;
    TileSpot spot{tiles.offsets, panel, ahead, ahead_step, nullptr, nullptr, tiles.out + place};
    if (tiles.bias != nullptr) spot.bias = tiles.bias + block * lanes;
    if (tiles.finish != nullptr && tiles.finish->residual != nullptr)
      spot.residual = tiles.finish->residual + place;
    if (tiles.pairs)
      blocks > 1 ? ChoosePanel<2, true>(tiles, spot) : ChoosePanel<1, true>(tiles, spot);
    else
      blocks > 1 ? ChoosePanel<2, false>(tiles, spot) : ChoosePanel<1, false>(tiles, spot);
    if (activates) ActivatePanel(tiles, tiles.out + block * tiles.block_step, blocks);
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
