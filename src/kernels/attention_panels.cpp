// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/attention_panels.h"

#include <limits>

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attention_panels.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which it needs.
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using PanelTag = hn::ScalableTag<float>;
using PanelVec = hn::Vec<PanelTag>;

// The vector of columns from `column` on.
HWY_INLINE bool SoftenColumns(float* scores, const float* shift, std::size_t keys, std::size_t column,
                              const PanelState& state) {
  const PanelTag d;
  const std::size_t width = 2 * hn::Lanes(d);
  const auto before = hn::LoadU(d, state.most + column);
  auto most = before;
  for (std::size_t i = column; i < keys * width; i += width) {
    auto x = hn::LoadU(d, scores + i);
    if (shift != nullptr) hn::StoreU(x = hn::Add(x, hn::LoadU(d, shift + i)), d, scores + i);
    most = hn::Max(most, x);
  }
  const auto hidden = hn::Set(d, -std::numeric_limits<float>::infinity());
  const auto base = hn::IfThenZeroElse(hn::Eq(most, hidden), most);
  auto sum = hn::Zero(d);
  for (std::size_t i = column; i < keys * width; i += width) {
    const auto term = Exp(d, hn::Sub(hn::LoadU(d, scores + i), base));
    hn::StoreU(term, d, scores + i);
    sum = hn::Add(sum, term);
  }
  const auto one = hn::Set(d, 1.0f);
  const auto factor = hn::IfThenElse(hn::Eq(most, before), one, Exp(d, hn::Sub(before, base)));
  hn::StoreU(factor, d, state.factor + column);
  hn::StoreU(most, d, state.most + column);
  hn::StoreU(hn::MulAdd(hn::LoadU(d, state.sum + column), factor, sum), d, state.sum + column);
  return !hn::AllTrue(d, hn::Eq(factor, one));
}

bool SoftenPanelOf(float* scores, const float* shift, std::size_t keys, const PanelState& state) {
  const bool first = SoftenColumns(scores, shift, keys, 0, state);
  return SoftenColumns(scores, shift, keys, hn::Lanes(PanelTag()), state) || first;
}

template <typename Function>
HWY_INLINE void EachRow(float* panel, std::size_t rows, const float* numbers, const Function& function) {
  const PanelTag d;
  const std::size_t lanes = hn::Lanes(d), width = 2 * lanes;
  const auto first = hn::LoadU(d, numbers), second = hn::LoadU(d, numbers + lanes);
  for (std::size_t i = 0; i < rows * width; i += width) {
    hn::StoreU(function(hn::LoadU(d, panel + i), first), d, panel + i);
    hn::StoreU(function(hn::LoadU(d, panel + i + lanes), second), d, panel + i + lanes);
  }
}

void ScalePanelOf(float* panel, std::size_t rows, const float* factors) {
  EachRow(panel, rows, factors, [](PanelVec x, PanelVec factor) HWY_ATTR { return hn::Mul(x, factor); });
}

void DividePanelOf(float* panel, std::size_t rows, const float* sums) {
  EachRow(panel, rows, sums, [](PanelVec x, PanelVec sum) HWY_ATTR {
    return hn::IfThenZeroElse(hn::Eq(sum, hn::Zero(PanelTag())), hn::Div(x, sum));
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(SoftenPanelOf);
HWY_EXPORT(ScalePanelOf);
HWY_EXPORT(DividePanelOf);
}  // namespace

bool SoftenPanel(float* scores, const float* shift, std::size_t keys, const PanelState& state) {
  return HWY_DYNAMIC_DISPATCH(SoftenPanelOf)(scores, shift, keys, state);
}

void ScalePanel(float* panel, std::size_t rows, const float* factors) {
  HWY_DYNAMIC_DISPATCH(ScalePanelOf)(panel, rows, factors);
}

void DividePanel(float* panel, std::size_t rows, const float* sums) {
  HWY_DYNAMIC_DISPATCH(DividePanelOf)(panel, rows, sums);
}

}  // namespace foothold
#endif
