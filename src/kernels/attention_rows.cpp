// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/attention_rows.h"

#include <cmath>
#include <limits>

#include "kernels/float_memory.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attention_rows.cpp"
#endif
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which they need.
#include "kernels/float_lanes-inl.h"
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using LineTag = hn::ScalableTag<float>;
using LineVec = hn::Vec<LineTag>;

constexpr std::size_t kRowsAhead = 8;

// Rows that lie apart, often pages; a CPU fetches those that lie side by side by itself, and better.
template <typename T>
HWY_INLINE void FetchAhead(const T* row, std::size_t stride, std::size_t depth) {
  constexpr std::size_t kStep = 64 / sizeof(T);
  if (stride <= depth) return;
  for (std::size_t i = 0; i < depth; i += kStep)
    hwy::Prefetch(row + kRowsAhead * stride + i);
}

template <typename T>
void WidenTyped(const KeyRows& rows, float* to) {
  const LineTag d;
  const std::size_t lanes = hn::Lanes(d);
  const T* row = reinterpret_cast<const T*>(rows.data);
  for (std::size_t j = 0; j < rows.count; ++j, row += rows.stride, to += rows.depth) {
    FetchAhead(row, rows.stride, rows.depth);
    std::size_t i = 0;
    for (; i + lanes <= rows.depth; i += lanes)
      hn::StoreU(LoadLanes(d, row + i), d, to + i);
    for (; i < rows.depth; ++i)
      to[i] = static_cast<float>(row[i]);
  }
}

void WidenRowsOf(const KeyRows& rows, float* to) {
  VisitFloats(rows.type, [&](auto sample) HWY_ATTR { WidenTyped<decltype(sample)>(rows, to); });
}

// Some keys with some lines: every vector of keys is used by all lines.
template <std::size_t kLines, std::size_t kKeys, typename T>
HWY_INLINE void ScoreBlock(const T* keys, std::size_t stride, std::size_t depth, Lines<const float> queries,
                           Lines<float> scores) {
  const LineTag d;
  const std::size_t lanes = hn::Lanes(d);
  LineVec sums[kLines][kKeys];
  for (auto& line : sums)
    for (LineVec& sum : line)
      sum = hn::Zero(d);
  const auto add = [&](const LineVec* rows, std::size_t at) HWY_ATTR {
    for (std::size_t i = 0; i < kLines; ++i) {
      const auto query = hn::LoadU(d, queries.data + i * queries.stride + at);
      for (std::size_t j = 0; j < kKeys; ++j)
        sums[i][j] = hn::MulAdd(query, rows[j], sums[i][j]);
    }
  };
  LineVec rows[kKeys];
  std::size_t at = 0;
  for (; at + lanes <= depth; at += lanes) {
    for (std::size_t j = 0; j < kKeys; ++j)
      rows[j] = LoadLanes(d, keys + j * stride + at);
    add(rows, at);
  }
  if (at < depth) {
    for (std::size_t j = 0; j < kKeys; ++j)
      rows[j] = LoadSome(d, keys + j * stride + at, depth - at);
    add(rows, at);
  }
  for (std::size_t i = 0; i < kLines; ++i)
    for (std::size_t j = 0; j < kKeys; ++j)
      scores.data[i * scores.stride + j] = hn::GetLane(hn::SumOfLanes(d, sums[i][j]));
}

template <std::size_t kLines, std::size_t kKeys, typename T>
void ScoreAllKeys(const KeyRows& keys, Lines<const float> queries, Lines<float> scores, bool first) {
  const T* row = reinterpret_cast<const T*>(keys.data);
  std::size_t j = 0;
  for (; j + kKeys <= keys.count; j += kKeys, row += kKeys * keys.stride) {
    for (std::size_t i = 0; i < kKeys && first; ++i)
      FetchAhead(row + i * keys.stride, keys.stride, keys.depth);
    ScoreBlock<kLines, kKeys>(row, keys.stride, keys.depth, queries, {scores.data + j, scores.stride});
  }
  for (; j < keys.count; ++j, row += keys.stride)
    ScoreBlock<kLines, 1>(row, keys.stride, keys.depth, queries, {scores.data + j, scores.stride});
}

void ScoreLinesOf(const KeyRows& keys, Lines<const float> queries, std::size_t lines, Lines<float> scores) {
  VisitFloats(keys.type, [&](auto sample) HWY_ATTR {
    using T = decltype(sample);
    for (std::size_t i = 0; i < lines;) {
      const Lines<const float> from{queries.data + i * queries.stride, queries.stride};
      const Lines<float> to{scores.data + i * scores.stride, scores.stride};
      if (lines - i >= 4) {
        ScoreAllKeys<4, 2, T>(keys, from, to, i == 0);
        i += 4;
      } else if (lines - i >= 2) {
        ScoreAllKeys<2, 4, T>(keys, from, to, i == 0);
        i += 2;
      } else {
        ScoreAllKeys<1, 4, T>(keys, from, to, i == 0);
        i += 1;
      }
    }
  });
}

// kVectors columns of vectors from `at` on; `some`: only so many elements of the last one are there.
template <std::size_t kLines, std::size_t kVectors, typename T>
HWY_INLINE void ValueBlock(const KeyRows& values, std::size_t at, std::size_t some, bool first,
                           Lines<const float> weights, const float* factors, Lines<float> sums) {
  const LineTag d;
  const std::size_t lanes = hn::Lanes(d);
  LineVec totals[kLines][kVectors];
  for (std::size_t i = 0; i < kLines; ++i)
    for (std::size_t v = 0; v < kVectors; ++v)
      totals[i][v] =
          hn::Mul(hn::LoadU(d, sums.data + i * sums.stride + at + v * lanes), hn::Set(d, factors[i]));
  const T* row = reinterpret_cast<const T*>(values.data) + at;
  for (std::size_t key = 0; key < values.count; ++key, row += values.stride) {
    if (first) FetchAhead(row, values.stride, values.depth);
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto value = some == 0 ? LoadLanes(d, row + v * lanes) : LoadSome(d, row + v * lanes, some);
      for (std::size_t i = 0; i < kLines; ++i)
        totals[i][v] = hn::MulAdd(hn::Set(d, weights.data[i * weights.stride + key]), value, totals[i][v]);
    }
  }
  for (std::size_t i = 0; i < kLines; ++i)
    for (std::size_t v = 0; v < kVectors; ++v)
      hn::StoreU(totals[i][v], d, sums.data + i * sums.stride + at + v * lanes);
}

template <std::size_t kLines, std::size_t kMost, typename T>
void AddAllValues(const KeyRows& values, Lines<const float> weights, const float* factors, Lines<float> sums,
                  bool first) {
  const std::size_t lanes = hn::Lanes(LineTag());
  std::size_t at = 0;
  for (; at + kMost * lanes <= values.depth; at += kMost * lanes)
    ValueBlock<kLines, kMost, T>(values, at, 0, first && at == 0, weights, factors, sums);
  for (; at + lanes <= values.depth; at += lanes)
    ValueBlock<kLines, 1, T>(values, at, 0, first && at == 0, weights, factors, sums);
  if (at < values.depth)
    ValueBlock<kLines, 1, T>(values, at, values.depth - at, first && at == 0, weights, factors, sums);
}

void AddValueLinesOf(const KeyRows& values, Lines<const float> weights, std::size_t lines,
                     const float* factors, Lines<float> sums) {
  VisitFloats(values.type, [&](auto sample) HWY_ATTR {
    using T = decltype(sample);
    for (std::size_t i = 0; i < lines;) {
      const Lines<const float> from{weights.data + i * weights.stride, weights.stride};
      const Lines<float> to{sums.data + i * sums.stride, sums.stride};
      if (lines - i >= 4) {
        AddAllValues<4, 4, T>(values, from, factors + i, to, i == 0);
        i += 4;
      } else if (lines - i >= 2) {
        AddAllValues<2, 4, T>(values, from, factors + i, to, i == 0);
        i += 2;
      } else {
        AddAllValues<1, 8, T>(values, from, factors + i, to, i == 0);
        i += 1;
      }
    }
  });
}

// Shifts the scores, and returns the largest one and `most`.
float ShiftLine(float* scores, const float* shift, std::size_t count, float most) {
  const LineTag d;
  const std::size_t lanes = hn::Lanes(d);
  auto largest = hn::Set(d, most);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    auto x = hn::LoadU(d, scores + i);
    if (shift != nullptr) hn::StoreU(x = hn::Add(x, hn::LoadU(d, shift + i)), d, scores + i);
    largest = hn::Max(largest, x);
  }
  most = hn::GetLane(hn::MaxOfLanes(d, largest));
  for (; i < count; ++i) {
    if (shift != nullptr) scores[i] += shift[i];
    most = scores[i] > most ? scores[i] : most;
  }
  return most;
}

float SoftenLineOf(float* scores, const float* shift, std::size_t count, RunningSoftmax& state) {
  const LineTag d;
  const std::size_t lanes = hn::Lanes(d);
  const float most = ShiftLine(scores, shift, count, state.most);
  const float base = most == -std::numeric_limits<float>::infinity() ? 0.0f : most;
  auto sums = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto term = Exp(d, hn::Sub(hn::LoadU(d, scores + i), hn::Set(d, base)));
    sums = hn::Add(sums, term);
    hn::StoreU(term, d, scores + i);
  }
  float sum = hn::GetLane(hn::SumOfLanes(d, sums));
  for (; i < count; ++i) {
    const hn::CappedTag<float, 1> one;
    const auto term = Exp(one, hn::Set(one, scores[i] - base));
    scores[i] = hn::GetLane(term);
    sum += scores[i];
  }
  const float factor = most == state.most ? 1.0f : std::exp(state.most - base);
  state = {most, state.sum * factor + sum};
  return factor;
}

ShiftKind KindOfShiftOf(const float* shift, std::size_t count) {
  constexpr float kHidden = -std::numeric_limits<float>::infinity();
  const LineTag d;
  const std::size_t lanes = hn::Lanes(d);
  auto other = hn::Ne(hn::Zero(d), hn::Zero(d)), seen = other;
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto x = hn::LoadU(d, shift + i);
    other = hn::Or(other, hn::Ne(x, hn::Zero(d)));
    seen = hn::Or(seen, hn::Ne(x, hn::Set(d, kHidden)));
  }
  bool any_other = !hn::AllFalse(d, other), any_seen = !hn::AllFalse(d, seen);
  for (; i < count; ++i) {
    any_other = any_other || shift[i] != 0.0f;
    any_seen = any_seen || shift[i] != kHidden;
  }
  if (!any_seen) return ShiftKind::kHidesAll;
  return any_other ? ShiftKind::kSomething : ShiftKind::kNothing;
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(WidenRowsOf);
HWY_EXPORT(ScoreLinesOf);
HWY_EXPORT(AddValueLinesOf);
HWY_EXPORT(SoftenLineOf);
HWY_EXPORT(KindOfShiftOf);
}  // namespace

void WidenRows(const KeyRows& rows, float* to) {
  HWY_DYNAMIC_DISPATCH(WidenRowsOf)(rows, to);
}

void ScoreLines(const KeyRows& keys, Lines<const float> queries, std::size_t lines, Lines<float> scores) {
  HWY_DYNAMIC_DISPATCH(ScoreLinesOf)(keys, queries, lines, scores);
}

void AddValueLines(const KeyRows& values, Lines<const float> weights, std::size_t lines, const float* factors,
                   Lines<float> sums) {
  HWY_DYNAMIC_DISPATCH(AddValueLinesOf)(values, weights, lines, factors, sums);
}

float SoftenLine(float* scores, const float* shift, std::size_t count, RunningSoftmax& state) {
  return HWY_DYNAMIC_DISPATCH(SoftenLineOf)(scores, shift, count, state);
}

ShiftKind KindOfShift(const float* shift, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(KindOfShiftOf)(shift, count);
}

}  // namespace foothold
#endif
