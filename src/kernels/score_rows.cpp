// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/score_rows.h"

#include <algorithm>
#include <limits>

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/score_rows.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which it needs.
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// NaN wins.
template <class D>
HWY_INLINE hn::Vec<D> Larger(D, hn::Vec<D> most, hn::Vec<D> x) {
  return hn::IfThenElse(hn::Or(hn::Gt(x, most), hn::IsNaN(x)), x, most);
}

// As many columns as the tag has lanes, from column i on.
template <class D>
HWY_INLINE hn::Vec<D> Shifted(D d, const ScoreRule& rule, const float* scores, std::size_t i) {
  auto x = hn::LoadU(d, scores + i);
  x = rule.shift == nullptr ? hn::Mul(x, hn::Set(d, rule.scale))
                            : hn::MulAdd(x, hn::Set(d, rule.scale), hn::LoadU(d, rule.shift + i));
  if (rule.mask == nullptr) return x;
  const hn::RebindToUnsigned<D> words;
  const hn::Rebind<std::uint8_t, D> bytes;
  const auto mask = hn::PromoteTo(words, hn::LoadU(bytes, rule.mask + i));
  const auto seen = hn::RebindMask(d, hn::Eq(mask, hn::Zero(words)));
  return hn::IfThenElse(seen, x, hn::Set(d, rule.hidden));
}

float ShiftRow(const ScoreRule& rule, float* scores, std::size_t count) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  const std::size_t lanes = hn::Lanes(d);
  auto most = hn::Set(d, -std::numeric_limits<float>::infinity());
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto x = Shifted(d, rule, scores, i);
    most = Larger(d, most, x);
    hn::StoreU(x, d, scores + i);
  }
  HWY_ALIGN float parts[hn::MaxLanes(hn::ScalableTag<float>())];
  hn::Store(most, d, parts);
  auto result = hn::LoadU(one, parts);
  for (std::size_t lane = 1; lane < lanes; ++lane)
    result = Larger(one, result, hn::LoadU(one, parts + lane));
  for (; i < count; ++i) {
    const auto x = Shifted(one, rule, scores, i);
    result = Larger(one, result, x);
    hn::StoreU(x, one, scores + i);
  }
  return hn::GetLane(result);
}

void SoftmaxScoresOf(const ScoreRule& rule, float* scores, std::size_t count) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  const std::size_t lanes = hn::Lanes(d), whole = count / lanes * lanes;
  const float most = ShiftRow(rule, scores, count);
  auto sums = hn::Zero(d);
  for (std::size_t i = 0; i < whole; i += lanes) {
    const auto term = Exp(d, hn::Sub(hn::LoadU(d, scores + i), hn::Set(d, most)));
    sums = hn::Add(sums, term);
    hn::StoreU(term, d, scores + i);
  }
  float sum = hn::GetLane(hn::SumOfLanes(d, sums));
  for (std::size_t i = whole; i < count; ++i) {
    const auto term = Exp(one, hn::Sub(hn::LoadU(one, scores + i), hn::Set(one, most)));
    sum += hn::GetLane(term);
    hn::StoreU(term, one, scores + i);
  }
  const float factor = 1.0f / sum;
  for (std::size_t i = 0; i < whole; i += lanes)
    hn::StoreU(hn::Mul(hn::LoadU(d, scores + i), hn::Set(d, factor)), d, scores + i);
  for (std::size_t i = whole; i < count; ++i)
    scores[i] *= factor;
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(SoftmaxScoresOf);
}  // namespace

void SoftmaxScores(const ScoreRule& rule, float* scores, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(SoftmaxScoresOf)(rule, scores, count);
}

}  // namespace foothold
#endif
