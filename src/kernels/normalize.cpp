// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/normalize.h"

#include <algorithm>
#include <limits>

#include "base/thread_pool.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/normalize.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#ifndef FOOTHOLD_KERNELS_NORMALIZE_BLOCKS
#define FOOTHOLD_KERNELS_NORMALIZE_BLOCKS
namespace foothold {
namespace {
constexpr std::size_t kBlock = 1024;     // elements of a row, or rows of a column, summed in float
constexpr std::size_t kColumnStep = 64;  // columns summed at a time
}  // namespace
}  // namespace foothold
#endif

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;

template <bool kSquares>
HWY_INLINE hn::Vec<Floats> Term(hn::Vec<Floats> x, hn::Vec<Floats> mean, hn::Vec<Floats> sum) {
  if constexpr (!kSquares) return hn::Add(sum, x);
  const auto away = hn::Sub(x, mean);
  return hn::MulAdd(away, away, sum);
}

template <bool kSquares>
float BlockSum(const float* row, std::size_t count, float mean) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto center = hn::Set(d, mean);
  auto a = hn::Zero(d), b = hn::Zero(d);
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    a = Term<kSquares>(hn::LoadU(d, row + i), center, a);
    b = Term<kSquares>(hn::LoadU(d, row + i + lanes), center, b);
  }
  float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(a, b)));
  for (; i < count; ++i)
    sum += kSquares ? (row[i] - mean) * (row[i] - mean) : row[i];
  return sum;
}

// The sum of a row, or of the squares of its distances from `mean`.
double RowSum(const float* row, std::size_t count, bool squares, float mean) {
  double sum = 0;
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    const std::size_t length = std::min(kBlock, count - begin);
    sum += squares ? BlockSum<true>(row + begin, length, mean) : BlockSum<false>(row + begin, length, mean);
  }
  return sum;
}

// sums[j] of column j of `rows` rows; at most kColumnStep columns.
template <bool kSquares>
void ColumnBlock(const float* from, std::size_t rows, std::size_t stride, std::size_t columns,
                 const float* means, float* sums) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t j = 0;
  for (; j + lanes <= columns; j += lanes) {
    const auto center = hn::LoadU(d, means + j);
    auto sum = hn::Zero(d);
    for (std::size_t i = 0; i < rows; ++i)
      sum = Term<kSquares>(hn::LoadU(d, from + i * stride + j), center, sum);
    hn::StoreU(sum, d, sums + j);
  }
  for (; j < columns; ++j) {
    sums[j] = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const float x = from[i * stride + j];
      sums[j] += kSquares ? (x - means[j]) * (x - means[j]) : x;
    }
  }
}

void ColumnSums(const float* from, std::size_t rows, std::size_t stride, std::size_t columns, bool squares,
                const float* means, double* totals) {
  float sums[kColumnStep];
  std::fill_n(totals, columns, 0.0);
  for (std::size_t begin = 0; begin < rows; begin += kBlock) {
    const std::size_t length = std::min(kBlock, rows - begin);
    if (squares)
      ColumnBlock<true>(from + begin * stride, length, stride, columns, means, sums);
    else
      ColumnBlock<false>(from + begin * stride, length, stride, columns, means, sums);
    for (std::size_t j = 0; j < columns; ++j)
      totals[j] += sums[j];
  }
}

void NormalizeRowOf(const float* row, std::size_t count, float mean, float scale, const float* gamma,
                    const float* beta, float* out) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto center = hn::Set(d, mean), factor = hn::Set(d, scale);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    auto value = hn::Mul(hn::Sub(hn::LoadU(d, row + i), center), factor);
    if (gamma != nullptr) value = hn::Mul(value, hn::LoadU(d, gamma + i));
    if (beta != nullptr) value = hn::Add(value, hn::LoadU(d, beta + i));
    hn::StoreU(value, d, out + i);
  }
  for (; i < count; ++i) {
    const float value = (row[i] - mean) * scale * (gamma == nullptr ? 1.0f : gamma[i]);
    out[i] = beta == nullptr ? value : value + beta[i];
  }
}

// One plane, or one row of channels with `step` 1.
void NormalizePlane(const float* from, std::size_t count, const float* mean, const float* scale,
                    const float* shift, bool by_element, float* out) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto center = by_element ? hn::LoadU(d, mean + i) : hn::Set(d, *mean);
    const auto factor = by_element ? hn::LoadU(d, scale + i) : hn::Set(d, *scale);
    const auto add = by_element ? hn::LoadU(d, shift + i) : hn::Set(d, *shift);
    hn::StoreU(hn::MulAdd(hn::Sub(hn::LoadU(d, from + i), center), factor, add), d, out + i);
  }
  for (; i < count; ++i) {
    const std::size_t at = by_element ? i : 0;
    out[i] = (from[i] - mean[at]) * scale[at] + shift[at];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(RowSum);
HWY_EXPORT(ColumnSums);
HWY_EXPORT(NormalizeRowOf);
HWY_EXPORT(NormalizePlane);

constexpr std::size_t kWorthAThread = 32768;

double PlanesSum(const ChannelLayout& layout, const float* input, std::size_t channel, bool squares,
                 float mean) {
  double sum = 0;
  for (std::size_t i = 0; i < layout.outer; ++i)
    sum += HWY_DYNAMIC_DISPATCH(RowSum)(input + (i * layout.channels + channel) * layout.inner, layout.inner,
                                        squares, mean);
  return sum;
}

void PlaneMoments(const ChannelLayout& layout, const float* input, float* mean, float* variance) {
  const auto count = static_cast<double>(layout.Count());
  ParallelFor(layout.channels, 1 + kWorthAThread / (1 + layout.Count()),
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t c = begin; c < end; ++c) {
                  mean[c] = static_cast<float>(PlanesSum(layout, input, c, false, 0.0f) / count);
                  variance[c] = static_cast<float>(PlanesSum(layout, input, c, true, mean[c]) / count);
                }
              });
}

void ColumnMoments(const ChannelLayout& layout, const float* input, float* mean, float* variance) {
  const std::size_t blocks = (layout.channels + kColumnStep - 1) / kColumnStep;
  const std::size_t grain = 1 + kWorthAThread / (1 + layout.outer * kColumnStep);
  ParallelFor(blocks, grain, [&](std::size_t begin, std::size_t end) {
    double totals[kColumnStep];
    for (std::size_t c = begin * kColumnStep; c < std::min(layout.channels, end * kColumnStep);
         c += kColumnStep) {
      const std::size_t columns = std::min(kColumnStep, layout.channels - c);
      for (float* out : {mean, variance}) {
        HWY_DYNAMIC_DISPATCH(ColumnSums)
        (input + c, layout.outer, layout.channels, columns, out == variance, mean + c, totals);
        for (std::size_t j = 0; j < columns; ++j)
          out[c + j] = static_cast<float>(totals[j] / static_cast<double>(layout.outer));
      }
    }
  });
}

}  // namespace

Moments RowMoments(const float* row, std::size_t count) {
  const auto divisor = static_cast<double>(count);
  Moments moments;
  moments.mean = static_cast<float>(HWY_DYNAMIC_DISPATCH(RowSum)(row, count, false, 0.0f) / divisor);
  moments.variance =
      static_cast<float>(HWY_DYNAMIC_DISPATCH(RowSum)(row, count, true, moments.mean) / divisor);
  return moments;
}

void NormalizeRow(const float* row, std::size_t count, float mean, float scale, const float* gamma,
                  const float* beta, float* out) {
  HWY_DYNAMIC_DISPATCH(NormalizeRowOf)(row, count, mean, scale, gamma, beta, out);
}

void ChannelMoments(const ChannelLayout& layout, const float* input, float* mean, float* variance) {
  if (layout.inner == 1) {
    std::fill_n(mean, layout.channels, 0.0f);  // read, although not used, by the first of the two sums
    ColumnMoments(layout, input, mean, variance);
  } else {
    PlaneMoments(layout, input, mean, variance);
  }
}

void NormalizeChannels(const ChannelLayout& layout, const float* input, const float* mean, const float* scale,
                       const float* shift, float* out) {
  const bool columns = layout.inner == 1;
  const std::size_t rows = columns ? layout.outer : layout.outer * layout.channels;
  const std::size_t length = columns ? layout.channels : layout.inner;
  ParallelFor(rows, 1 + kWorthAThread / (1 + length), [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::size_t channel = columns ? 0 : row % layout.channels;
      HWY_DYNAMIC_DISPATCH(NormalizePlane)
      (input + row * length, length, mean + channel, scale + channel, shift + channel, columns,
       out + row * length);
    }
  });
}

}  // namespace foothold
#endif
