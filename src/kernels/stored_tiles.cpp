// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/stored_tiles.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/stored_tiles.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which they need.
#include "kernels/gemm_finish-inl.h"
#include "kernels/widening_load-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

constexpr std::size_t kDotRows = 6;
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2
constexpr std::size_t kDotColumns = 2;  // sixteen registers
#else
constexpr std::size_t kDotColumns = 4;
#endif

// The sums of one row.
struct RowSums {
  FloatVec a, b, c, d;
};

// Some rows times some columns that begin at `right`; `sums` has kDotColumns for each row.
template <FloatKind kKind, std::size_t kRows, std::size_t kColumns>
HWY_INLINE void DotTile(const FloatRows& left, const StoredAs<kKind>* right, std::size_t stride,
                        std::size_t depth, float* sums) {
  const Floats d;
  const auto zero = hn::Zero(d);
  RowSums r0{zero, zero, zero, zero}, r1 = r0, r2 = r0, r3 = r0, r4 = r0, r5 = r0;
  std::size_t k = 0;
  for (; k + hn::Lanes(d) <= depth; k += hn::Lanes(d)) {
    const auto column = [&](std::size_t i) HWY_ATTR {
      return i < kColumns ? LoadWide<kKind>(d, right + i * stride + k) : zero;
    };
    const auto w0 = column(0), w1 = column(1), w2 = column(2), w3 = column(3);
    const auto add = [&](std::size_t row, RowSums& sum) HWY_ATTR {
      const auto x = hn::LoadU(d, left.data + row * left.stride + k);
      sum.a = hn::MulAdd(x, w0, sum.a);
      if constexpr (kColumns > 1) sum.b = hn::MulAdd(x, w1, sum.b);
      if constexpr (kColumns > 2) sum.c = hn::MulAdd(x, w2, sum.c);
      if constexpr (kColumns > 3) sum.d = hn::MulAdd(x, w3, sum.d);
    };
    add(0, r0);
    if constexpr (kRows > 1) add(1, r1);
    if constexpr (kRows > 2) add(2, r2);
    if constexpr (kRows > 3) add(3, r3);
    if constexpr (kRows > 4) add(4, r4);
    if constexpr (kRows > 5) add(5, r5);
  }
  const auto store = [&](std::size_t row, const RowSums& sum) HWY_ATTR {
    float* to = sums + row * kDotColumns;
    to[0] = hn::GetLane(hn::SumOfLanes(d, sum.a));
    if constexpr (kColumns > 1) to[1] = hn::GetLane(hn::SumOfLanes(d, sum.b));
    if constexpr (kColumns > 2) to[2] = hn::GetLane(hn::SumOfLanes(d, sum.c));
    if constexpr (kColumns > 3) to[3] = hn::GetLane(hn::SumOfLanes(d, sum.d));
    for (std::size_t i = 0; i < kColumns; ++i)
      for (std::size_t rest = k; rest < depth; ++rest)
        to[i] += left.data[row * left.stride + rest] * WideOne<kKind>(right[i * stride + rest]);
  };
  store(0, r0);
  if constexpr (kRows > 1) store(1, r1);
  if constexpr (kRows > 2) store(2, r2);
  if constexpr (kRows > 3) store(3, r3);
  if constexpr (kRows > 4) store(4, r4);
  if constexpr (kRows > 5) store(5, r5);
}

template <FloatKind kKind, std::size_t kColumns>
HWY_NOINLINE void DotRows(const FloatRows& left, const StoredAs<kKind>* right, std::size_t stride,
                          std::size_t depth, float* sums) {
  switch (left.rows) {
    case 6:
      return DotTile<kKind, 6, kColumns>(left, right, stride, depth, sums);
    case 5:
      return DotTile<kKind, 5, kColumns>(left, right, stride, depth, sums);
    case 4:
      return DotTile<kKind, 4, kColumns>(left, right, stride, depth, sums);
    case 3:
      return DotTile<kKind, 3, kColumns>(left, right, stride, depth, sums);
    case 2:
      return DotTile<kKind, 2, kColumns>(left, right, stride, depth, sums);
    default:
      return DotTile<kKind, 1, kColumns>(left, right, stride, depth, sums);
  }
}

// What all tiles of a product have in common.
struct TiledProduct {
  const FloatRows& left;
  std::size_t depth;
  float* out;
  std::size_t out_stride;
  const GemmEpilogue& finish;
};

// All rows times kColumns columns that are `distance` apart, from `column` on.
template <FloatKind kKind, std::size_t kColumns>
HWY_INLINE void DotColumns(const TiledProduct& product, const StoredMatrix& right, std::size_t column,
                           std::size_t distance) {
  const FloatRows& left = product.left;
  const auto* from = reinterpret_cast<const StoredAs<kKind>*>(right.data) + column * right.column;
  float sums[kDotRows * kDotColumns];
  for (std::size_t i = 0, rows; i < left.rows; i += rows) {
    rows = NextTileRows(left.rows - i, kDotRows, GemmRows::kEvenly);
    const FloatRows some{left.data + i * left.stride, left.stride, rows};
    DotRows<kKind, kColumns>(some, from, distance * right.column, product.depth, sums);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t j = 0; j < kColumns; ++j) {
        const SumPlace place{i + row, column + j * distance, product.out_stride};
        product.out[place.row * place.stride + place.column] =
            FinishOne(sums[row * kDotColumns + j], product.finish, place);
      }
  }
}

template <FloatKind kKind>
HWY_INLINE void StoredTiles(const TiledProduct& product, const StoredMatrix& right, std::size_t columns) {
  const std::size_t distance = columns / kDotColumns;
  for (std::size_t j = 0; j < distance; ++j)
    DotColumns<kKind, kDotColumns>(product, right, j, distance);
  for (std::size_t j = distance * kDotColumns; j < columns; ++j)
    DotColumns<kKind, 1>(product, right, j, 1);
  for (std::size_t i = 0; i < product.left.rows; ++i)
    ActivateRow(product.finish.activation, product.out + i * product.out_stride, columns);
}

void StoredTilesOf(const FloatRows& left, const StoredMatrix& right, std::size_t depth, std::size_t columns,
                   float* out, std::size_t out_stride, const GemmEpilogue& finish) {
  const TiledProduct product{left, depth, out, out_stride, finish};
  if (right.kind == FloatKind::kFloat)
    StoredTiles<FloatKind::kFloat>(product, right, columns);
  else if (right.kind == FloatKind::kFloat16)
    StoredTiles<FloatKind::kFloat16>(product, right, columns);
  else
    StoredTiles<FloatKind::kBfloat16>(product, right, columns);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(StoredTilesOf);
}  // namespace

void RunStoredTiles(const FloatRows& left, const StoredMatrix& right, std::size_t depth, std::size_t columns,
                    float* out, std::size_t out_stride, const GemmEpilogue& finish) {
  HWY_DYNAMIC_DISPATCH(StoredTilesOf)(left, right, depth, columns, out, out_stride, finish);
}

}  // namespace foothold
#endif
