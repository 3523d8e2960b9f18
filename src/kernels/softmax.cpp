// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/softmax.h"

#include <algorithm>
#include <type_traits>

#include "kernels/float_memory.h"
#include "kernels/parallel_items.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which they need.
#include "kernels/float_lanes-inl.h"
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of any length, so that edges and columns take the same way.
template <class D>
HWY_INLINE hn::Vec<D> LargerOrNaN(D, hn::Vec<D> most, hn::Vec<D> x) {
  return hn::IfThenElse(hn::Or(hn::Gt(x, most), hn::IsNaN(x)), x, most);
}

// A NaN is passed over or wins: the terms are NaN anyway.
template <typename T>
float RowMax(const T* row, std::size_t count) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto low = hn::Set(d, -std::numeric_limits<float>::infinity());
  auto a = low, b = low, e = low, f = low;
  std::size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    a = hn::Max(LoadLanes(d, row + i), a);
    b = hn::Max(LoadLanes(d, row + i + lanes), b);
    e = hn::Max(LoadLanes(d, row + i + 2 * lanes), e);
    f = hn::Max(LoadLanes(d, row + i + 3 * lanes), f);
  }
  for (; i + lanes <= count; i += lanes)
    a = hn::Max(LoadLanes(d, row + i), a);
  float most = hn::GetLane(hn::MaxOfLanes(d, hn::Max(hn::Max(a, b), hn::Max(e, f))));
  for (; i < count; ++i)
    most = std::max(most, static_cast<float>(row[i]));
  return most;
}

// The sum of exp(row - most); with `store` the terms go to `terms`.
template <bool kStore, typename T>
float RowExpSum(const T* row, std::size_t count, float most, float* terms) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  const std::size_t lanes = hn::Lanes(d);
  const auto shift = hn::Set(d, most);
  auto sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto term = Exp(d, hn::Sub(LoadLanes(d, row + i), shift));
    if constexpr (kStore) hn::StoreU(term, d, terms + i);
    sum = hn::Add(sum, term);
  }
  float total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < count; ++i) {
    const auto term = Exp(one, hn::Set(one, static_cast<float>(row[i]) - most));
    if constexpr (kStore) hn::StoreU(term, one, terms + i);
    total += hn::GetLane(term);
  }
  return total;
}

// to[i] = from[i] * factor + shift
template <typename From, typename T>
void ScaleInto(const From* from, std::size_t count, float factor, float shift, T* to) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    StoreLanes(d, hn::MulAdd(LoadLanes(d, from + i), hn::Set(d, factor), hn::Set(d, shift)), to + i);
  for (; i < count; ++i)
    to[i] = T(static_cast<float>(from[i]) * factor + shift);
}

// `terms` has room for a row; the output itself if that is float.
template <typename T>
void SoftmaxRow(SoftmaxKind kind, const T* row, std::size_t count, T* to, float* terms) {
  const float most = RowMax(row, count);
  if (kind == SoftmaxKind::kSoftmax)
    ScaleInto(terms, count, 1.0f / RowExpSum<true>(row, count, most, terms), 0.0f, to);
  else
    ScaleInto(row, count, 1.0f, -most - std::log(RowExpSum<false>(row, count, most, terms)), to);
}

// As many columns as the tag has lanes.
template <class D, typename T>
void SoftmaxColumns(D d, SoftmaxKind kind, const T* from, std::size_t count, std::size_t inner, T* to) {
  auto most = LoadLanes(d, from);
  for (std::size_t k = 1; k < count; ++k)
    most = LargerOrNaN(d, most, LoadLanes(d, from + k * inner));
  auto sum = hn::Zero(d);
  for (std::size_t k = 0; k < count; ++k)
    sum = hn::Add(sum, Exp(d, hn::Sub(LoadLanes(d, from + k * inner), most)));
  const auto shift = hn::Add(most, Log(d, sum));
  for (std::size_t k = 0; k < count; ++k) {
    const auto x = LoadLanes(d, from + k * inner);
    const auto y = kind == SoftmaxKind::kSoftmax ? hn::Div(Exp(d, hn::Sub(x, most)), sum) : hn::Sub(x, shift);
    StoreLanes(d, y, to + k * inner);
  }
}

template <typename T>
void SoftmaxPlane(SoftmaxKind kind, const T* from, std::size_t count, std::size_t inner, T* to) {
  const hn::ScalableTag<float> d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= inner; i += hn::Lanes(d))
    SoftmaxColumns(d, kind, from + i, count, inner, to + i);
  for (; i < inner; ++i)
    SoftmaxColumns(hn::CappedTag<float, 1>(), kind, from + i, count, inner, to + i);
}

void SoftmaxItem(SoftmaxKind kind, ElementType type, const std::byte* from, std::size_t count,
                 std::size_t inner, std::byte* to, float* terms) {
  VisitFloats(type, [&](auto sample) HWY_ATTR {
    using T = decltype(sample);
    const T* x = reinterpret_cast<const T*>(from);
    T* y = reinterpret_cast<T*>(to);
    if (inner > 1) return SoftmaxPlane(kind, x, count, inner, y);
    if constexpr (std::is_same_v<T, float>) terms = y;
    SoftmaxRow(kind, x, count, y, terms);
  });
}

// The sum of the gradients, of a softmax times its values.
template <bool kPlain>
float SoftmaxGradientSum(const float* y, const float* dy, std::size_t count) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  auto sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto g = hn::LoadU(d, dy + i);
    sum = kPlain ? hn::MulAdd(g, hn::LoadU(d, y + i), sum) : hn::Add(sum, g);
  }
  float total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < count; ++i)
    total += kPlain ? dy[i] * y[i] : dy[i];
  return total;
}

template <bool kPlain, class D>
HWY_INLINE void SoftmaxGradientLanes(D d, const float* y, const float* dy, float sum, float* dx) {
  const auto value = hn::LoadU(d, y), g = hn::LoadU(d, dy), total = hn::Set(d, sum);
  const auto out = kPlain ? hn::Mul(value, hn::Sub(g, total)) : hn::NegMulAdd(Exp(d, value), total, g);
  hn::StoreU(out, d, dx);
}

template <bool kPlain>
void SoftmaxRowGradient(const float* y, const float* dy, std::size_t count, float* dx) {
  const hn::ScalableTag<float> d;
  const float sum = SoftmaxGradientSum<kPlain>(y, dy, count);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d))
    SoftmaxGradientLanes<kPlain>(d, y + i, dy + i, sum, dx + i);
  for (; i < count; ++i)
    SoftmaxGradientLanes<kPlain>(hn::CappedTag<float, 1>(), y + i, dy + i, sum, dx + i);
}

void SoftmaxGradientOfRow(SoftmaxKind kind, const float* y, const float* dy, std::size_t count, float* dx) {
  kind == SoftmaxKind::kSoftmax ? SoftmaxRowGradient<true>(y, dy, count, dx)
                                : SoftmaxRowGradient<false>(y, dy, count, dx);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(SoftmaxItem);
HWY_EXPORT(SoftmaxGradientOfRow);

constexpr std::size_t kTogether = 4096;  // elements worth a turn

std::size_t TermsOf(const SoftmaxSizes& sizes) {
  return sizes.type == ElementType::kFloat || sizes.inner > 1 ? 0 : (sizes.count + 15) / 16 * 16;
}

std::size_t SlotsOf(const SoftmaxSizes& sizes) {
  constexpr double kWorkPerElement = 20;
  return SlotsFor(sizes.outer, kWorkPerElement * double(sizes.outer) * double(sizes.count * sizes.inner));
}
}  // namespace

std::size_t SoftmaxWorkspace(const SoftmaxSizes& sizes) {
  return SlotsOf(sizes) * TermsOf(sizes) * sizeof(float);
}

void SoftmaxElements(SoftmaxKind kind, const SoftmaxSizes& sizes, const std::byte* input, std::byte* output,
                     std::byte* workspace) {
  if (sizes.count == 0 || sizes.inner == 0) return;
  const std::size_t size = sizes.count * sizes.inner, together = 1 + kTogether / size;
  auto* terms = reinterpret_cast<float*>(workspace);
  ForEachItem((sizes.outer + together - 1) / together, SlotsOf(sizes),
              [&](std::size_t slot, std::size_t item) {
                const std::size_t end = std::min(sizes.outer, (item + 1) * together);
                for (std::size_t i = item * together; i < end; ++i)
                  HWY_DYNAMIC_DISPATCH(SoftmaxItem)
                (kind, sizes.type, ElementAt(sizes.type, input, i * size), sizes.count, sizes.inner,
                 ElementAt(sizes.type, output, i * size), terms + slot * TermsOf(sizes));
              });
}

void SoftmaxGradientRows(SoftmaxKind kind, const float* output, const float* gradient, std::size_t rows,
                         std::size_t count, float* input_gradient) {
  ParallelFor(rows, 1 + kTogether / (1 + count), [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      HWY_DYNAMIC_DISPATCH(SoftmaxGradientOfRow)
    (kind, output + row * count, gradient + row * count, count, input_gradient + row * count);
  });
}

void SoftmaxFloats(SoftmaxKind kind, const float* input, std::size_t outer, std::size_t count,
                   std::size_t inner, float* output) {
  SoftmaxElements(kind, {ElementType::kFloat, outer, count, inner}, reinterpret_cast<const std::byte*>(input),
                  reinterpret_cast<std::byte*>(output), nullptr);
}

}  // namespace foothold
#endif
