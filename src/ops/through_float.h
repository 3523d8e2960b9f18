// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// 16-bit floats for kernels that only know float: their inputs are widened into the workspace, their outputs
// rounded once at the end. Used while lowering; any thread.
#pragma once

#include <memory>
#include <vector>

#include "ir/tensor_value.h"
#include "ops/kernel.h"
#include "ops/op.h"

namespace foothold {

// float, float16 or bfloat16.
bool ComputesInFloat(DataType type);

// `inner` reads float wherever a connected input, or writes float wherever an output, is a 16-bit float.
// Returns `inner` itself if there is none. Inputs declared unused are not converted. Call it last in a
// lowering: it looks at what has been declared. Inputs in `as_they_are` reach `inner` unconverted.
std::unique_ptr<Kernel> ThroughFloat(const OpContext& context, std::unique_ptr<Kernel> inner,
                                     const std::vector<int>& as_they_are = {});

// A constant as float; the value itself if it is float already.
TensorValue AsFloats(const TensorValue& value);

}  // namespace foothold
