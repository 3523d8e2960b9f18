// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Images of quantised numbers between planes of bytes and blocks of int16 less their zero point
// (integer_finish.h), and pooling of such blocks. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/channel_blocks.h"
#include "kernels/integer_finish.h"
#include "kernels/pooling.h"

namespace foothold {

// From planes, with zeros around them and in channels that only fill a block of `lanes`.
template <typename T>
void ToIntegerBlocks(const PaddedImage& image, std::size_t lanes, int zero, const T* planes,
                     std::int16_t* blocks);
template <typename T>
void FromIntegerBlocks(const BlockedImage& image, int zero, const std::int16_t* blocks, T* planes);

// Channels last: the largest of each window.
void PoolLargestIntegers(const PoolingShape& shape, const std::int16_t* input, std::int16_t* output);

// round(sum of a plane of a block * scale), within limits, for `planes` planes of `pixels` and `lanes`.
struct IntegerMean {
  std::size_t planes = 0, pixels = 0, lanes = 0;
  float scale = 1, low = 0, high = 0;
};
void MeanOfIntegers(const IntegerMean& mean, const std::int16_t* input, std::int16_t* output);

}  // namespace foothold
