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
};

// Of data with these dimensions; refuses a gamma that does not go with them.
NormalizedRows NormalizedRowsOf(const OpContext& context, const Dims& x);

// An output of a number for each row, if the node has it.
void SetStatistics(OpContext& context, const char* name, const NormalizedRows& rows);

// -1: the operator or the node does not have it.
int OptionalInput(const OpContext& context, const char* name);

}  // namespace foothold
