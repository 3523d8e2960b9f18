// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Mean and variance of floats, and the normalisation with them: over rows, and over all but the middle
// dimension of [outer, channels, inner]. Variances are biased and computed around the mean, sums in blocks,
// so that long inputs stay exact to float. Outputs may be the input. Any thread.
#pragma once

#include <cstddef>

namespace foothold {

struct Moments {
  float mean = 0, variance = 0;
};
// NaN of nothing.
Moments RowMoments(const float* row, std::size_t count);

// out = (row - mean) * scale * gamma + beta; gamma and beta by element, either may be null.
void NormalizeRow(const float* row, std::size_t count, float mean, float scale, const float* gamma,
                  const float* beta, float* out);

struct ChannelLayout {
  std::size_t outer = 1, channels = 1, inner = 1;
  std::size_t lanes = 1;  // of blocks of channels (channel_blocks.h); 1: there are none
  std::size_t Count() const { return outer * inner; }  // elements of a channel
};
// These two know no blocks; batch_norm.h does.
void ChannelMoments(const ChannelLayout& layout, const float* input, float* mean, float* variance);

// out = (input - mean) * scale + shift, all three by channel.
void NormalizeChannels(const ChannelLayout& layout, const float* input, const float* mean, const float* scale,
                       const float* shift, float* out);

}  // namespace foothold
