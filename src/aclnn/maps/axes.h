// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Dimensions that are reduced. One thread at a time.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "aclnn/call.h"

namespace foothold::aclnn {

// No axes are all of them.
std::vector<std::int64_t> AllIfNone(std::vector<std::int64_t> axes, const Value& value);
std::vector<std::int64_t> AxesOf(Call& call, std::string_view name, const Value& value);

// By an operator with axes and 'keep_dims'; what has no dimensions stays as it is.
Value Reduced(Call& call, const char* type, Value value, const std::vector<std::int64_t>& axes, bool keep);

// A function that treats the parts of complex numbers alike, of a tensor of both parts in a last dimension of
// its own. Other tensors as they are.
Value ByParts(Call& call, Value value, const std::function<Value(Value)>& function);

// The type of the parameter 'dtype', or that of an output where it says none; halves are computed in float.
DataType SaidType(Call& call, std::string_view out);

}  // namespace foothold::aclnn
