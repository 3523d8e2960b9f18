// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/gemm.h"

#include <algorithm>
#include <type_traits>

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm.cpp"
#endif
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which they need.
#include "kernels/gemm_finish-inl.h"
#include "kernels/narrow_words-inl.h"

#ifndef FOOTHOLD_KERNELS_GEMM_SHARED
#define FOOTHOLD_KERNELS_GEMM_SHARED
namespace foothold {
namespace {

constexpr std::size_t kTileRows = 6;

// Where a tile goes; `row` and `column` are its place in the block.
struct TilePlace {
  float* out;
  std::size_t stride;
  bool accumulate;
  const GemmEpilogue* finish;
  std::size_t row, column;
  const float* next;  // what the tiles after this one will read: fetched ahead, `next_step` each time
  std::size_t next_step;
  bool activates;  // the activation takes more than limits
};

}  // namespace
}  // namespace foothold
#endif

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

// A tile on its way into the output.
struct TileAside {
  HWY_ALIGN float sums[kTileRows * 2 * hn::MaxLanes(Floats())];
};

// `aside`: for what is to be activated.
HWY_INLINE void StoreRow(Floats d, FloatVec first, FloatVec second, const TilePlace& place, std::size_t row,
                         float* aside) {
  const std::size_t lanes = hn::Lanes(d);
  float* out = place.out + row * place.stride;
  if (place.accumulate) {
    first = hn::Add(first, hn::LoadU(d, out));
    second = hn::Add(second, hn::LoadU(d, out + lanes));
  }
  if (place.finish != nullptr) {
    first = Finish(d, first, *place.finish, {place.row + row, place.column, place.stride});
    second = Finish(d, second, *place.finish, {place.row + row, place.column + lanes, place.stride});
  }
  if (place.activates) out = aside + row * 2 * lanes;
  hn::StoreU(first, d, out);
  hn::StoreU(second, d, out + lanes);
}

// Where rows of the output lie a power of two apart, they meet in few sets of the caches: a second look at
// what was stored there would cost more than the activation itself.
HWY_NOINLINE void ActivateTile(const TilePlace& place, std::size_t rows, float* aside) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  Activate(d, place.finish->activation, aside, rows * 2 * lanes);
  for (std::size_t row = 0; row < rows; ++row) {
    hn::StoreU(hn::Load(d, aside + row * 2 * lanes), d, place.out + row * place.stride);
    hn::StoreU(hn::Load(d, aside + row * 2 * lanes + lanes), d, place.out + row * place.stride + lanes);
  }
}

// Twelve named accumulators: vectors whose size only the CPU knows cannot be in an array.
template <std::size_t kRows, typename Weight>
HWY_INLINE void ComputeTile(const float* HWY_RESTRICT left, const Weight* HWY_RESTRICT right,
                            std::size_t depth, const TilePlace& place) {
  constexpr bool kNarrow = std::is_same_v<Weight, std::uint32_t>;
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  auto a0 = zero, b0 = zero, a1 = zero, b1 = zero, a2 = zero, b2 = zero;
  auto a3 = zero, b3 = zero, a4 = zero, b4 = zero, a5 = zero, b5 = zero;
  const float* next = place.next;
  for (std::size_t row = 0; row < kRows; ++row)
    hwy::Prefetch(place.out + row * place.stride);
  const auto step = [&](const float* factors, FloatVec x, FloatVec y) HWY_ATTR {
    const auto add = [&](std::size_t row, FloatVec& a, FloatVec& b) HWY_ATTR {
      const auto factor = hn::Set(d, factors[row]);
      a = hn::MulAdd(factor, x, a);
      b = hn::MulAdd(factor, y, b);
    };
    add(0, a0, b0);
    if constexpr (kRows > 1) add(1, a1, b1);
    if constexpr (kRows > 2) add(2, a2, b2);
    if constexpr (kRows > 3) add(3, a3, b3);
    if constexpr (kRows > 4) add(4, a4, b4);
    if constexpr (kRows > 5) add(5, a5, b5);
  };
  const auto two_steps = [&](const float* factors, const Weight* HWY_RESTRICT columns) HWY_ATTR {
    if constexpr (kNarrow) {
      const auto wide = LoadNarrow(d, columns);
      step(factors, wide.a, wide.b);
      step(factors + kTileRows, wide.c, wide.d);
    } else {
      step(factors, hn::LoadU(d, columns), hn::LoadU(d, columns + lanes));
      step(factors + kTileRows, hn::LoadU(d, columns + 2 * lanes), hn::LoadU(d, columns + 3 * lanes));
    }
  };
  const std::size_t two = (kNarrow ? 3 : 4) * lanes;  // steps of the right operand
  std::size_t k = 0;  // by four: the loop itself and fetching ahead took a tenth of the time
  for (; k + 4 <= depth; k += 4, left += 4 * kTileRows, right += 2 * two, next += 4 * place.next_step) {
    hwy::Prefetch(next);
    for (std::size_t line = 1; line < 4 && place.next_step > 4; ++line)  // few tiles: whole lines each time
      hwy::Prefetch(next + line * place.next_step);
    two_steps(left, right);
    two_steps(left + 2 * kTileRows, right + two);
  }
  if (k + 2 <= depth) {
    two_steps(left, right);
    k += 2, left += 2 * kTileRows, right += two;
  }
  if (k < depth) {
    if constexpr (kNarrow) {
      const auto wide = LoadNarrow(d, right);
      step(left, wide.a, wide.b);
    } else {
      step(left, hn::LoadU(d, right), hn::LoadU(d, right + lanes));
    }
  }
  TileAside aside;
  StoreRow(d, a0, b0, place, 0, aside.sums);
  if constexpr (kRows > 1) StoreRow(d, a1, b1, place, 1, aside.sums);
  if constexpr (kRows > 2) StoreRow(d, a2, b2, place, 2, aside.sums);
  if constexpr (kRows > 3) StoreRow(d, a3, b3, place, 3, aside.sums);
  if constexpr (kRows > 4) StoreRow(d, a4, b4, place, 4, aside.sums);
  if constexpr (kRows > 5) StoreRow(d, a5, b5, place, 5, aside.sums);
  if (place.activates) ActivateTile(place, kRows, aside.sums);
}

template <typename Weight>
HWY_NOINLINE void ComputeRows(std::size_t rows, const float* left, const Weight* right, std::size_t depth,
                              const TilePlace& place) {
  switch (rows) {
    case 6:
      return ComputeTile<6>(left, right, depth, place);
    case 5:
      return ComputeTile<5>(left, right, depth, place);
    case 4:
      return ComputeTile<4>(left, right, depth, place);
    case 3:
      return ComputeTile<3>(left, right, depth, place);
    case 2:
      return ComputeTile<2>(left, right, depth, place);
    default:
      return ComputeTile<1>(left, right, depth, place);
  }
}

// A tile that reaches past the last column is computed aside.
template <typename Weight>
HWY_NOINLINE void ComputeEdge(std::size_t rows, std::size_t columns, const float* left, const Weight* right,
                              std::size_t depth, const TilePlace& place) {
  HWY_ALIGN float aside[kTileRows * 2 * hn::MaxLanes(Floats())];
  const std::size_t stride = 2 * hn::Lanes(Floats());
  ComputeRows(rows, left, right, depth,
              {aside, stride, false, nullptr, 0, 0, place.next, place.next_step, false});
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      float& out = place.out[i * place.stride + j];
      const float sum = place.accumulate ? out + aside[i * stride + j] : aside[i * stride + j];
      out = place.finish == nullptr
                ? sum
                : FinishOne(sum, *place.finish, {place.row + i, place.column + j, place.stride});
    }
  }
}

template <typename Weight>
HWY_INLINE void ComputeBlock(const GemmBlock& block) {
  const std::size_t width = 2 * hn::Lanes(Floats());
  const std::size_t tiles = (block.rows + kTileRows - 1) / kTileRows;
  // All tiles of a panel together fetch the next one.
  const std::size_t step = (width * (block.right_is_narrow ? 3 : 4) / 4 + tiles - 1) / tiles;
  const bool activates = block.finish != nullptr && block.finish->activation.kind != Activation::kClip;
  const float* right = block.right;
  for (std::size_t j = 0; j < block.columns; j += width, right += block.right_panel) {
    const std::size_t columns = std::min(width, block.columns - j);
    const float* next = j + width < block.columns ? right + block.right_panel : right;
    const float* left = block.left;
    const auto* weights = reinterpret_cast<const Weight*>(right);
    for (std::size_t i = 0, rows; i < block.rows; i += rows, left += block.left_panel) {
      rows = NextTileRows(block.rows - i, kTileRows, block.left_rows);
      const TilePlace place{block.out + i * block.out_stride + j,
                            block.out_stride,
                            block.accumulate,
                            block.finish,
                            i,
                            j,
                            next,
                            step,
                            activates};
      next += step * block.depth;
      if (columns == width)
        ComputeRows(rows, left, weights, block.depth, place);
      else
        ComputeEdge(rows, columns, left, weights, block.depth, place);
    }
    if (!activates || columns == width) continue;
    for (std::size_t i = 0; i < block.rows; ++i)
      ActivateRow(block.finish->activation, block.out + i * block.out_stride + j, columns);
  }
}

void GemmBlockOf(const GemmBlock& block) {
  block.right_is_narrow ? ComputeBlock<std::uint32_t>(block) : ComputeBlock<float>(block);
}

std::size_t TileColumns() {
  return 2 * hn::Lanes(Floats());
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(GemmBlockOf);
HWY_EXPORT(TileColumns);
}  // namespace

GemmTile TileOfGemm() {
  static const GemmTile tile{kTileRows, HWY_DYNAMIC_DISPATCH(TileColumns)()};
  return tile;
}

void RunGemmBlock(const GemmBlock& block) {
  HWY_DYNAMIC_DISPATCH(GemmBlockOf)(block);
}

}  // namespace foothold
#endif
