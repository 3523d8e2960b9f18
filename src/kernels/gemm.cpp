// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/gemm.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

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
};

float Finished(float value, const GemmEpilogue& finish, std::size_t row, std::size_t column) {
  if (finish.row_bias != nullptr) value += finish.row_bias[row];
  if (finish.column_bias != nullptr) value += finish.column_bias[column];
  value = value < finish.low ? finish.low : value;
  return value > finish.high ? finish.high : value;
}

}  // namespace
}  // namespace foothold
#endif

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using FloatVec = hn::Vec<Floats>;

HWY_INLINE FloatVec Finish(Floats d, FloatVec value, const GemmEpilogue& finish, std::size_t row,
                           std::size_t column) {
  if (finish.row_bias != nullptr) value = hn::Add(value, hn::Set(d, finish.row_bias[row]));
  if (finish.column_bias != nullptr) value = hn::Add(value, hn::LoadU(d, finish.column_bias + column));
  const auto low = hn::Set(d, finish.low);
  const auto high = hn::Set(d, finish.high);
  value = hn::IfThenElse(hn::Lt(value, low), low, value);
  return hn::IfThenElse(hn::Gt(value, high), high, value);
}

HWY_INLINE void StoreRow(Floats d, FloatVec first, FloatVec second, const TilePlace& place, std::size_t row) {
  const std::size_t lanes = hn::Lanes(d);
  float* out = place.out + row * place.stride;
  if (place.accumulate) {
    first = hn::Add(first, hn::LoadU(d, out));
    second = hn::Add(second, hn::LoadU(d, out + lanes));
  }
  if (place.finish != nullptr) {
    first = Finish(d, first, *place.finish, place.row + row, place.column);
    second = Finish(d, second, *place.finish, place.row + row, place.column + lanes);
  }
  hn::StoreU(first, d, out);
  hn::StoreU(second, d, out + lanes);
}

// Twelve named accumulators: vectors whose size only the CPU knows cannot be in an array.
template <std::size_t kRows>
HWY_INLINE void ComputeTile(const float* HWY_RESTRICT left, const float* HWY_RESTRICT right,
                            std::size_t depth, const TilePlace& place) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  auto a0 = zero, b0 = zero, a1 = zero, b1 = zero, a2 = zero, b2 = zero;
  auto a3 = zero, b3 = zero, a4 = zero, b4 = zero, a5 = zero, b5 = zero;
  const float* next = place.next;
  for (std::size_t row = 0; row < kRows; ++row)
    hwy::Prefetch(place.out + row * place.stride);
  for (std::size_t k = 0; k < depth; ++k, left += kTileRows, right += 2 * lanes, next += place.next_step) {
    hwy::Prefetch(next);
    const auto x = hn::LoadU(d, right);
    const auto y = hn::LoadU(d, right + lanes);
    const auto add = [&](std::size_t row, FloatVec& a, FloatVec& b) HWY_ATTR {
      const auto factor = hn::Set(d, left[row]);
      a = hn::MulAdd(factor, x, a);
      b = hn::MulAdd(factor, y, b);
    };
    add(0, a0, b0);
    if constexpr (kRows > 1) add(1, a1, b1);
    if constexpr (kRows > 2) add(2, a2, b2);
    if constexpr (kRows > 3) add(3, a3, b3);
    if constexpr (kRows > 4) add(4, a4, b4);
    if constexpr (kRows > 5) add(5, a5, b5);
  }
  StoreRow(d, a0, b0, place, 0);
  if constexpr (kRows > 1) StoreRow(d, a1, b1, place, 1);
  if constexpr (kRows > 2) StoreRow(d, a2, b2, place, 2);
  if constexpr (kRows > 3) StoreRow(d, a3, b3, place, 3);
  if constexpr (kRows > 4) StoreRow(d, a4, b4, place, 4);
  if constexpr (kRows > 5) StoreRow(d, a5, b5, place, 5);
}

HWY_NOINLINE void ComputeRows(std::size_t rows, const float* left, const float* right, std::size_t depth,
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
HWY_NOINLINE void ComputeEdge(std::size_t rows, std::size_t columns, const float* left, const float* right,
                              std::size_t depth, const TilePlace& place) {
  HWY_ALIGN float aside[kTileRows * 2 * hn::MaxLanes(Floats())];
  const std::size_t stride = 2 * hn::Lanes(Floats());
  ComputeRows(rows, left, right, depth, {aside, stride, false, nullptr, 0, 0, place.next, place.next_step});
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      float& out = place.out[i * place.stride + j];
      const float sum = place.accumulate ? out + aside[i * stride + j] : aside[i * stride + j];
      out = place.finish == nullptr ? sum : Finished(sum, *place.finish, place.row + i, place.column + j);
    }
  }
}

void GemmBlockOf(const GemmBlock& block) {
  const std::size_t width = 2 * hn::Lanes(Floats());
  const std::size_t tiles = (block.rows + kTileRows - 1) / kTileRows;
  // All tiles of a panel together fetch the next one.
  const std::size_t step = (width + tiles - 1) / tiles;
  const float* right = block.right;
  for (std::size_t j = 0; j < block.columns; j += width, right += block.right_panel) {
    const std::size_t columns = std::min(width, block.columns - j);
    const float* next = j + width < block.columns ? right + block.right_panel : right;
    const float* left = block.left;
    for (std::size_t i = 0; i < block.rows; i += kTileRows, left += block.left_panel) {
      const std::size_t rows = std::min(kTileRows, block.rows - i);
      const TilePlace place{block.out + i * block.out_stride + j,
                            block.out_stride,
                            block.accumulate,
                            block.finish,
                            i,
                            j,
                            next,
                            step};
      next += step * block.depth;
      if (columns == width)
        ComputeRows(rows, left, right, block.depth, place);
      else
        ComputeEdge(rows, columns, left, right, block.depth, place);
    }
  }
}

// Four panels from `right` on; the panels past the last column repeat the last one.
HWY_INLINE void FourPanels(const float* left, const float* const* panels, std::size_t depth, float* out) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  auto a0 = zero, b0 = zero, a1 = zero, b1 = zero, a2 = zero, b2 = zero, a3 = zero, b3 = zero;
  const float* p0 = panels[0];
  const float* p1 = panels[1];
  const float* p2 = panels[2];
  const float* p3 = panels[3];
  for (std::size_t k = 0; k < depth; ++k) {
    const auto factor = hn::Set(d, left[k]);
    const std::size_t at = k * 2 * lanes;
    a0 = hn::MulAdd(factor, hn::LoadU(d, p0 + at), a0);
    b0 = hn::MulAdd(factor, hn::LoadU(d, p0 + at + lanes), b0);
    a1 = hn::MulAdd(factor, hn::LoadU(d, p1 + at), a1);
    b1 = hn::MulAdd(factor, hn::LoadU(d, p1 + at + lanes), b1);
    a2 = hn::MulAdd(factor, hn::LoadU(d, p2 + at), a2);
    b2 = hn::MulAdd(factor, hn::LoadU(d, p2 + at + lanes), b2);
    a3 = hn::MulAdd(factor, hn::LoadU(d, p3 + at), a3);
    b3 = hn::MulAdd(factor, hn::LoadU(d, p3 + at + lanes), b3);
  }
  hn::Store(a0, d, out);
  hn::Store(b0, d, out + lanes);
  hn::Store(a1, d, out + 2 * lanes);
  hn::Store(b1, d, out + 3 * lanes);
  hn::Store(a2, d, out + 4 * lanes);
  hn::Store(b2, d, out + 5 * lanes);
  hn::Store(a3, d, out + 6 * lanes);
  hn::Store(b3, d, out + 7 * lanes);
}

void PackedGemvOf(const float* left, const float* right, std::size_t depth, std::size_t columns, float* out,
                  const GemmEpilogue& finish) {
  HWY_ALIGN float sums[8 * hn::MaxLanes(Floats())];
  const std::size_t width = 2 * hn::Lanes(Floats());
  const std::size_t panels = (columns + width - 1) / width;
  for (std::size_t panel = 0; panel < panels; panel += 4) {
    const float* four[4];
    for (std::size_t i = 0; i < 4; ++i)
      four[i] = right + std::min(panel + i, panels - 1) * depth * width;
    FourPanels(left, four, depth, sums);
    const std::size_t end = std::min(columns, (panel + 4) * width);
    for (std::size_t j = panel * width; j < end; ++j)
      out[j] = Finished(sums[j - panel * width], finish, 0, j);
  }
}

void RowsGemvOf(const float* left, const float* right, std::size_t stride, std::size_t depth,
                std::size_t columns, float* out, const GemmEpilogue& finish) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t j = 0;
  for (; j + 4 * lanes <= columns; j += 4 * lanes) {
    auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    const float* row = right + j;
    for (std::size_t k = 0; k < depth; ++k, row += stride) {
      const auto factor = hn::Set(d, left[k]);
      s0 = hn::MulAdd(factor, hn::LoadU(d, row), s0);
      s1 = hn::MulAdd(factor, hn::LoadU(d, row + lanes), s1);
      s2 = hn::MulAdd(factor, hn::LoadU(d, row + 2 * lanes), s2);
      s3 = hn::MulAdd(factor, hn::LoadU(d, row + 3 * lanes), s3);
    }
    hn::StoreU(Finish(d, s0, finish, 0, j), d, out + j);
    hn::StoreU(Finish(d, s1, finish, 0, j + lanes), d, out + j + lanes);
    hn::StoreU(Finish(d, s2, finish, 0, j + 2 * lanes), d, out + j + 2 * lanes);
    hn::StoreU(Finish(d, s3, finish, 0, j + 3 * lanes), d, out + j + 3 * lanes);
  }
  for (; j < columns; ++j) {
    float sum = 0;
    for (std::size_t k = 0; k < depth; ++k)
      sum += left[k] * right[k * stride + j];
    out[j] = Finished(sum, finish, 0, j);
  }
}

void ColumnsGemvOf(const float* left, const float* right, std::size_t stride, std::size_t depth,
                   std::size_t columns, float* out, const GemmEpilogue& finish) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t j = 0; j < columns; ++j) {
    const float* column = right + j * stride;
    auto s0 = hn::Zero(d), s1 = s0;
    std::size_t k = 0;
    for (; k + 2 * lanes <= depth; k += 2 * lanes) {
      s0 = hn::MulAdd(hn::LoadU(d, left + k), hn::LoadU(d, column + k), s0);
      s1 = hn::MulAdd(hn::LoadU(d, left + k + lanes), hn::LoadU(d, column + k + lanes), s1);
    }
    float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, s1)));
    for (; k < depth; ++k)
      sum += left[k] * column[k];
    out[j] = Finished(sum, finish, 0, j);
  }
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
HWY_EXPORT(PackedGemvOf);
HWY_EXPORT(RowsGemvOf);
HWY_EXPORT(ColumnsGemvOf);
HWY_EXPORT(TileColumns);
}  // namespace

GemmTile TileOfGemm() {
  static const GemmTile tile{kTileRows, HWY_DYNAMIC_DISPATCH(TileColumns)()};
  return tile;
}

void RunGemmBlock(const GemmBlock& block) {
  HWY_DYNAMIC_DISPATCH(GemmBlockOf)(block);
}

void RunPackedGemv(const float* left, const float* right, std::size_t depth, std::size_t columns, float* out,
                   const GemmEpilogue& finish) {
  HWY_DYNAMIC_DISPATCH(PackedGemvOf)(left, right, depth, columns, out, finish);
}

void RunRowsGemv(const float* left, const float* right, std::size_t stride, std::size_t depth,
                 std::size_t columns, float* out, const GemmEpilogue& finish) {
  HWY_DYNAMIC_DISPATCH(RowsGemvOf)(left, right, stride, depth, columns, out, finish);
}

void RunColumnsGemv(const float* left, const float* right, std::size_t stride, std::size_t depth,
                    std::size_t columns, float* out, const GemmEpilogue& finish) {
  HWY_DYNAMIC_DISPATCH(ColumnsGemvOf)(left, right, stride, depth, columns, out, finish);
}

}  // namespace foothold
#endif
