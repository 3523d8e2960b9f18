// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators on quantised images in blocks of int16 (kernels/integer_finish.h): BlockIntegers and
// UnblockIntegers lead there from planes of bytes and back, IntegerConv2D, IntegerSum and IntegerMean
// compute. Programs do not make them, the pass that finds integer networks does. Any thread.
#pragma once

#include "ir/node.h"
#include "kernels/integer_finish.h"

namespace foothold {

// Numbers of a whole block.
std::size_t IntegerBlock();

// An image [N, C, H, W] in blocks of `lanes` numbers.
TensorType IntegerBlocks(const Dims& planes, std::size_t lanes);

// Where results of an operator end, less their zero point.
struct IntegerLimits {
  float low = 0, high = 0;
};
void SetLimits(Node& node, const IntegerLimits& limits);
IntegerLimits LimitsOf(const Node& node);

// For IntegerSum, and for IntegerConv2D with a residual: scales of the operands and of the result.
void SetSum(Node& node, const IntegerSum& sum);
IntegerSum SumOf(const Node& node);

}  // namespace foothold
