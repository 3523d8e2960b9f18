// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The kernel of products of bytes with exact sums, for the matrix operators. Used while lowering; any thread.
#pragma once

#include <memory>

#include "kernels/output_finish.h"
#include "ops/matrix/broadcast_bias.h"
#include "ops/matrix/matmul_shape.h"

namespace foothold {

// Inputs 0 and 1 are int8 or uint8, output 0 is int32, or float with a scale. Ports of -1: there is no such
// input.
struct IntegerProduct {
  MatMulShape shape;
  // One number, or one for each row of the left and each column of the right operand, of its type: taken from
  // the elements before they are multiplied.
  int left_zero = -1, right_zero = -1;
  int bias_port = -1;  // of int32
  BroadcastBias bias;
  // One float, or one for each column; then a bias of floats for each column and a residual of the shape of
  // the output are added, and the sum is activated.
  int scale = -1, float_bias = -1, residual = -1;
  ActivationSpec activation = {};
};

// Packs constants on the right once. Unsupported for types that are no bytes.
std::unique_ptr<Kernel> LowerIntegerProduct(OpContext& context, IntegerProduct product);

}  // namespace foothold
