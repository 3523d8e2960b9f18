// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/integer_matmul.h"

#include <algorithm>
#include <cstring>

#include "kernels/blocked_tiles.h"
#include "kernels/pair_rows.h"
#include "kernels/parallel_items.h"
#include "kernels/transpose_tile.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/integer_matmul.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/output_finish-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

// No vector holds a pair.
void MultiplyPanel(const std::int16_t* right, std::size_t pairs, std::size_t columns,
                   const std::int16_t* left, std::size_t rows, std::size_t out_stride, std::int32_t* out) {
  for (std::size_t row = 0; row < rows; ++row, left += 2 * pairs, out += out_stride)
    for (std::size_t column = 0; column < columns; ++column) {
      std::uint32_t sum = 0;
      for (std::size_t k = 0; k < 2 * pairs; ++k)
        sum += static_cast<std::uint32_t>(left[k] * right[k / 2 * 4 + 2 * column + k % 2]);
      out[column] = static_cast<std::int32_t>(sum);
    }
}

std::size_t PanelColumns() {
  return 2;
}

#else

using Wide = hn::ScalableTag<std::int32_t>;
using Narrow = hn::Repartition<std::int16_t, Wide>;

// One panel of the right operand: two vectors of columns.
struct Panel {
  const std::int16_t* right;
  std::size_t pairs;  // of the depth
  std::size_t columns;
};

void StoreRow(hn::Vec<Wide> a, hn::Vec<Wide> b, std::size_t columns, std::int32_t* out) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  if (columns == 2 * lanes) {
    hn::StoreU(a, d, out);
    hn::StoreU(b, d, out + lanes);
    return;
  }
  HWY_ALIGN std::int32_t row[2 * hn::MaxLanes(Wide())];
  hn::StoreU(a, d, row);
  hn::StoreU(b, d, row + lanes);
  std::copy_n(row, columns, out);
}

template <int kRows>
void Tile(const Panel& panel, const std::int16_t* left, std::size_t out_stride, std::int32_t* out) {
  const Wide d;
  const Narrow d16;
  const std::size_t lanes = hn::Lanes(d16);
  const auto zero = hn::Zero(d);
  auto a0 = zero, b0 = zero, a1 = zero, b1 = zero, a2 = zero, b2 = zero, a3 = zero, b3 = zero;
  // Where a target adds the products of a pair in two places.
  auto c0 = zero, d0 = zero, c1 = zero, d1 = zero, c2 = zero, d2 = zero, c3 = zero, d3 = zero;
  for (std::size_t k = 0; k < panel.pairs; ++k) {
    const auto first = hn::LoadU(d16, panel.right + 2 * k * lanes);
    const auto second = hn::LoadU(d16, panel.right + (2 * k + 1) * lanes);
    const auto add = [&](std::size_t row, auto& a, auto& c, auto& b, auto& e) HWY_ATTR {
      std::int32_t pair;
      std::memcpy(&pair, left + 2 * (row * panel.pairs + k), sizeof(pair));
      const auto factor = hn::BitCast(d16, hn::Set(d, pair));
      a = hn::ReorderWidenMulAccumulate(d, factor, first, a, c);
      b = hn::ReorderWidenMulAccumulate(d, factor, second, b, e);
    };
    add(0, a0, c0, b0, d0);
    if constexpr (kRows > 1) add(1, a1, c1, b1, d1);
    if constexpr (kRows > 2) add(2, a2, c2, b2, d2);
    if constexpr (kRows > 3) add(3, a3, c3, b3, d3);
  }
  const auto store = [&](std::size_t row, auto a, auto c, auto b, auto e) HWY_ATTR {
    StoreRow(hn::RearrangeToOddPlusEven(a, c), hn::RearrangeToOddPlusEven(b, e), panel.columns,
             out + row * out_stride);
  };
  store(0, a0, c0, b0, d0);
  if constexpr (kRows > 1) store(1, a1, c1, b1, d1);
  if constexpr (kRows > 2) store(2, a2, c2, b2, d2);
  if constexpr (kRows > 3) store(3, a3, c3, b3, d3);
}

void MultiplyPanel(const std::int16_t* right, std::size_t pairs, std::size_t columns,
                   const std::int16_t* left, std::size_t rows, std::size_t out_stride, std::int32_t* out) {
  const Panel panel{right, pairs, columns};
  for (; rows >= 4; rows -= 4, left += 8 * pairs, out += 4 * out_stride)
    Tile<4>(panel, left, out_stride, out);
  if (rows == 3) Tile<3>(panel, left, out_stride, out);
  if (rows == 2) Tile<2>(panel, left, out_stride, out);
  if (rows == 1) Tile<1>(panel, left, out_stride, out);
}

std::size_t PanelColumns() {
  return 2 * hn::Lanes(Wide());
}

#endif

// Rows of a panel, `width` numbers each, become floats where they stand.
void ScaleRowsOf(const IntegerScaling& scaling, std::size_t column, std::size_t columns, std::size_t width,
                 std::size_t rows, std::int32_t* sums) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> wide;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN float scales[2 * hn::MaxLanes(d)] = {}, biases[2 * hn::MaxLanes(d)] = {};
  for (std::size_t j = 0; j < columns; ++j)
    scales[j] = scaling.scales[(column + j) * scaling.step];
  if (scaling.finish.bias != nullptr) std::copy_n(scaling.finish.bias + column, columns, biases);
  for (std::size_t i = 0; i < rows * width; i += lanes) {
    const auto scaled =
        hn::Mul(hn::ConvertTo(d, hn::LoadU(wide, sums + i)), hn::LoadU(d, scales + i % width));
    hn::StoreU(hn::BitCast(wide, hn::Add(scaled, hn::LoadU(d, biases + i % width))), wide, sums + i);
  }
}

void ActivateRowsOf(const ActivationSpec& activation, std::size_t count, float* rows) {
  const hn::ScalableTag<float> d;
  if (activation.kind != Activation::kClip) return Activate(d, activation, rows, count);
  for (std::size_t i = 0; i < count; i += hn::Lanes(d))
    hn::StoreU(Clip(d, hn::LoadU(d, rows + i), activation), d, rows + i);
}

template <typename T>
HWY_INLINE void CentreRow(const T* from, std::size_t count, int zero, std::int16_t* to) {
  const hn::ScalableTag<std::int16_t> d;
  const hn::Rebind<T, decltype(d)> bytes;
  const auto shift = hn::Set(d, static_cast<std::int16_t>(zero));
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d))
    hn::StoreU(hn::Sub(hn::PromoteTo(d, hn::LoadU(bytes, from + i)), shift), d, to + i);
  for (; i < count; ++i)
    to[i] = static_cast<std::int16_t>(from[i] - zero);
}

void CentreSigned(const std::int8_t* from, std::size_t count, int zero, std::int16_t* to) {
  CentreRow(from, count, zero, to);
}
void CentreUnsigned(const std::uint8_t* from, std::size_t count, int zero, std::int16_t* to) {
  CentreRow(from, count, zero, to);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {

HWY_EXPORT(MultiplyPanel);
HWY_EXPORT(PanelColumns);
HWY_EXPORT(ScaleRowsOf);
HWY_EXPORT(ActivateRowsOf);
HWY_EXPORT(CentreSigned);
HWY_EXPORT(CentreUnsigned);

constexpr std::size_t kRowStep = 16 * kTilePixels;  // more tiles would not fetch the next panel ahead
constexpr std::size_t kDepthStep = 256;             // pairs: a panel stays in the first cache
constexpr std::size_t kMostWidth = 32;              // of a panel, where sums go through memory of the stack

std::size_t PanelWidth() {
  static const std::size_t width = HWY_DYNAMIC_DISPATCH(PanelColumns)();
  return width;
}

std::size_t Pairs(const MatMulSize& size) {
  return Parts(size.depth, 2);
}

// A whole panel of bytes that lie side by side in one direction or the other. False: it is none.
bool PackBytes(const std::int8_t* from, MatMulStrides strides, std::size_t pairs, std::int16_t* to) {
  const std::size_t width = PanelWidth();
  if (PairColumns() != width || (strides.column != 1 && strides.row != 1)) return false;
  if (strides.column == 1) {
    for (std::size_t k = 0; k < pairs; ++k)
      PairByteRows(from + 2 * k * strides.row, from + (2 * k + 1) * strides.row,
                   reinterpret_cast<std::int32_t*>(to + 2 * k * width));
    return true;
  }
  // Turned in the second half of its own memory, which the first is written from.
  auto* const turned = reinterpret_cast<std::byte*>(to + pairs * width);
  TransposeTile(reinterpret_cast<const std::byte*>(from), static_cast<std::ptrdiff_t>(strides.column), turned,
                static_cast<std::ptrdiff_t>(2 * width), pairs, width, 2);
  WidenBytes(reinterpret_cast<const std::int8_t*>(turned), 2 * pairs * width, to);
  return true;
}
bool PackBytes(const std::uint8_t*, MatMulStrides, std::size_t, std::int16_t*) {
  return false;
}

// One panel; what is past the last column or the depth is zero.
template <typename T>
void PackColumns(const T* from, MatMulStrides strides, std::size_t depth, std::size_t columns, const T* zeros,
                 std::size_t step, std::int16_t* to) {
  const std::size_t width = PanelWidth();
  const bool whole = columns == width && depth % 2 == 0;
  if (whole && zeros == nullptr && PackBytes(from, strides, depth / 2, to)) return;
  if (!whole) std::fill_n(to, RoundUp(depth, 2) * width, std::int16_t{0});
  for (std::size_t k = 0; k < depth; k += 2, to += 2 * width)
    for (std::size_t j = 0; j < columns; ++j) {
      const T* pair = from + k * strides.row + j * strides.column;
      const int zero = zeros == nullptr ? 0 : zeros[j * step];
      to[2 * j] = static_cast<std::int16_t>(pair[0] - zero);
      if (k + 1 < depth) to[2 * j + 1] = static_cast<std::int16_t>(pair[strides.row] - zero);
    }
}

}  // namespace

std::size_t PackedIntegersLeft(const MatMulSize& size) {
  return size.rows * Pairs(size) * 2;
}

std::size_t PackedIntegersRight(const MatMulSize& size) {
  return RoundUp(size.columns, PanelWidth()) * Pairs(size) * 2;
}

void Centre(const std::int8_t* from, std::size_t count, int zero, std::int16_t* to) {
  HWY_DYNAMIC_DISPATCH(CentreSigned)(from, count, zero, to);
}
void Centre(const std::uint8_t* from, std::size_t count, int zero, std::int16_t* to) {
  HWY_DYNAMIC_DISPATCH(CentreUnsigned)(from, count, zero, to);
}

template <typename T>
void PackIntegersLeft(const T* from, MatMulStrides strides, const MatMulSize& size, const T* zeros,
                      std::size_t step, std::int16_t* to) {
  const std::size_t numbers = 2 * Pairs(size);
  ParallelFor(size.rows, 1 + 32768 / (1 + numbers), [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const int zero = zeros == nullptr ? 0 : zeros[row * step];
      const T* line = from + row * strides.row;
      std::int16_t* packed = to + row * numbers;
      if (strides.column == 1)
        Centre(line, size.depth, zero, packed);
      else
        for (std::size_t k = 0; k < size.depth; ++k)
          packed[k] = static_cast<std::int16_t>(line[k * strides.column] - zero);
      if (size.depth % 2 != 0) packed[size.depth] = 0;
    }
  });
}

template <typename T>
void PackIntegersRight(const T* from, MatMulStrides strides, const MatMulSize& size, const T* zeros,
                       std::size_t step, std::int16_t* to) {
  const std::size_t width = PanelWidth(), numbers = 2 * Pairs(size) * width;
  const std::size_t grain = 1 + 32768 / (1 + numbers);
  ParallelFor(Parts(size.columns, width), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t panel = begin; panel < end; ++panel) {
      const std::size_t first = panel * width, count = std::min(width, size.columns - first);
      const T* own_zeros = zeros == nullptr ? nullptr : zeros + first * step;
      PackColumns(from + first * strides.column, strides, size.depth, count, own_zeros, step,
                  to + panel * numbers);
    }
  });
}

template void PackIntegersLeft(const std::int8_t*, MatMulStrides, const MatMulSize&, const std::int8_t*,
                               std::size_t, std::int16_t*);
template void PackIntegersLeft(const std::uint8_t*, MatMulStrides, const MatMulSize&, const std::uint8_t*,
                               std::size_t, std::int16_t*);
template void PackIntegersRight(const std::int8_t*, MatMulStrides, const MatMulSize&, const std::int8_t*,
                                std::size_t, std::int16_t*);
template void PackIntegersRight(const std::uint8_t*, MatMulStrides, const MatMulSize&, const std::uint8_t*,
                                std::size_t, std::int16_t*);

namespace {

// Some rows of one panel of columns.
struct Piece {
  std::size_t row, rows, column, columns;
};

// Whether the loop of convolutions, whose tiles are larger, has panels like these.
bool FitsTiles(const MatMulSize& size) {
  return PanelWidth() == kTileBlocks * BlockedTileLanes() && Pairs(size) % 8 == 0 && size.depth > 0;
}

// To rows of whole panels.
void SumPiece(const std::int16_t* left, const std::int16_t* right, const MatMulSize& size, const Piece& piece,
              std::int32_t* sums) {
  const std::size_t width = PanelWidth(), pairs = Pairs(size);
  const std::int16_t* rows = left + piece.row * pairs * 2;
  const std::int16_t* panel = right + piece.column * pairs * 2;
  if (!FitsTiles(size))
    return HWY_DYNAMIC_DISPATCH(MultiplyPanel)(panel, pairs, width, rows, piece.rows, width, sums);
  std::int32_t offsets[kRowStep] = {};
  BlockedTiles tiles;
  tiles.pairs = true;
  tiles.offsets = offsets;
  tiles.distance = pairs;
  for (std::size_t i = 0; i < piece.rows; ++i)
    offsets[i] = static_cast<std::int32_t>(i * pairs);
  tiles.filter = reinterpret_cast<const float*>(panel);
  tiles.filter_step = width * pairs;
  tiles.pixels = piece.rows;
  tiles.out_blocks = kTileBlocks;
  tiles.out = reinterpret_cast<float*>(sums);
  tiles.pixel_step = width;
  tiles.block_step = width / kTileBlocks;
  for (std::size_t begin = 0; begin < pairs; begin += kDepthStep) {
    tiles.input = reinterpret_cast<const float*>(rows) + begin;
    tiles.lanes = tiles.last_lanes = std::min(kDepthStep, pairs - begin);
    tiles.filter_begin = begin;
    tiles.accumulate = begin > 0;
    RunBlockedTiles(tiles);
  }
}

// Calls use(piece, sums) for all of the product. The rows that meet one panel follow each other.
template <typename Use>
void MultiplyPieces(const std::int16_t* left, const std::int16_t* right, const MatMulSize& size,
                    const Use& use) {
  if (size.rows == 0 || size.columns == 0) return;
  const std::size_t width = PanelWidth(), panels = Parts(size.columns, width);
  const std::size_t step = RoundUp(Parts(size.rows, Parts(size.rows, kRowStep)), kTilePixels);
  const std::size_t parts = Parts(size.rows, step), items = panels * parts;
  ForEachItem(items, SlotsFor(items, size.Work() / 2), [&](std::size_t, std::size_t item) {
    const std::size_t row = item % parts * step, column = item / parts * width;
    const Piece piece{row, std::min(step, size.rows - row), column, std::min(width, size.columns - column)};
    alignas(64) std::int32_t sums[kRowStep * kMostWidth];
    SumPiece(left, right, size, piece, sums);
    use(piece, sums);
  });
}

}  // namespace

void MultiplyIntegers(const std::int16_t* left, const std::int16_t* right, const MatMulSize& size,
                      std::int32_t* out) {
  const std::size_t width = PanelWidth();
  MultiplyPieces(left, right, size, [&](const Piece& piece, std::int32_t* sums) {
    for (std::size_t i = 0; i < piece.rows; ++i)
      std::copy_n(sums + i * width, piece.columns, out + (piece.row + i) * size.columns + piece.column);
  });
}

void MultiplyScaledIntegers(const std::int16_t* left, const std::int16_t* right, const MatMulSize& size,
                            const IntegerScaling& scaling, float* out) {
  const std::size_t width = PanelWidth();
  const float* residual = scaling.finish.residual;
  MultiplyPieces(left, right, size, [&](const Piece& piece, std::int32_t* sums) {
    HWY_DYNAMIC_DISPATCH(ScaleRowsOf)(scaling, piece.column, piece.columns, width, piece.rows, sums);
    auto* floats = reinterpret_cast<float*>(sums);
    for (std::size_t i = 0; residual != nullptr && i < piece.rows; ++i)
      for (std::size_t j = 0; j < piece.columns; ++j)
        floats[i * width + j] += residual[(piece.row + i) * size.columns + piece.column + j];
    HWY_DYNAMIC_DISPATCH(ActivateRowsOf)(scaling.finish.activation, piece.rows * width, floats);
    for (std::size_t i = 0; i < piece.rows; ++i)
      std::copy_n(floats + i * width, piece.columns, out + (piece.row + i) * size.columns + piece.column);
  });
}

}  // namespace foothold
#endif
