// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/normalize_gradient.h"

#include <algorithm>
#include <cmath>

#include "base/thread_pool.h"
#include "kernels/batch_norm.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/normalize_gradient.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#ifndef FOOTHOLD_KERNELS_NORMALIZE_GRADIENT_SHARED
#define FOOTHOLD_KERNELS_NORMALIZE_GRADIENT_SHARED
namespace foothold {
namespace {

constexpr std::size_t kGradientBlock = 1024;  // elements of a row, or rows of a column, summed in float
constexpr std::size_t kGradientColumns = 64;  // summed at a time

struct RowSums {
  double sum = 0, product = 0;
};

}  // namespace
}  // namespace foothold
#endif

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;

// Sums of gradient * gamma, and of that times the distance from the mean; at most kGradientBlock elements.
RowSums BlockSums(const float* gradient, const float* input, const float* gamma, std::size_t count,
                  float mean) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto center = hn::Set(d, mean);
  auto s0 = hn::Zero(d), s1 = s0, p0 = s0, p1 = s0;
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    const auto g0 = hn::Mul(hn::LoadU(d, gradient + i), hn::LoadU(d, gamma + i));
    const auto g1 = hn::Mul(hn::LoadU(d, gradient + i + lanes), hn::LoadU(d, gamma + i + lanes));
    s0 = hn::Add(s0, g0);
    s1 = hn::Add(s1, g1);
    p0 = hn::MulAdd(g0, hn::Sub(hn::LoadU(d, input + i), center), p0);
    p1 = hn::MulAdd(g1, hn::Sub(hn::LoadU(d, input + i + lanes), center), p1);
  }
  float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, s1)));
  float product = hn::GetLane(hn::SumOfLanes(d, hn::Add(p0, p1)));
  for (; i < count; ++i) {
    const float scaled = gradient[i] * gamma[i];
    sum += scaled;
    product += scaled * (input[i] - mean);
  }
  return {static_cast<double>(sum), static_cast<double>(product)};
}

RowSums SumsOfRow(const float* gradient, const float* input, const float* gamma, std::size_t count,
                  float mean) {
  RowSums sums;
  for (std::size_t begin = 0; begin < count; begin += kGradientBlock) {
    const std::size_t length = std::min(kGradientBlock, count - begin);
    const RowSums block = BlockSums(gradient + begin, input + begin, gamma + begin, length, mean);
    sums.sum += block.sum;
    sums.product += block.product;
  }
  return sums;
}

// out = deviation * (gradient * gamma - shift - (input - mean) * slope)
void GradientOfRow(const float* gradient, const float* input, const float* gamma, std::size_t count,
                   float mean, float deviation, float shift, float slope, float* out) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  const auto center = hn::Set(d, mean), factor = hn::Set(d, deviation);
  const auto less = hn::Set(d, shift), steep = hn::Set(d, slope);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto scaled = hn::Mul(hn::LoadU(d, gradient + i), hn::LoadU(d, gamma + i));
    const auto away = hn::Sub(hn::LoadU(d, input + i), center);
    hn::StoreU(hn::Mul(factor, hn::NegMulAdd(away, steep, hn::Sub(scaled, less))), d, out + i);
  }
  for (; i < count; ++i)
    out[i] = deviation * (gradient[i] * gamma[i] - shift - (input[i] - mean) * slope);
}

// Adds what some rows give to at most kGradientColumns columns, all in float.
void AddColumns(const float* gradient, const float* input, std::size_t rows, std::size_t stride,
                std::size_t columns, const float* mean, const float* deviation, float* sums,
                float* products) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t row = 0; row < rows; ++row, gradient += stride, input += stride) {
    const auto center = hn::Set(d, mean[row]), factor = hn::Set(d, deviation[row]);
    std::size_t j = 0;
    for (; j + lanes <= columns; j += lanes) {
      const auto g = hn::LoadU(d, gradient + j);
      const auto away = hn::Mul(hn::Sub(hn::LoadU(d, input + j), center), factor);
      hn::StoreU(hn::Add(hn::LoadU(d, sums + j), g), d, sums + j);
      hn::StoreU(hn::MulAdd(g, away, hn::LoadU(d, products + j)), d, products + j);
    }
    for (; j < columns; ++j) {
      sums[j] += gradient[j];
      products[j] += gradient[j] * ((input[j] - mean[row]) * deviation[row]);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(SumsOfRow);
HWY_EXPORT(GradientOfRow);
HWY_EXPORT(AddColumns);

constexpr std::size_t kWorthAThread = 8192;

// Calls visit(element) for all elements of a channel.
template <typename Visit>
void ForEachOf(const ChannelLayout& layout, std::size_t channel, Visit&& visit) {
  for (std::size_t o = 0; o < layout.outer; ++o)
    visit(o * layout.channels + channel);
}

void ChannelsLastGradient(const ChannelLayout& layout, const float* gradient, const float* input,
                          const float* scale, const ChannelStatistics& statistics, bool through_statistics,
                          float* input_gradient, float* scale_gradient, float* offset_gradient) {
  const auto count = static_cast<double>(layout.Count());
  ParallelFor(
      layout.channels, 1 + kWorthAThread / (1 + layout.Count()), [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
          const double mean = statistics.mean[c];
          const double deviation = 1 / std::sqrt(double(statistics.variance[c]) + double(statistics.epsilon));
          double sum = 0, product = 0;
          ForEachOf(layout, c, [&](std::size_t i) {
            sum += gradient[i];
            product += gradient[i] * (input[i] - mean) * deviation;
          });
          const double shift = through_statistics ? sum / count : 0,
                       slope = through_statistics ? product / count : 0;
          ForEachOf(layout, c, [&](std::size_t i) {
            const double away = (input[i] - mean) * deviation;
            input_gradient[i] =
                static_cast<float>(scale[c] * deviation * (gradient[i] - shift - away * slope));
          });
          scale_gradient[c] = static_cast<float>(product);
          offset_gradient[c] = static_cast<float>(sum);
        }
      });
}

// Some columns of a matrix of `rows` rows with the length of the parameters.
struct ParameterColumns {
  std::size_t first, count;
};

void SumColumns(const RowNorm& norm, const float* gradient, const float* input, ParameterColumns columns,
                float* gamma_gradient, float* beta_gradient) {
  double totals[2][kGradientColumns] = {};
  // Rows of the norm may hold the parameters several times.
  const std::size_t repeats = norm.length / norm.parameters;
  for (std::size_t begin = 0; begin < norm.rows; begin += kGradientBlock)
    for (std::size_t part = 0; part < repeats; ++part) {
      float sums[2][kGradientColumns] = {};
      const std::size_t at = begin * norm.length + part * norm.parameters + columns.first;
      HWY_DYNAMIC_DISPATCH(AddColumns)
      (gradient + at, input + at, std::min(kGradientBlock, norm.rows - begin), norm.length, columns.count,
       norm.mean + begin, norm.deviation + begin, sums[0], sums[1]);
      for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < columns.count; ++j)
          totals[i][j] += static_cast<double>(sums[i][j]);
    }
  for (std::size_t j = 0; j < columns.count; ++j) {
    beta_gradient[columns.first + j] = static_cast<float>(totals[0][j]);
    gamma_gradient[columns.first + j] = static_cast<float>(totals[1][j]);
  }
}

// Where rows hold only a part of the parameters.
void SumSparseColumns(const RowNorm& norm, const float* gradient, const float* input, float* gamma_gradient,
                      float* beta_gradient) {
  const std::size_t elements = norm.rows * norm.length;
  for (std::size_t p = 0; p < norm.parameters; ++p) {
    double sum = 0, product = 0;
    for (std::size_t i = p; i < elements; i += norm.parameters) {
      const std::size_t row = i / norm.length;
      sum += gradient[i];
      product += double(gradient[i]) * (double(input[i]) - norm.mean[row]) * norm.deviation[row];
    }
    gamma_gradient[p] = static_cast<float>(product);
    beta_gradient[p] = static_cast<float>(sum);
  }
}

}  // namespace

void ChannelNormGradient(const ChannelLayout& layout, const float* gradient, const float* input,
                         const float* scale, const ChannelStatistics& statistics, bool through_statistics,
                         float* input_gradient, float* scale_gradient, float* offset_gradient) {
  const bool side_by_side = layout.inner > 1 || layout.lanes > 1;
  (side_by_side ? BatchNormGradient : ChannelsLastGradient)(layout, gradient, input, scale, statistics,
                                                            through_statistics, input_gradient,
                                                            scale_gradient, offset_gradient);
}

void RowNormGradient(const RowNorm& norm, const float* gradient, const float* input, const float* gamma,
                     float* input_gradient) {
  const auto length = static_cast<double>(norm.length);
  // In pieces, where the parameters repeat within the row or the row is a part of them.
  const std::size_t piece = std::min(norm.length, norm.parameters);
  ParallelFor(norm.rows, 1 + kWorthAThread / (1 + norm.length), [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const double deviation = norm.deviation[row];
      const std::size_t first = row * norm.length, past = first + norm.length;
      RowSums sums;
      for (std::size_t at = first; at < past; at += piece) {
        const RowSums part = HWY_DYNAMIC_DISPATCH(SumsOfRow)(
            gradient + at, input + at, gamma + at % norm.parameters, piece, norm.mean[row]);
        sums.sum += part.sum;
        sums.product += part.product;
      }
      const auto shift = static_cast<float>(sums.sum / length);
      const auto slope = static_cast<float>(sums.product / length * deviation * deviation);
      for (std::size_t at = first; at < past; at += piece)
        HWY_DYNAMIC_DISPATCH(GradientOfRow)
      (gradient + at, input + at, gamma + at % norm.parameters, piece, norm.mean[row], norm.deviation[row],
       shift, slope, input_gradient + at);
    }
  });
}

void RowNormParameterGradient(const RowNorm& norm, const float* gradient, const float* input,
                              float* gamma_gradient, float* beta_gradient) {
  if (norm.parameters == 0) return;
  if (norm.length % norm.parameters != 0)
    return SumSparseColumns(norm, gradient, input, gamma_gradient, beta_gradient);
  const std::size_t blocks = (norm.parameters + kGradientColumns - 1) / kGradientColumns;
  const std::size_t grain = 1 + kWorthAThread / (1 + norm.rows * kGradientColumns);
  ParallelFor(blocks, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t block = begin; block < end; ++block) {
      const std::size_t first = block * kGradientColumns;
      SumColumns(norm, gradient, input, {first, std::min(kGradientColumns, norm.parameters - first)},
                 gamma_gradient, beta_gradient);
    }
  });
}

}  // namespace foothold
#endif
