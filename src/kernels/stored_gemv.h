// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One row times a matrix as it is stored: widened in registers, summed in float, bound by reading the matrix.
// Any thread.
#pragma once

#include "kernels/gemm.h"
#include "kernels/stored_matrix.h"

namespace foothold {

// out[columns] = left[depth] * right, whose rows or columns are dense, or whose columns are in pieces.
void RunStoredGemv(const float* left, const StoredMatrix& right, std::size_t depth, std::size_t columns,
                   float* out, const GemmEpilogue& finish);

}  // namespace foothold
