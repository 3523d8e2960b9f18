// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The panels of gemm_pack.h from matrices as they are stored: widened on the way. Any thread.
#pragma once

#include "kernels/gemm_pack.h"
#include "kernels/stored_matrix.h"

namespace foothold {

void PackLeft(const StoredMatrix& from, std::size_t rows, std::size_t depth, float* to,
              GemmRows division = GemmRows::kWholeTiles);
// With pieces, `depth` is a multiple of them.
void PackRight(const StoredMatrix& from, std::size_t depth, std::size_t columns, float* to);

// Asks for what PackRight will read, if it is not the next in memory anyway.
void FetchRight(const StoredMatrix& from, std::size_t depth, std::size_t columns);

// Rows of floats one after the other.
void WidenRows(const StoredMatrix& from, std::size_t rows, std::size_t columns, float* to);

}  // namespace foothold
