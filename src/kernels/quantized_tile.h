// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products of several rows (quantized_rows.h) with panels of columns of weights of 4 or 8 bits: a panel is
// unpacked to numbers of 16 bits once and meets all rows. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/quantized_dot.h"

namespace foothold {

// Rows and columns of the tile that stays in registers. No columns: this CPU has no such kernel.
struct QuantizedTile {
  std::size_t rows;
  std::size_t columns;
};
QuantizedTile TileOfQuantized();

// Weights that share four bytes: their numbers are multiplied in pairs of those `Together` apart.
inline std::size_t Together(WeightBits bits) {
  return bits == WeightBits::kFour ? 4 : 2;
}

// `depth` (a multiple of kQuantizedBlock) times `columns` weights, columns `stride` bytes apart; a panel has
// depth / 2 * TileOfQuantized().columns pairs. `aside` has room for as many int32 as the panel has.
void UnpackColumns(WeightBits bits, const std::byte* weights, std::size_t stride, std::size_t depth,
                   std::size_t columns, std::int32_t* aside, std::int32_t* panel);

// The same for weights whose rows lie one weight after the other, `stride` weights apart; the first is number
// `first` of `weights`. `aside` is as large.
void UnpackRows(WeightBits bits, const std::byte* weights, std::size_t first, std::size_t stride,
                std::size_t depth, std::size_t columns, std::int32_t* aside, std::int32_t* panel);

// Asks for weights of columns ahead of unpacking them.
void FetchColumns(WeightBits bits, const std::byte* weights, std::size_t stride, std::size_t depth,
                  std::size_t columns);

// Up to TileOfQuantized().rows rows: their numbers by pairs as the panel has them, and for each block their
// scales and sums; each of these has TileOfQuantized().rows places for one pair or block.
struct QuantizedRows {
  const std::int32_t* pairs;
  const float* scales;
  const float* sums;
  std::size_t count;
};
// Moves the numbers of row `place` there.
void ArrangeTileRow(WeightBits bits, std::size_t depth, const std::int16_t* numbers, const float* scales,
                    std::size_t place, std::int32_t* pairs, float* tile_scales, float* tile_sums);

// Scales and, if not null, offsets of the weights: TileOfQuantized().columns for each block.
struct QuantizedPanel {
  const std::int32_t* pairs;
  const float* scales;
  const float* offsets;
  std::size_t depth;
};
// out[row, column] += the product; rows of out are TileOfQuantized().columns apart.
void RunQuantizedTile(const QuantizedRows& rows, const QuantizedPanel& panel, float* out);

}  // namespace foothold
