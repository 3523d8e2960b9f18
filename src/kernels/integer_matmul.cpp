// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/integer_matmul.h"

#include <algorithm>
#include <cstring>

#include "kernels/pair_rows.h"
#include "kernels/parallel_items.h"
#include "kernels/transpose_tile.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/integer_matmul.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

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

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {

HWY_EXPORT(MultiplyPanel);
HWY_EXPORT(PanelColumns);

constexpr std::size_t kRowStep = 64;

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

template <typename T>
void PackIntegersLeft(const T* from, MatMulStrides strides, const MatMulSize& size, const T* zeros,
                      std::size_t step, std::int16_t* to) {
  for (std::size_t row = 0; row < size.rows; ++row) {
    const int zero = zeros == nullptr ? 0 : zeros[row * step];
    for (std::size_t k = 0; k < size.depth; ++k)
      *to++ = static_cast<std::int16_t>(from[row * strides.row + k * strides.column] - zero);
    if (size.depth % 2 != 0) *to++ = 0;
  }
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

void MultiplyIntegers(const std::int16_t* left, const std::int16_t* right, const MatMulSize& size,
                      std::int32_t* out) {
  const std::size_t width = PanelWidth(), pairs = Pairs(size);
  const std::size_t panels = Parts(size.columns, width), items = panels * Parts(size.rows, kRowStep);
  ForEachItem(items, SlotsFor(items, size.Work() / 2), [&](std::size_t, std::size_t item) {
    const std::size_t row = item / panels * kRowStep, column = item % panels * width;
    HWY_DYNAMIC_DISPATCH(MultiplyPanel)
    (right + column * pairs * 2, pairs, std::min(width, size.columns - column), left + row * pairs * 2,
     std::min(kRowStep, size.rows - row), size.columns, out + row * size.columns + column);
  });
}

}  // namespace foothold
#endif
