// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rows that are normalised over the last dimensions, which are those of the input 'gamma'. Used by the rules
// and kernels of such operators; any thread.
#pragma once

#include <cstddef>

#include "ops/op.h"

namespace foothold {

struct NormalizedRows {
  std::size_t count, length;
  Dims statistics;  // x with the normalised dimensions 1
  Dims leading;     // x without them
};

// Of input 0.
NormalizedRows NormalizedRowsOf(const OpContext& context);

// Refuses an input that is not as input 0.
void CheckLikeFirst(const OpContext& context, const char* name);

// 1 / sqrt(the mean of the squares + epsilon).
float InverseRms(const float* row, std::size_t count, float epsilon);

}  // namespace foothold
