// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/resample.h"

#include <algorithm>

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/resample.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// One row, a vector of results at a time so that the sum stays in a register.
void ResampleRow(const ResampledAxis& axis, const float* x, std::size_t result, float* y) {
  const hn::ScalableTag<float> d;
  const Taps& taps = axis.taps;
  const std::size_t first = taps.begin[result], last = taps.begin[result + 1];
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= axis.inner; i += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (std::size_t k = first; k < last; ++k)
      sum = hn::MulAdd(hn::Set(d, static_cast<float>(taps.weight[k])),
                       hn::LoadU(d, x + taps.place[k] * axis.inner + i), sum);
    hn::StoreU(sum, d, y + i);
  }
  for (; i < axis.inner; ++i) {
    float sum = 0.0f;
    for (std::size_t k = first; k < last; ++k)
      sum += static_cast<float>(taps.weight[k]) * x[taps.place[k] * axis.inner + i];
    y[i] = sum;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {

HWY_EXPORT(ResampleRow);

void Resample(const ResampledAxis& axis, const float* x, float* y) {
  ForEachResampledRow(axis, x, y, [&](const float* from, float* to, std::size_t result) {
    HWY_DYNAMIC_DISPATCH(ResampleRow)(axis, from, result, to);
  });
}

void Resample(const ResampledAxis& axis, const double* x, double* y) {
  const Taps& taps = axis.taps;
  ForEachResampledRow(axis, x, y, [&](const double* from, double* to, std::size_t result) {
    std::fill_n(to, axis.inner, 0.0);
    for (std::size_t k = taps.begin[result]; k < taps.begin[result + 1]; ++k)
      for (std::size_t i = 0; i < axis.inner; ++i)
        to[i] += taps.weight[k] * from[taps.place[k] * axis.inner + i];
  });
}

}  // namespace foothold
#endif
