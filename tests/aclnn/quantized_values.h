// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Numbers as int8, in double: what tests of quantisation expect.
#pragma once

#include "aclnn/nn_case.h"

namespace nn {

double ToInt8(double value);  // to the nearest, ties to even

// Rows that were divided by what makes their largest number 127.
struct QuantizedRows {
  Values values, scales;
};
QuantizedRows QuantizeRows(const Values& rows, std::size_t width);

// Rows of two halves to silu(first) * second.
Values Gated(const Values& rows, std::size_t half);

// Equal, but for a few that a rounding before leaves one apart.
void ExpectInt8(const Values& actual, const Values& expected);

}  // namespace nn
