// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rows of floats as blocks of 32 numbers of 16 bits with a scale for each block, for products with weights of
// 4 or 8 bits: such products are summed as integers, twice as fast as floats. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

constexpr std::size_t kQuantizedBlock = 32;

// The largest number of a block; sums of some products take fewer bits.
constexpr int kSixteenBits = 32767;
constexpr int kFourteenBits = 8191;

// `count` is a multiple of kQuantizedBlock. An element differs from number * scale by at most half a scale,
// which is the largest of its block divided by `most`. False, and nothing to be used, if an element is
// infinite or no number.
bool QuantizeRow(const float* from, std::size_t count, int most, std::int16_t* to, float* scales);

}  // namespace foothold
