// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/gemm_pack.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "kernels/transpose_tile.h"

namespace foothold {
namespace {

// Lines that are dense along the depth: squares are transposed, and those at the end overlap.
void PackDenseLines(const float* from, std::size_t line_stride, std::size_t count, std::size_t width,
                    std::size_t depth, float* to) {
  constexpr std::size_t kSquare = 4;
  const auto transpose = [&](std::size_t line, std::size_t lines) {
    TransposeTile(reinterpret_cast<const std::byte*>(from + line * line_stride),
                  static_cast<std::ptrdiff_t>(line_stride * sizeof(float)),
                  reinterpret_cast<std::byte*>(to + line), static_cast<std::ptrdiff_t>(width * sizeof(float)),
                  depth, lines, sizeof(float));
  };
  const std::size_t whole = count < kSquare ? count : count / kSquare * kSquare;
  transpose(0, whole);
  if (whole < count) transpose(count - kSquare, kSquare);
}

void CopyRows(const float* from, std::size_t stride, std::size_t count, std::size_t width, std::size_t depth,
              float* to) {
  const auto copy = [&](auto known) {  // to the compiler, so that a copy is a few instructions
    for (std::size_t k = 0; k < depth; ++k, from += stride, to += width)
      std::memcpy(to, from, (known > 0 ? known : count) * sizeof(float));
  };
  switch (count) {
    case 6:
      return copy(std::integral_constant<std::size_t, 6>());
    case 16:
      return copy(std::integral_constant<std::size_t, 16>());
    case 32:
      return copy(std::integral_constant<std::size_t, 32>());
    default:
      return copy(std::integral_constant<std::size_t, 0>());
  }
}

// Whole panels of lines that lie side by side: each row of the source goes into all of them, so that it is
// read once.
template <std::size_t kWidth>
void CopyAcross(const float* from, std::size_t stride, std::size_t panels, std::size_t depth, float* to) {
  for (std::size_t k = 0; k < depth; ++k, from += stride, to += kWidth)
    for (std::size_t panel = 0; panel < panels; ++panel)
      std::memcpy(to + panel * kWidth * depth, from + panel * kWidth, kWidth * sizeof(float));
}

// One panel: `count` of `width` lines side by side; a line goes along the depth.
void PackPanel(const float* from, std::size_t line_stride, std::size_t depth_stride, std::size_t count,
               std::size_t width, std::size_t depth, float* to) {
  if (count < width) std::fill_n(to, width * depth, 0.0f);
  if (line_stride == 1) return CopyRows(from, depth_stride, count, width, depth, to);
  if (depth_stride == 1) return PackDenseLines(from, line_stride, count, width, depth, to);
  for (std::size_t k = 0; k < depth; ++k)
    for (std::size_t line = 0; line < count; ++line)
      to[k * width + line] = from[line * line_stride + k * depth_stride];
}

}  // namespace

std::size_t PackedLeftFloats(std::size_t rows, std::size_t depth) {
  return RoundUp(rows, TileOfGemm().rows) * depth;
}

std::size_t PackedRightFloats(std::size_t depth, std::size_t columns) {
  return RoundUp(columns, TileOfGemm().columns) * depth;
}

void PackLeft(const MatrixView& from, std::size_t rows, std::size_t depth, float* to, GemmRows division) {
  constexpr std::size_t kUsualRows = 6;
  const std::size_t width = TileOfGemm().rows;
  std::size_t i = 0;
  if (from.row_stride == 1 && width == kUsualRows) {
    std::size_t panels = 0;
    for (; i < rows && NextTileRows(rows - i, width, division) == width; i += width)
      ++panels;
    CopyAcross<kUsualRows>(from.data, from.column_stride, panels, depth, to);
    to += panels * width * depth;
  }
  for (std::size_t count; i < rows; i += count, to += width * depth) {
    count = NextTileRows(rows - i, width, division);
    PackPanel(from.data + i * from.row_stride, from.row_stride, from.column_stride, count, width, depth, to);
  }
}

void PackRight(const MatrixView& from, std::size_t depth, std::size_t columns, float* to) {
  const std::size_t width = TileOfGemm().columns;
  for (std::size_t j = 0; j < columns; j += width, to += width * depth)
    PackPanel(from.data + j * from.column_stride, from.column_stride, from.row_stride,
              std::min(width, columns - j), width, depth, to);
}

}  // namespace foothold
