// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/gemm_pack.h"

#include <algorithm>
#include <cstring>

#include "kernels/gemm.h"

namespace foothold {
namespace {

// One panel: `count` of `width` lines side by side; a line goes along the depth.
void PackPanel(const float* from, std::size_t line_stride, std::size_t depth_stride, std::size_t count,
               std::size_t width, std::size_t depth, float* to) {
  if (count < width) std::fill_n(to, width * depth, 0.0f);
  if (line_stride == 1) {
    for (std::size_t k = 0; k < depth; ++k)
      std::copy_n(from + k * depth_stride, count, to + k * width);
    return;
  }
  constexpr std::size_t kStrip = 64;  // so that what is written stays in the first cache
  for (std::size_t begin = 0; begin < depth; begin += kStrip) {
    const std::size_t end = std::min(depth, begin + kStrip);
    for (std::size_t line = 0; line < count; ++line)
      for (std::size_t k = begin; k < end; ++k)
        to[k * width + line] = from[line * line_stride + k * depth_stride];
  }
}

}  // namespace

std::size_t PackedLeftFloats(std::size_t rows, std::size_t depth) {
  return RoundUp(rows, TileOfGemm().rows) * depth;
}

std::size_t PackedRightFloats(std::size_t depth, std::size_t columns) {
  return RoundUp(columns, TileOfGemm().columns) * depth;
}

void PackLeft(const MatrixView& from, std::size_t rows, std::size_t depth, float* to) {
  const std::size_t width = TileOfGemm().rows;
  for (std::size_t i = 0; i < rows; i += width, to += width * depth)
    PackPanel(from.data + i * from.row_stride, from.row_stride, from.column_stride, std::min(width, rows - i),
              width, depth, to);
}

void PackRight(const MatrixView& from, std::size_t depth, std::size_t columns, float* to) {
  const std::size_t width = TileOfGemm().columns;
  for (std::size_t j = 0; j < columns; j += width, to += width * depth)
    PackPanel(from.data + j * from.column_stride, from.column_stride, from.row_stride,
              std::min(width, columns - j), width, depth, to);
}

}  // namespace foothold
