// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Matrices in the panels that gemm.h reads: a left operand in panels of TileOfGemm().rows rows, a right one
// in panels of TileOfGemm().columns columns, each panel one element of the depth after the other. Panels
// start at multiples of 64 bytes if the memory given does and are filled up with zeros. Any thread.
#pragma once

#include <cstddef>

#include "kernels/gemm.h"

namespace foothold {

struct MatrixView {
  const float* data = nullptr;
  std::size_t row_stride = 0;
  std::size_t column_stride = 0;

  MatrixView At(std::size_t row, std::size_t column) const {
    return {data + row * row_stride + column * column_stride, row_stride, column_stride};
  }
};

inline std::size_t RoundUp(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

// How many pieces of at most `step` there are in `count`.
inline std::size_t Parts(std::size_t count, std::size_t step) {
  return (count + step - 1) / step;
}

std::size_t PackedLeftFloats(std::size_t rows, std::size_t depth);
std::size_t PackedRightFloats(std::size_t depth, std::size_t columns);

void PackLeft(const MatrixView& from, std::size_t rows, std::size_t depth, float* to,
              GemmRows division = GemmRows::kWholeTiles);
void PackRight(const MatrixView& from, std::size_t depth, std::size_t columns, float* to);

}  // namespace foothold
