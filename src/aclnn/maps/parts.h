// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors taken apart and put together along a dimension. One thread at a time.
#pragma once

#include <utility>
#include <vector>

#include "aclnn/call.h"

namespace foothold::aclnn {

// From `begin` so many along an axis.
Value Part(Call& call, Value value, std::int64_t axis, std::int64_t begin, std::int64_t size);
// The axis halved; refuses one of odd length, and a tensor without dimensions.
std::pair<Value, Value> Halves(Call& call, Value value, std::int64_t axis);
Value Joined(Call& call, const std::vector<Value>& values, std::int64_t axis);

}  // namespace foothold::aclnn
