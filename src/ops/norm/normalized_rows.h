// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What normalisations over the last dimensions share: gamma covers what is normalised. Used by rules; any
// thread.
#pragma once

#include "ops/op.h"

namespace foothold {

struct NormalizedRows {
  std::size_t count, length;
  std::size_t axis;  // the first dimension of a row
  Dims statistics;   // the data with the normalised dimensions 1
  Dims leading;      // the data without them
};

// Of data with these dimensions; refuses a gamma that does not go with them.
NormalizedRows NormalizedRowsOf(const OpContext& context, const Dims& x);

// Of input 0.
inline NormalizedRows NormalizedRowsOf(const OpContext& context) {
  return NormalizedRowsOf(context, context.InDims(0));
}

// Refuses an input that is not as input 0.
void CheckLikeFirst(const OpContext& context, const char* name);

// 1 / sqrt(the mean of the squares + epsilon).
float InverseRms(const float* row, std::size_t count, float epsilon);

// An output of a number for each row, if the node has it.
void SetStatistics(OpContext& context, const char* name, const NormalizedRows& rows);

// -1: the operator or the node does not have it.
int OptionalInput(const OpContext& context, const char* name);

}  // namespace foothold
