// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The gradients of normalisations over rows and by channel. Sums are in double. Any thread.
#pragma once

#include <cstddef>

#include "kernels/normalize.h"

namespace foothold {

// What the forward pass knew of each channel.
struct ChannelStatistics {
  const float* mean;
  const float* variance;
  float epsilon;
};
// With `through_statistics` mean and variance came from `input` itself, so the gradient goes through them
// too.
void ChannelNormGradient(const ChannelLayout& layout, const float* gradient, const float* input,
                         const float* scale, const ChannelStatistics& statistics, bool through_statistics,
                         float* input_gradient, float* scale_gradient, float* offset_gradient);

struct RowNorm {
  std::size_t rows, length;
  std::size_t parameters;  // gamma repeats after so many elements
  const float* mean;       // by row
  const float* deviation;  // 1 / standard deviation, by row
};
void RowNormGradient(const RowNorm& norm, const float* gradient, const float* input, const float* gamma,
                     float* input_gradient);
// For gamma and beta.
void RowNormParameterGradient(const RowNorm& norm, const float* gradient, const float* input,
                              float* gamma_gradient, float* beta_gradient);

}  // namespace foothold
