// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What integer convolutions do with their sums. Quantised values are int16 here, less their zero point:
// padding is 0, and two of them fill a lane of 32 bits. Images are in blocks of 2 * ChannelBlock() channels
// (channel_blocks.h). Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

// round((left * left_scale + right * right_scale) / out_scale), in float, within limits.
struct IntegerSum {
  float left_scale = 1, right_scale = 1, out_scale = 1;
  float low = 0, high = 0;
};

// round(sum * its channel's scale) within limits; with a residual that is `left` of a sum with it.
struct IntegerFinish {
  const float* scales = nullptr;  // one for each channel, blocks filled up
  float low = 0, high = 0;
  const std::int16_t* residual = nullptr;  // laid out like the output; null: none
  IntegerSum sum;
};

// Sums of int32 of two blocks of ChannelBlock() channels, one lane after the other, to one block of the
// output; `second` may be null, then half of that is 0.
void FinishIntegers(const IntegerFinish& finish, const std::int32_t* first, const std::int32_t* second,
                    std::size_t pixels, std::int16_t* out);

// Element by element; `count` is a multiple of ChannelBlock().
void AddIntegers(const IntegerSum& sum, const std::int16_t* left, const std::int16_t* right,
                 std::size_t count, std::int16_t* out);

}  // namespace foothold
