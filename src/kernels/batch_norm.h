// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Normalisation of channels by the statistics of a batch, and its gradient, on planes or on blocks of
// channels (channel_blocks.h). What belongs together is worked on while it is in the caches. Sums of up to
// 8,192 elements are in float, sums of those in double. Outputs may be the inputs of the same size. Any
// thread.
#pragma once

#include <cstddef>

namespace foothold {

struct BatchNormShape {
  std::size_t batch = 0, channels = 0, pixels = 0;
  std::size_t lanes = 1;  // of the blocks, ChannelBlock(); 1: planes

  std::size_t Blocks() const { return (channels + lanes - 1) / lanes; }
  std::size_t Count() const { return batch * pixels; }  // elements of a channel
};

struct BatchNormParameters {
  const float* weight;  // by channel, as all others
  const float* bias;
  float epsilon;
};
// y = (x - mean) / sqrt(variance + epsilon) * weight + bias; mean and (biased) variance are results too.
void BatchNormForward(const BatchNormShape& shape, const float* x, const BatchNormParameters& parameters,
                      float* y, float* mean, float* variance);

struct BatchNormStatistics {
  const float* mean;
  const float* inverse;  // of the deviation
};
// With `through_statistics` these came from x itself, so the gradient goes through them too.
void BatchNormGradient(const BatchNormShape& shape, const float* dy, const float* x, const float* weight,
                       const BatchNormStatistics& statistics, bool through_statistics, float* dx,
                       float* weight_gradient, float* bias_gradient);

}  // namespace foothold
