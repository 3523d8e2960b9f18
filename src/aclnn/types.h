// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How types of elements meet: what a result has, what it may become, what is computed in. Any thread.
#pragma once

#include <string>

#include "base/data_type.h"
#include "base/format.h"

namespace foothold::aclnn {

bool IsFloat(DataType type);  // float16, bfloat16, float, double
bool IsHalf(DataType type);   // float16, bfloat16
bool IsInteger(DataType type);
bool IsComplex(DataType type);

// Of two tensors. Throws kParamInvalid where they do not meet (uint16, uint32 and uint64 with others).
DataType Promote(DataType a, DataType b);
// Of a tensor and a scalar: the tensor's, unless the scalar is of a higher kind (floating-point with an
// integer: float; complex with a real: complex64).
DataType PromoteWithScalar(DataType tensor, DataType scalar);
// Halves are computed in float and rounded once.
DataType ComputeType(DataType type);
// Floating-point as it is, all else as float.
DataType FloatOf(DataType type);

// A result may become an output of this type.
bool Converts(DataType from, DataType to);

// FRACTAL_NZ and its like: elements are not where dimensions say.
bool IsPrivateLayout(Format format);
std::string FormatText(Format format);

}  // namespace foothold::aclnn
