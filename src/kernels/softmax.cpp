// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/softmax.h"

#include <algorithm>

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which it needs.
#include "hwy/contrib/math/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of any length, so that edges and columns take the same way.
template <class D>
HWY_INLINE hn::Vec<D> MaxOrNaNOf(D, hn::Vec<D> a, hn::Vec<D> b) {
  return hn::IfThenElse(hn::IsNaN(a), a, hn::IfThenElse(hn::IsNaN(b), b, hn::Max(a, b)));
}

template <class D>
HWY_INLINE hn::Vec<D> ExpOf(D d, hn::Vec<D> x) {
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Exp(d, x));  // Exp makes NaN zero
}

float RowMax(const float* row, std::size_t count) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  const std::size_t lanes = hn::Lanes(d);
  auto most = hn::Set(d, -std::numeric_limits<float>::infinity());
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    most = MaxOrNaNOf(d, most, hn::LoadU(d, row + i));
  HWY_ALIGN float parts[hn::MaxLanes(hn::ScalableTag<float>())];
  hn::Store(most, d, parts);
  auto result = hn::LoadU(one, parts);
  for (std::size_t lane = 1; lane < lanes; ++lane)
    result = MaxOrNaNOf(one, result, hn::LoadU(one, parts + lane));
  for (; i < count; ++i)
    result = MaxOrNaNOf(one, result, hn::LoadU(one, row + i));
  return hn::GetLane(result);
}

// The sum of exp(row - most); with `store` the terms go to `to`.
template <bool kStore>
float RowExpSum(const float* row, std::size_t count, float most, float* to) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  const std::size_t lanes = hn::Lanes(d);
  const auto shift = hn::Set(d, most);
  auto sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto term = ExpOf(d, hn::Sub(hn::LoadU(d, row + i), shift));
    if constexpr (kStore) hn::StoreU(term, d, to + i);
    sum = hn::Add(sum, term);
  }
  float total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < count; ++i) {
    const auto term = ExpOf(one, hn::Sub(hn::LoadU(one, row + i), hn::Set(one, most)));
    if constexpr (kStore) hn::StoreU(term, one, to + i);
    total += hn::GetLane(term);
  }
  return total;
}

// to[i] = from[i] * factor + shift
void ScaleInto(const float* from, std::size_t count, float factor, float shift, float* to) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::MulAdd(hn::LoadU(d, from + i), hn::Set(d, factor), hn::Set(d, shift)), d, to + i);
  for (; i < count; ++i)
    to[i] = from[i] * factor + shift;
}

void SoftmaxRow(SoftmaxKind kind, const float* row, std::size_t count, float* to) {
  const float most = RowMax(row, count);
  if (kind == SoftmaxKind::kSoftmax)
    ScaleInto(to, count, 1.0f / RowExpSum<true>(row, count, most, to), 0.0f, to);
  else
    ScaleInto(row, count, 1.0f, -most - std::log(RowExpSum<false>(row, count, most, to)), to);
}

// As many columns as the tag has lanes.
template <class D>
void SoftmaxColumns(D d, SoftmaxKind kind, const float* from, std::size_t count, std::size_t inner,
                    float* to) {
  auto most = hn::LoadU(d, from);
  for (std::size_t k = 1; k < count; ++k)
    most = MaxOrNaNOf(d, most, hn::LoadU(d, from + k * inner));
  auto sum = hn::Zero(d);
  for (std::size_t k = 0; k < count; ++k)
    sum = hn::Add(sum, ExpOf(d, hn::Sub(hn::LoadU(d, from + k * inner), most)));
  const auto shift = hn::Add(most, hn::Log(d, sum));
  for (std::size_t k = 0; k < count; ++k) {
    const auto x = hn::LoadU(d, from + k * inner);
    const auto y =
        kind == SoftmaxKind::kSoftmax ? hn::Div(ExpOf(d, hn::Sub(x, most)), sum) : hn::Sub(x, shift);
    hn::StoreU(y, d, to + k * inner);
  }
}

void SoftmaxPlane(SoftmaxKind kind, const float* from, std::size_t count, std::size_t inner, float* to) {
  const hn::ScalableTag<float> d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= inner; i += hn::Lanes(d))
    SoftmaxColumns(d, kind, from + i, count, inner, to + i);
  for (; i < inner; ++i)
    SoftmaxColumns(hn::CappedTag<float, 1>(), kind, from + i, count, inner, to + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(SoftmaxRow);
HWY_EXPORT(SoftmaxPlane);
}  // namespace

void SoftmaxFloats(SoftmaxKind kind, const float* input, std::size_t outer, std::size_t count,
                   std::size_t inner, float* output) {
  if (count == 0 || inner == 0) return;
  const std::size_t size = count * inner;
  ParallelFor(outer, 1 + 16384 / size, [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      inner == 1
          ? HWY_DYNAMIC_DISPATCH(SoftmaxRow)(kind, input + i * size, count, output + i * size)
          : HWY_DYNAMIC_DISPATCH(SoftmaxPlane)(kind, input + i * size, count, inner, output + i * size);
  });
}

}  // namespace foothold
#endif
