// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Normalisation of channels by the statistics of a batch, and its gradient, on planes or on blocks of
// channels (channel_blocks.h): a channel, or a block, is worked on from beginning to end while it is in the
// caches. Up to 8,192 elements are summed in float, such sums in double. Outputs may be inputs of their size.
// Any thread.
#pragma once

#include <cstddef>

#include "kernels/normalize.h"
#include "kernels/normalize_gradient.h"

namespace foothold {

struct NormParameters {
  const float* weight;  // by channel
  const float* bias;
  float epsilon;
};
// y = (x - mean) / sqrt(variance + epsilon) * weight + bias; mean and biased variance are results too.
void BatchNormForward(const ChannelLayout& layout, const float* x, const NormParameters& parameters, float* y,
                      float* mean, float* variance);

// ChannelNormGradient where elements of a channel lie side by side, or in blocks.
void BatchNormGradient(const ChannelLayout& layout, const float* gradient, const float* input,
                       const float* scale, const ChannelStatistics& statistics, bool through_statistics,
                       float* input_gradient, float* scale_gradient, float* offset_gradient);

}  // namespace foothold
