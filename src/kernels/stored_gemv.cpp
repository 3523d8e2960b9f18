// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/stored_gemv.h"

#include <algorithm>

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/stored_gemv.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which they need.
#include "kernels/gemm_finish-inl.h"
#include "kernels/widening_load-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

void FinishRow(const GemmEpilogue& finish, float* out, std::size_t columns) {
  const Floats d;
  std::size_t j = 0;
  for (; j + hn::Lanes(d) <= columns; j += hn::Lanes(d))
    hn::StoreU(Finish(d, hn::LoadU(d, out + j), finish, {0, j, 0}), d, out + j);
  for (; j < columns; ++j)
    out[j] = FinishOne(out[j], finish, {0, j, 0});
  ActivateRow(finish.activation, out, columns);
}

// The columns of one vector; sums stay in registers, `row` is the first one.
template <FloatKind kKind>
HWY_INLINE void OneVectorOfRows(const float* left, const StoredAs<kKind>* row, std::size_t stride,
                                std::size_t depth, float* out) {
  const Floats d;
  auto sum = hn::Zero(d);
  for (std::size_t k = 0; k < depth; ++k, row += stride)
    sum = hn::MulAdd(hn::Set(d, left[k]), LoadWide<kKind>(d, row), sum);
  hn::StoreU(sum, d, out);
}

template <FloatKind kKind>
HWY_INLINE void FourVectorsOfRows(const float* left, const StoredAs<kKind>* row, std::size_t stride,
                                  std::size_t depth, float* out) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  for (std::size_t k = 0; k < depth; ++k, row += stride) {
    const auto factor = hn::Set(d, left[k]);
    s0 = hn::MulAdd(factor, LoadWide<kKind>(d, row), s0);
    s1 = hn::MulAdd(factor, LoadWide<kKind>(d, row + lanes), s1);
    s2 = hn::MulAdd(factor, LoadWide<kKind>(d, row + 2 * lanes), s2);
    s3 = hn::MulAdd(factor, LoadWide<kKind>(d, row + 3 * lanes), s3);
  }
  hn::StoreU(s0, d, out);
  hn::StoreU(s1, d, out + lanes);
  hn::StoreU(s2, d, out + 2 * lanes);
  hn::StoreU(s3, d, out + 3 * lanes);
}

template <FloatKind kKind>
HWY_INLINE void NarrowRowsGemv(const float* left, const StoredAs<kKind>* right, std::size_t stride,
                               std::size_t depth, std::size_t columns, float* out) {
  const std::size_t lanes = hn::Lanes(Floats());
  std::size_t j = 0;
  for (; j + 4 * lanes <= columns; j += 4 * lanes)
    FourVectorsOfRows<kKind>(left, right + j, stride, depth, out + j);
  for (; j + lanes <= columns; j += lanes)
    OneVectorOfRows<kKind>(left, right + j, stride, depth, out + j);
  for (; j < columns; ++j) {
    float sum = 0;
    for (std::size_t k = 0; k < depth; ++k)
      sum += left[k] * WideOne<kKind>(right[k * stride + j]);
    out[j] = sum;
  }
}

// Fetches the eight rows after them.
template <FloatKind kKind>
HWY_INLINE void AddEightRows(const float* left, const StoredAs<kKind>* row, std::size_t stride,
                             std::size_t columns, float* out) {
  constexpr std::size_t kLine = 64 / sizeof(StoredAs<kKind>);
  const Floats d;
  const auto x0 = hn::Set(d, left[0]), x1 = hn::Set(d, left[1]), x2 = hn::Set(d, left[2]);
  const auto x3 = hn::Set(d, left[3]), x4 = hn::Set(d, left[4]), x5 = hn::Set(d, left[5]);
  const auto x6 = hn::Set(d, left[6]), x7 = hn::Set(d, left[7]);
  std::size_t j = 0;
  for (; j + hn::Lanes(d) <= columns; j += hn::Lanes(d)) {
    const StoredAs<kKind>* at = row + j;
    for (std::size_t next = 8; j % kLine == 0 && next < 16; ++next)
      __builtin_prefetch(at + next * stride, 0, 2);
    auto even = hn::MulAdd(x0, LoadWide<kKind>(d, at), hn::LoadU(d, out + j));
    auto odd = hn::Mul(x1, LoadWide<kKind>(d, at + stride));
    even = hn::MulAdd(x2, LoadWide<kKind>(d, at + 2 * stride), even);
    odd = hn::MulAdd(x3, LoadWide<kKind>(d, at + 3 * stride), odd);
    even = hn::MulAdd(x4, LoadWide<kKind>(d, at + 4 * stride), even);
    odd = hn::MulAdd(x5, LoadWide<kKind>(d, at + 5 * stride), odd);
    even = hn::MulAdd(x6, LoadWide<kKind>(d, at + 6 * stride), even);
    odd = hn::MulAdd(x7, LoadWide<kKind>(d, at + 7 * stride), odd);
    hn::StoreU(hn::Add(even, odd), d, out + j);
  }
  for (; j < columns; ++j)
    for (std::size_t k = 0; k < 8; ++k)
      out[j] += left[k] * WideOne<kKind>(row[k * stride + j]);
}

template <FloatKind kKind>
HWY_INLINE void AddRow(float left, const StoredAs<kKind>* row, std::size_t columns, float* out) {
  const Floats d;
  const auto factor = hn::Set(d, left);
  std::size_t j = 0;
  for (; j + hn::Lanes(d) <= columns; j += hn::Lanes(d))
    hn::StoreU(hn::MulAdd(factor, LoadWide<kKind>(d, row + j), hn::LoadU(d, out + j)), d, out + j);
  for (; j < columns; ++j)
    out[j] += left * WideOne<kKind>(row[j]);
}

// Long rows are read from their beginning to their end: a few columns of each at a time would fetch from
// another page with every step.
template <FloatKind kKind>
HWY_INLINE void WideRowsGemv(const float* left, const StoredAs<kKind>* right, std::size_t stride,
                             std::size_t depth, std::size_t columns, float* out) {
  std::fill_n(out, columns, 0.0f);
  std::size_t k = 0;
  for (; k + 8 <= depth; k += 8)
    AddEightRows<kKind>(left + k, right + k * stride, stride, columns, out);
  for (; k < depth; ++k)
    AddRow<kKind>(left[k], right + k * stride, columns, out);
}

template <FloatKind kKind>
HWY_INLINE float DotOf(const float* left, const StoredAs<kKind>* right, std::size_t depth) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  std::size_t k = 0;
  for (; k + 4 * lanes <= depth; k += 4 * lanes) {
    s0 = hn::MulAdd(hn::LoadU(d, left + k), LoadWide<kKind>(d, right + k), s0);
    s1 = hn::MulAdd(hn::LoadU(d, left + k + lanes), LoadWide<kKind>(d, right + k + lanes), s1);
    s2 = hn::MulAdd(hn::LoadU(d, left + k + 2 * lanes), LoadWide<kKind>(d, right + k + 2 * lanes), s2);
    s3 = hn::MulAdd(hn::LoadU(d, left + k + 3 * lanes), LoadWide<kKind>(d, right + k + 3 * lanes), s3);
  }
  for (; k + lanes <= depth; k += lanes)
    s0 = hn::MulAdd(hn::LoadU(d, left + k), LoadWide<kKind>(d, right + k), s0);
  float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
  for (; k < depth; ++k)
    sum += left[k] * WideOne<kKind>(right[k]);
  return sum;
}

// Eight columns, `distance` apart.
template <FloatKind kKind>
HWY_INLINE void EightDots(const float* left, const StoredAs<kKind>* right, std::size_t distance,
                          std::size_t depth, std::size_t out_distance, float* out) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  FloatVec sums[8];
  for (std::size_t i = 0; i < 8; ++i)
    sums[i] = hn::Zero(d);
  std::size_t k = 0;
  for (; k + 2 * lanes <= depth; k += 2 * lanes) {
    const auto x = hn::LoadU(d, left + k), y = hn::LoadU(d, left + k + lanes);
    for (std::size_t i = 0; i < 8; ++i) {
      const StoredAs<kKind>* at = right + i * distance + k;
      if constexpr (kKind != FloatKind::kFloat) FetchStored(at);  // floats come fast enough without
      sums[i] = hn::MulAdd(x, LoadWide<kKind>(d, at), sums[i]);
      sums[i] = hn::MulAdd(y, LoadWide<kKind>(d, at + lanes), sums[i]);
    }
  }
  for (std::size_t i = 0; i < 8; ++i) {
    float& sum = out[i * out_distance];
    sum = hn::GetLane(hn::SumOfLanes(d, sums[i]));
    for (std::size_t rest = k; rest < depth; ++rest)
      sum += left[rest] * WideOne<kKind>(right[i * distance + rest]);
  }
}

// Large matrices are read in eight places, unless a column is read before that pays.
template <FloatKind kKind>
HWY_INLINE void ColumnsGemv(const float* left, const StoredAs<kKind>* right, std::size_t stride,
                            std::size_t depth, std::size_t columns, float* out) {
  constexpr std::size_t kLarge = (std::size_t{1} << 18) / sizeof(StoredAs<kKind>), kDeep = 128;
  std::size_t j = 0;
  if (depth >= kDeep && depth * columns >= kLarge)
    for (const std::size_t step = columns / 8; j < step; ++j)
      EightDots<kKind>(left, right + j * stride, step * stride, depth, step, out + j);
  for (j *= 8; j < columns; ++j)
    out[j] = DotOf<kKind>(left, right + j * stride, depth);
}

// What four columns add up to in some pieces of theirs, which begin at `right`.
template <FloatKind kKind, std::size_t kPiece>
HWY_INLINE void AddFourColumns(const float* left, const StoredAs<kKind>* right, std::size_t stride,
                               std::size_t pieces, float* out) {
  const hn::CappedTag<float, kPiece> d;
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  for (std::size_t i = 0; i < pieces; ++i, left += kPiece, right += stride)
    for (std::size_t k = 0; k < kPiece; k += hn::Lanes(d)) {
      FetchStored(right + 4 * k);  // all of four columns in as many steps
      const auto factor = hn::LoadU(d, left + k);
      s0 = hn::MulAdd(factor, LoadWide<kKind>(d, right + k), s0);
      s1 = hn::MulAdd(factor, LoadWide<kKind>(d, right + kPiece + k), s1);
      s2 = hn::MulAdd(factor, LoadWide<kKind>(d, right + 2 * kPiece + k), s2);
      s3 = hn::MulAdd(factor, LoadWide<kKind>(d, right + 3 * kPiece + k), s3);
    }
  out[0] += hn::GetLane(hn::SumOfLanes(d, s0));
  out[1] += hn::GetLane(hn::SumOfLanes(d, s1));
  out[2] += hn::GetLane(hn::SumOfLanes(d, s2));
  out[3] += hn::GetLane(hn::SumOfLanes(d, s3));
}

template <FloatKind kKind, std::size_t kPiece>
HWY_INLINE void PiecesGemv(const float* left, const StoredAs<kKind>* right, std::size_t stride,
                           std::size_t depth, std::size_t columns, float* out) {
  constexpr std::size_t kPlaces = 8;  // to read from at a time
  std::fill_n(out, columns, 0.0f);
  for (std::size_t k = 0; k < depth; k += kPlaces * kPiece) {
    const std::size_t count = std::min(kPlaces, (depth - k) / kPiece);
    const StoredAs<kKind>* from = right + k / kPiece * stride;
    std::size_t j = 0;
    for (; j + 4 <= columns; j += 4)
      AddFourColumns<kKind, kPiece>(left + k, from + j * kPiece, stride, count, out + j);
    for (; j < columns; ++j)
      for (std::size_t i = 0; i < count; ++i)
        out[j] += DotOf<kKind>(left + k + i * kPiece, from + i * stride + j * kPiece, kPiece);
  }
}

template <FloatKind kKind>
HWY_INLINE void AnyPiecesGemv(const float* left, const StoredMatrix& right, std::size_t depth,
                              std::size_t columns, float* out) {
  const auto* from = reinterpret_cast<const StoredAs<kKind>*>(right.data);
  if (right.piece == 8)
    PiecesGemv<kKind, 8>(left, from, right.piece_step, depth, columns, out);
  else if (right.piece == 16)
    PiecesGemv<kKind, 16>(left, from, right.piece_step, depth, columns, out);
  else
    PiecesGemv<kKind, 32>(left, from, right.piece_step, depth, columns, out);
}

template <FloatKind kKind>
HWY_INLINE void StoredGemv(const float* left, const StoredMatrix& right, std::size_t depth,
                           std::size_t columns, float* out) {
  const auto* from = reinterpret_cast<const StoredAs<kKind>*>(right.data);
  if (right.piece != 0) return AnyPiecesGemv<kKind>(left, right, depth, columns, out);
  if (right.column == 1 && columns > 32 * hn::Lanes(Floats()))
    return WideRowsGemv<kKind>(left, from, right.row, depth, columns, out);
  if (right.column == 1 && right.row != 1)
    return NarrowRowsGemv<kKind>(left, from, right.row, depth, columns, out);
  ColumnsGemv<kKind>(left, from, right.column, depth, columns, out);
}

void StoredGemvOf(const float* left, const StoredMatrix& right, std::size_t depth, std::size_t columns,
                  float* out, const GemmEpilogue& finish) {
  if (right.kind == FloatKind::kFloat)
    StoredGemv<FloatKind::kFloat>(left, right, depth, columns, out);
  else if (right.kind == FloatKind::kFloat16)
    StoredGemv<FloatKind::kFloat16>(left, right, depth, columns, out);
  else
    StoredGemv<FloatKind::kBfloat16>(left, right, depth, columns, out);
  FinishRow(finish, out, columns);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(StoredGemvOf);
}  // namespace

void RunStoredGemv(const float* left, const StoredMatrix& right, std::size_t depth, std::size_t columns,
                   float* out, const GemmEpilogue& finish) {
  HWY_DYNAMIC_DISPATCH(StoredGemvOf)(left, right, depth, columns, out, finish);
}

void RunRowsGemv(const float* left, const float* right, std::size_t stride, std::size_t depth,
                 std::size_t columns, float* out, const GemmEpilogue& finish) {
  RunStoredGemv(left, {FloatKind::kFloat, reinterpret_cast<const std::byte*>(right), stride, 1}, depth,
                columns, out, finish);
}

void RunColumnsGemv(const float* left, const float* right, std::size_t stride, std::size_t depth,
                    std::size_t columns, float* out, const GemmEpilogue& finish) {
  RunStoredGemv(left, {FloatKind::kFloat, reinterpret_cast<const std::byte*>(right), 1, stride}, depth,
                columns, out, finish);
}

}  // namespace foothold
#endif
