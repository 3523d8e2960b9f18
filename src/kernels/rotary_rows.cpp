// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/rotary_rows.h"

#include "kernels/float_memory.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rotary_rows.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which it needs.
#include "kernels/float_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
struct TurnedRow {
  const T* x;
  const T* cosine;
  const T* sine;
  T* out;
};

// From places a and b to c and d. Both elements are read before either is written: x may be the result.
template <typename T>
HWY_INLINE void TurnOne(const TurnedRow<T>& row, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
  const auto number = [](T value) { return static_cast<float>(value); };
  const float first = number(row.x[a]), second = number(row.x[b]);
  row.out[c] = T(first * number(row.cosine[c]) - second * number(row.sine[c]));
  row.out[d] = T(second * number(row.cosine[d]) + first * number(row.sine[d]));
}

template <typename T>
HWY_INLINE void TurnHalves(const TurnedRow<T>& row, std::size_t length) {
  const hn::ScalableTag<float> d;
  const std::size_t half = length / 2;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= half; i += hn::Lanes(d)) {
    const auto first = LoadLanes(d, row.x + i), second = LoadLanes(d, row.x + half + i);
    const auto low = hn::Mul(first, LoadLanes(d, row.cosine + i));
    const auto high = hn::Mul(second, LoadLanes(d, row.cosine + half + i));
    StoreLanes(d, hn::NegMulAdd(second, LoadLanes(d, row.sine + i), low), row.out + i);
    StoreLanes(d, hn::MulAdd(first, LoadLanes(d, row.sine + half + i), high), row.out + half + i);
  }
  for (; i < half; ++i)
    TurnOne(row, i, i + half, i, i + half);
}

template <typename T>
HWY_INLINE void TurnPairs(const TurnedRow<T>& row, std::size_t length) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<float> d;
  for (; i + hn::Lanes(d) <= length; i += hn::Lanes(d)) {
    const auto x = LoadLanes(d, row.x + i);
    const auto swapped = hn::Shuffle2301(x);
    const auto turned = hn::OddEven(swapped, hn::Neg(swapped));
    const auto still = hn::Mul(x, LoadLanes(d, row.cosine + i));
    StoreLanes(d, hn::MulAdd(turned, LoadLanes(d, row.sine + i), still), row.out + i);
  }
#endif
  for (; i < length; i += 2)
    TurnOne(row, i, i + 1, i, i + 1);
}

template <typename T>
HWY_INLINE void TurnPairsToHalves(const TurnedRow<T>& row, std::size_t length) {
  for (std::size_t i = 0; i < length / 2; ++i)
    TurnOne(row, 2 * i, 2 * i + 1, i, i + length / 2);
}

template <typename T>
HWY_INLINE void TurnRow(const TurnedRow<T>& row, Turn turn, std::size_t length) {
  switch (turn) {
    case Turn::kHalves:
      return TurnHalves(row, length);
    case Turn::kPairs:
      return TurnPairs(row, length);
    case Turn::kPairsToHalves:
      return TurnPairsToHalves(row, length);
  }
}

template <typename T>
void TurnTyped(const RotaryRows& rows) {
  TurnedRow<T> row{reinterpret_cast<const T*>(rows.x), reinterpret_cast<const T*>(rows.cosine),
                   reinterpret_cast<const T*>(rows.sine), reinterpret_cast<T*>(rows.out)};
  for (std::size_t i = 0; i < rows.count; ++i) {
    TurnRow(row, rows.turn, rows.length);
    row.x += rows.x_stride;
    row.cosine += rows.angle_stride;
    row.sine += rows.angle_stride;
    row.out += rows.out_stride;
  }
}

void TurnRowsOf(const RotaryRows& rows) {
  VisitFloats(rows.type, [&](auto sample) HWY_ATTR { TurnTyped<decltype(sample)>(rows); });
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(TurnRowsOf);
}  // namespace

void TurnRows(const RotaryRows& rows) {
  HWY_DYNAMIC_DISPATCH(TurnRowsOf)(rows);
}

}  // namespace foothold
#endif
