// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/rms_rows.h"

#include <algorithm>
#include <cmath>

#include "kernels/float_memory.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rms_rows.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which it needs.
#include "kernels/float_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using RmsTag = hn::ScalableTag<float>;
using RmsVec = hn::Vec<RmsTag>;

constexpr std::size_t kRmsBlock = 4096;  // elements summed in float

// The elements from `i` on; kSecond: of the sum of two rows.
template <bool kSecond, typename T>
HWY_INLINE RmsVec RowLanes(const T* first, const T* second, std::size_t i) {
  const RmsTag d;
  if constexpr (!kSecond) return LoadLanes(d, first + i);
  return hn::Add(LoadLanes(d, first + i), LoadLanes(d, second + i));
}
template <bool kSecond, typename T>
HWY_INLINE float RowElement(const T* first, const T* second, std::size_t i) {
  return kSecond ? static_cast<float>(first[i]) + static_cast<float>(second[i])
                 : static_cast<float>(first[i]);
}

template <bool kSecond, typename T>
HWY_INLINE float SquaresOfBlock(const T* first, const T* second, std::size_t begin, std::size_t end) {
  const RmsTag d;
  const std::size_t lanes = hn::Lanes(d);
  RmsVec sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  std::size_t i = begin;
  for (; i + 4 * lanes <= end; i += 4 * lanes)
    for (std::size_t part = 0; part < 4; ++part) {
      const auto x = RowLanes<kSecond>(first, second, i + part * lanes);
      sums[part] = hn::MulAdd(x, x, sums[part]);
    }
  for (; i + lanes <= end; i += lanes) {
    const auto x = RowLanes<kSecond>(first, second, i);
    sums[0] = hn::MulAdd(x, x, sums[0]);
  }
  const auto sum = hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
  float total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < end; ++i) {
    const float x = RowElement<kSecond>(first, second, i);
    total += x * x;
  }
  return total;
}

template <bool kSecond, typename T>
void ScaleRow(const RmsRow& row, const T* first, const T* second, float scale) {
  const RmsTag d;
  const std::size_t lanes = hn::Lanes(d);
  T* out = reinterpret_cast<T*>(row.out);
  T* sum = reinterpret_cast<T*>(row.sum);
  std::size_t i = 0;
  for (; i + lanes <= row.count; i += lanes) {
    const auto x = RowLanes<kSecond>(first, second, i);
    if (sum != nullptr) StoreLanes(d, x, sum + i);
    StoreLanes(d, hn::Mul(hn::Mul(x, hn::Set(d, scale)), hn::LoadU(d, row.gamma + i)), out + i);
  }
  for (; i < row.count; ++i) {
    const float x = RowElement<kSecond>(first, second, i);
    if (sum != nullptr) sum[i] = T(x);
    out[i] = T(x * scale * row.gamma[i]);
  }
}

template <bool kSecond, typename T>
float NormalizeTyped(const RmsRow& row, float epsilon) {
  const T* first = reinterpret_cast<const T*>(row.first);
  const T* second = reinterpret_cast<const T*>(row.second);
  double squares = 0;
  for (std::size_t begin = 0; begin < row.count; begin += kRmsBlock)
    squares += SquaresOfBlock<kSecond>(first, second, begin, std::min(row.count, begin + kRmsBlock));
  const auto mean = static_cast<float>(squares / static_cast<double>(row.count));
  const float scale = 1.0f / std::sqrt(mean + epsilon);
  ScaleRow<kSecond>(row, first, second, scale);
  return scale;
}

float NormalizeRmsOf(const RmsRow& row, float epsilon) {
  float scale = 0;
  VisitFloats(row.type, [&](auto sample) HWY_ATTR {
    using T = decltype(sample);
    scale = row.second == nullptr ? NormalizeTyped<false, T>(row, epsilon)
                                  : NormalizeTyped<true, T>(row, epsilon);
  });
  return scale;
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(NormalizeRmsOf);
}  // namespace

float NormalizeRms(const RmsRow& row, float epsilon) {
  return HWY_DYNAMIC_DISPATCH(NormalizeRmsOf)(row, epsilon);
}

}  // namespace foothold
#endif
