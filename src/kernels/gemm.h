// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products of float matrices whose operands lie in panels (gemm_pack.h), one block at a time; matmul.h and
// the convolutions cut their work into such blocks. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/output_finish.h"

namespace foothold {

// Rows and columns of the tile that stays in registers; the panels of packed operands are as wide. The same
// during the life of the process.
struct GemmTile {
  std::size_t rows;
  std::size_t columns;
};
GemmTile TileOfGemm();
// For as many rows, one or more tiles, the right operand is read and widened once. The same too.
std::size_t RowsOfGemmAtOnce();

// How rows are divided among panels. Evenly: a tile of one or two rows would wait for its own sums, so the
// last whole one shares its rows with it. That is only for operands that are packed for one block.
enum class GemmRows : std::uint8_t { kWholeTiles, kEvenly };
// Of the next tile, with `left` to go.
inline std::size_t NextTileRows(std::size_t left, std::size_t tile, GemmRows rows) {
  if (rows == GemmRows::kEvenly && left > tile && left <= tile + 2) return (left + 1) / 2;
  return left < tile ? left : tile;
}

// How the right operand lies in its panels: as floats, in words of narrow_weights.h, or in float16.
enum class PanelForm : std::uint8_t { kFloats, kNarrow, kHalves };

// What happens to a sum when it is complete: biases and the residual are added, then comes the activation.
struct GemmEpilogue {
  const float* row_bias = nullptr;     // one for each row of the block
  const float* column_bias = nullptr;  // one for each column of the block
  const float* residual = nullptr;     // laid out like the output
  ActivationSpec activation = {};
};

// out[rows, columns] (+)= left[rows, depth] * right[depth, columns].
struct GemmBlock {
  const float* left = nullptr;
  std::size_t left_panel = 0;  // floats from one panel of rows to the next
  GemmRows left_rows = GemmRows::kWholeTiles;
  const float* right = nullptr;  // what is there is of `right_form`
  std::size_t right_panel = 0;   // in floats
  PanelForm right_form = PanelForm::kFloats;
  bool backwards = false;  // the last panel of the right operand first
  std::size_t rows = 0, columns = 0, depth = 0;
  float* out = nullptr;
  std::size_t out_stride = 0;
  bool accumulate = false;
  const GemmEpilogue* finish = nullptr;  // with the last part of the depth only
};
void RunGemmBlock(const GemmBlock& block);

// The same for a single row, whose floats lie side by side, with all of the depth and a `finish`; bound by
// reading `right`, so several panels are read at a time.
void RunPackedGemv(const GemmBlock& block);
// out[columns] = left[depth] * right with rows of `right` as they are, `stride` apart.
void RunRowsGemv(const float* left, const float* right, std::size_t stride, std::size_t depth,
                 std::size_t columns, float* out, const GemmEpilogue& finish);
// The same with columns of `right` as they are: out[j] is the dot product of left with right + j * stride.
void RunColumnsGemv(const float* left, const float* right, std::size_t stride, std::size_t depth,
                    std::size_t columns, float* out, const GemmEpilogue& finish);

}  // namespace foothold
