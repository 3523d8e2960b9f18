// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Dot products of a row (quantized_rows.h) with columns of weights of 4 or 8 bits as they lie in memory: each
// column one after the other, two weights of 4 bits in a byte, the first in its low half, two's complement.
// For few rows, which are bound by reading the weights. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

enum class WeightBits : std::uint8_t { kFour = 4, kEight = 8 };

// The largest number a row may have.
int MostOfDots(WeightBits bits);
// Bytes of a row in the order in which dot products meet its numbers. Zero: this CPU has no such kernel.
std::size_t DotRowBytes(WeightBits bits, std::size_t depth);
// `numbers` and `scales` as QuantizeRow makes them; `to` starts at a multiple of 64.
void ArrangeDotRow(WeightBits bits, std::size_t depth, const std::int16_t* numbers, const float* scales,
                   std::byte* to);

// Columns one after the other; scales, of either type, one for each block of each column.
struct DotColumns {
  WeightBits bits;
  std::size_t depth;  // a multiple of kQuantizedBlock
  std::size_t count;
  const std::byte* weights;
  const float* scales;
  const std::uint16_t* half_scales;  // float16, if `scales` is null
};
// out[j] is the dot product of `row` with column j.
void RunDots(const DotColumns& columns, const std::byte* row, float* out);

}  // namespace foothold
