// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A few rows times a matrix as it is stored: tiles of dot products, which cost no packing. Any thread.
#pragma once

#include "kernels/gemm.h"
#include "kernels/stored_matrix.h"

namespace foothold {

// Rows of floats, dense and `stride` apart.
struct FloatRows {
  const float* data = nullptr;
  std::size_t stride = 0;
  std::size_t rows = 0;
};

// out[rows, columns] = left[rows, depth] * right; columns of `right` are dense. Rows of `out` are
// `out_stride` apart.
void RunStoredTiles(const FloatRows& left, const StoredMatrix& right, std::size_t depth, std::size_t columns,
                    float* out, std::size_t out_stride, const GemmEpilogue& finish);

}  // namespace foothold
