// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The kernel of products of int8 tensors, for the matrix operators. Used while lowering; any thread.
#pragma once

#include <memory>

#include "ops/nn/broadcast_bias.h"
#include "ops/nn/matmul_shape.h"

namespace foothold {

// Inputs 0 and 1 are int8, output 0 is int32. A bias at `bias_port` is added; -1: there is none. A constant
// on the right is packed once.
std::unique_ptr<Kernel> LowerInt8MatMul(OpContext& context, MatMulShape shape, int bias_port,
                                        BroadcastBias bias);

}  // namespace foothold
