// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/normalize_gradient.h"

#include <cmath>

#include "base/thread_pool.h"

namespace foothold {
namespace {

constexpr std::size_t kWorthAThread = 8192;

// Calls visit(element) for all elements of a channel.
template <typename Visit>
void ForEachOf(const ChannelLayout& layout, std::size_t channel, Visit&& visit) {
  for (std::size_t o = 0; o < layout.outer; ++o)
    for (std::size_t i = 0; i < layout.inner; ++i)
      visit((o * layout.channels + channel) * layout.inner + i);
}

}  // namespace

void ChannelNormGradient(const ChannelLayout& layout, const float* gradient, const float* input,
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

void RowNormGradient(const RowNorm& norm, const float* gradient, const float* input, const float* gamma,
                     float* input_gradient) {
  const auto length = static_cast<double>(norm.length);
  ParallelFor(norm.rows, 1 + kWorthAThread / (1 + norm.length), [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const double mean = norm.mean[row], deviation = norm.deviation[row];
      const std::size_t first = row * norm.length, past = first + norm.length;
      double sum = 0, product = 0;
      for (std::size_t i = first; i < past; ++i) {
        const double scaled = double(gradient[i]) * gamma[i % norm.parameters];
        sum += scaled;
        product += scaled * (input[i] - mean) * deviation;
      }
      for (std::size_t i = first; i < past; ++i) {
        const double scaled = double(gradient[i]) * gamma[i % norm.parameters];
        const double away = (input[i] - mean) * deviation;
        input_gradient[i] = static_cast<float>(deviation * (scaled - sum / length - away * product / length));
      }
    }
  });
}

void RowNormParameterGradient(const RowNorm& norm, const float* gradient, const float* input,
                              float* gamma_gradient, float* beta_gradient) {
  const std::size_t elements = norm.rows * norm.length;
  const std::size_t terms = norm.parameters == 0 ? 0 : elements / norm.parameters;
  ParallelFor(norm.parameters, 1 + kWorthAThread / (1 + terms), [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      double sum = 0, product = 0;
      for (std::size_t i = p; i < elements; i += norm.parameters) {
        const std::size_t row = i / norm.length;
        sum += gradient[i];
        product += double(gradient[i]) * (double(input[i]) - norm.mean[row]) * norm.deviation[row];
      }
      gamma_gradient[p] = static_cast<float>(product);
      beta_gradient[p] = static_cast<float>(sum);
    }
  });
}

}  // namespace foothold
