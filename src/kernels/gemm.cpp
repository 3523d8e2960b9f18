// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/gemm.h"

#include <algorithm>

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm.cpp"
#endif
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which they need.
#include "kernels/gemm_finish-inl.h"
#include "kernels/panel_load-inl.h"

// Left to itself, the compiler keeps what a lambda refers to in memory.
#undef FOOTHOLD_INLINE_LAMBDA
#define FOOTHOLD_INLINE_LAMBDA HWY_ATTR __attribute__((always_inline))

#ifndef FOOTHOLD_KERNELS_GEMM_SHARED
#define FOOTHOLD_KERNELS_GEMM_SHARED
namespace foothold {
namespace {

constexpr std::size_t kTileRows = 6;

// Of one panel of the left operand, and of the next one, if two are multiplied at a time.
struct TileRows {
  std::size_t first, second;
  std::size_t both() const { return first + second; }
};

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

// With 32 registers the sums of two tiles fit, and what is read of the right operand serves both.
constexpr bool kPairs = HWY_MAX_BYTES == 64 || HWY_ARCH_ARM_A64;
constexpr std::size_t kRowsAtOnce = (kPairs ? 2 : 1) * kTileRows;

// Tiles on their way into the output.
struct TileAside {
  HWY_ALIGN float sums[kRowsAtOnce * 2 * hn::MaxLanes(Floats())];
};

TileRows NextRows(std::size_t left, GemmRows division) {
  const std::size_t first = NextTileRows(left, kTileRows, division);
  return {first, kPairs && left > first ? NextTileRows(left - first, kTileRows, division) : 0};
}

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

// Named accumulators: vectors whose size only the CPU knows cannot be in an array. `kMore` rows of the next
// panel of the left operand, which begins at `more`, share what is loaded of the right one.
template <std::size_t kRows, std::size_t kMore, typename Weight>
HWY_INLINE void ComputeTile(const float* HWY_RESTRICT left, const float* HWY_RESTRICT more,
                            const Weight* HWY_RESTRICT right, std::size_t depth, const TilePlace& place) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  auto a0 = zero, b0 = zero, a1 = zero, b1 = zero, a2 = zero, b2 = zero;
  auto a3 = zero, b3 = zero, a4 = zero, b4 = zero, a5 = zero, b5 = zero;
  auto a6 = zero, b6 = zero, a7 = zero, b7 = zero, a8 = zero, b8 = zero;
  auto a9 = zero, b9 = zero, a10 = zero, b10 = zero, a11 = zero, b11 = zero;
  const float* next = place.next;
  for (std::size_t row = 0; row < kRows + kMore; ++row)
    hwy::Prefetch(place.out + row * place.stride);
  const auto step = [&](std::size_t at, FloatVec x, FloatVec y) FOOTHOLD_INLINE_LAMBDA {
    const auto add = [&](const float* from, FloatVec& a, FloatVec& b) FOOTHOLD_INLINE_LAMBDA {
      const auto factor = hn::Set(d, from[at]);
      a = hn::MulAdd(factor, x, a);
      b = hn::MulAdd(factor, y, b);
    };
    add(left, a0, b0);
    if constexpr (kRows > 1) add(left + 1, a1, b1);
    if constexpr (kRows > 2) add(left + 2, a2, b2);
    if constexpr (kRows > 3) add(left + 3, a3, b3);
    if constexpr (kRows > 4) add(left + 4, a4, b4);
    if constexpr (kRows > 5) add(left + 5, a5, b5);
    if constexpr (kMore > 0) add(more, a6, b6);
    if constexpr (kMore > 1) add(more + 1, a7, b7);
    if constexpr (kMore > 2) add(more + 2, a8, b8);
    if constexpr (kMore > 3) add(more + 3, a9, b9);
    if constexpr (kMore > 4) add(more + 4, a10, b10);
    if constexpr (kMore > 5) add(more + 5, a11, b11);
  };
  const auto two_steps = [&](std::size_t at, const Weight* HWY_RESTRICT columns) FOOTHOLD_INLINE_LAMBDA {
    if constexpr (kStepsTogether<Weight> == 2) {
      const auto wide = LoadNarrow(d, columns);
      step(at, wide.a, wide.b);
      step(at + kTileRows, wide.c, wide.d);
    } else {
      step(at, LoadRight(d, columns), LoadRight(d, columns + lanes));
      step(at + kTileRows, LoadRight(d, columns + 2 * lanes), LoadRight(d, columns + 3 * lanes));
    }
  };
  constexpr std::size_t kFour = 4 * kTileRows;
  const std::size_t two = kVectorsOfTwo<Weight> * lanes;  // steps of the right operand
  std::size_t k = 0;  // by four: the loop itself and fetching ahead took a tenth of the time
  for (; k + 4 <= depth;
       k += 4, left += kFour, more += kFour, right += 2 * two, next += 4 * place.next_step) {
    hwy::Prefetch(next);
    for (std::size_t line = 1; line < 4 && place.next_step > 4; ++line)  // few tiles: whole lines each time
      hwy::Prefetch(next + line * place.next_step);
    two_steps(0, right);
    two_steps(2 * kTileRows, right + two);
  }
  if (k + 2 <= depth) {
    two_steps(0, right);
    k += 2, left += 2 * kTileRows, more += 2 * kTileRows, right += two;
  }
  if (k < depth) {
    const auto [x, y] = LoadStep(d, right);
    step(0, x, y);
  }
  TileAside aside;
  const auto store = [&](std::size_t row, FloatVec a, FloatVec b)
                         FOOTHOLD_INLINE_LAMBDA { StoreRow(d, a, b, place, row, aside.sums); };
  store(0, a0, b0);
  if constexpr (kRows > 1) store(1, a1, b1);
  if constexpr (kRows > 2) store(2, a2, b2);
  if constexpr (kRows > 3) store(3, a3, b3);
  if constexpr (kRows > 4) store(4, a4, b4);
  if constexpr (kRows > 5) store(5, a5, b5);
  if constexpr (kMore > 0) store(kRows, a6, b6);
  if constexpr (kMore > 1) store(kRows + 1, a7, b7);
  if constexpr (kMore > 2) store(kRows + 2, a8, b8);
  if constexpr (kMore > 3) store(kRows + 3, a9, b9);
  if constexpr (kMore > 4) store(kRows + 4, a10, b10);
  if constexpr (kMore > 5) store(kRows + 5, a11, b11);
  if (place.activates) ActivateTile(place, kRows + kMore, aside.sums);
}

template <typename Weight>
HWY_NOINLINE void ComputeRows(std::size_t rows, const float* left, const Weight* right, std::size_t depth,
                              const TilePlace& place) {
  switch (rows) {
    case 6:
      return ComputeTile<6, 0>(left, left, right, depth, place);
    case 5:
      return ComputeTile<5, 0>(left, left, right, depth, place);
    case 4:
      return ComputeTile<4, 0>(left, left, right, depth, place);
    case 3:
      return ComputeTile<3, 0>(left, left, right, depth, place);
    case 2:
      return ComputeTile<2, 0>(left, left, right, depth, place);
    default:
      return ComputeTile<1, 0>(left, left, right, depth, place);
  }
}

// Two panels of the left operand; the first is a whole one, or has at most one row more than the second.
template <typename Weight>
HWY_NOINLINE void ComputePair(const TileRows& rows, const float* left, const float* more, const Weight* right,
                              std::size_t depth, const TilePlace& place) {
  if (rows.first == 4)
    return rows.second == 4 ? ComputeTile<4, 4>(left, more, right, depth, place)
                            : ComputeTile<4, 3>(left, more, right, depth, place);
  switch (rows.second) {
    case 6:
      return ComputeTile<6, 6>(left, more, right, depth, place);
    case 5:
      return ComputeTile<6, 5>(left, more, right, depth, place);
    case 4:
      return ComputeTile<6, 4>(left, more, right, depth, place);
    case 3:
      return ComputeTile<6, 3>(left, more, right, depth, place);
    case 2:
      return ComputeTile<6, 2>(left, more, right, depth, place);
    default:
      return ComputeTile<6, 1>(left, more, right, depth, place);
  }
}

template <typename Weight>
HWY_INLINE void ComputeTiles(const TileRows& rows, const float* left, std::size_t left_panel,
                             const Weight* right, std::size_t depth, const TilePlace& place) {
  if constexpr (kPairs)
    if (rows.second > 0) return ComputePair(rows, left, left + left_panel, right, depth, place);
  ComputeRows(rows.first, left, right, depth, place);
}

// Tiles that reach past the last column are computed aside.
template <typename Weight>
HWY_NOINLINE void ComputeEdge(const TileRows& rows, std::size_t columns, const float* left,
                              std::size_t left_panel, const Weight* right, std::size_t depth,
                              const TilePlace& place) {
  TileAside aside;
  const std::size_t stride = 2 * hn::Lanes(Floats());
  ComputeTiles(rows, left, left_panel, right, depth,
               {aside.sums, stride, false, nullptr, 0, 0, place.next, place.next_step, false});
  for (std::size_t i = 0; i < rows.both(); ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      float& out = place.out[i * place.stride + j];
      const float sum = place.accumulate ? out + aside.sums[i * stride + j] : aside.sums[i * stride + j];
      out = place.finish == nullptr
                ? sum
                : FinishOne(sum, *place.finish, {place.row + i, place.column + j, place.stride});
    }
  }
}

template <typename Weight>
HWY_INLINE void ComputeBlock(const GemmBlock& block) {
  const std::size_t width = 2 * hn::Lanes(Floats());
  const std::size_t tiles = (block.rows + kRowsAtOnce - 1) / kRowsAtOnce;
  // All tiles of a panel together fetch the next one.
  const std::size_t floats = kVectorsOfTwo<Weight> * hn::Lanes(Floats()) * sizeof(Weight) / sizeof(float) / 2;
  const std::size_t step = (floats + tiles - 1) / tiles;
  const bool activates = block.finish != nullptr && block.finish->activation.kind != Activation::kClip;
  const std::size_t panels = (block.columns + width - 1) / width;
  for (std::size_t panel = 0; panel < panels; ++panel) {
    const auto at = [&](std::size_t place) { return block.backwards ? panels - 1 - place : place; };
    const std::size_t j = at(panel) * width, columns = std::min(width, block.columns - j);
    const float* right = block.right + at(panel) * block.right_panel;
    const float* next = panel + 1 < panels ? block.right + at(panel + 1) * block.right_panel : right;
    const float* left = block.left;
    const auto* weights = reinterpret_cast<const Weight*>(right);
    for (std::size_t i = 0; i < block.rows;) {
      const TileRows rows = NextRows(block.rows - i, block.left_rows);
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
        ComputeTiles(rows, left, block.left_panel, weights, block.depth, place);
      else
        ComputeEdge(rows, columns, left, block.left_panel, weights, block.depth, place);
      i += rows.both();
      left += (rows.second > 0 ? 2 : 1) * block.left_panel;
    }
    if (!activates || columns == width) continue;
    for (std::size_t i = 0; i < block.rows; ++i)
      ActivateRow(block.finish->activation, block.out + i * block.out_stride + j, columns);
  }
}

void GemmBlockOf(const GemmBlock& block) {
  switch (block.right_form) {
    case PanelForm::kFloats:
      return ComputeBlock<float>(block);
    case PanelForm::kNarrow:
      return ComputeBlock<std::uint32_t>(block);
    case PanelForm::kHalves:
      return ComputeBlock<std::uint16_t>(block);
  }
}

std::size_t TileColumns() {
  return 2 * hn::Lanes(Floats());
}
std::size_t RowsAtOnce() {
  return kRowsAtOnce;
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(GemmBlockOf);
HWY_EXPORT(TileColumns);
HWY_EXPORT(RowsAtOnce);
}  // namespace

GemmTile TileOfGemm() {
  static const GemmTile tile{kTileRows, HWY_DYNAMIC_DISPATCH(TileColumns)()};
  return tile;
}

std::size_t RowsOfGemmAtOnce() {
  static const std::size_t rows = HWY_DYNAMIC_DISPATCH(RowsAtOnce)();
  return rows;
}

void RunGemmBlock(const GemmBlock& block) {
  HWY_DYNAMIC_DISPATCH(GemmBlockOf)(block);
}

}  // namespace foothold
#endif
