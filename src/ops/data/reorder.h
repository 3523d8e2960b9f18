// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The kernel of a change of the order of axes. Any thread.
#pragma once

#include <memory>
#include <vector>

#include "ops/op.h"

namespace foothold {

using AxisOrder = std::vector<std::size_t>;

// Reads input 0 as a tensor of `dims` (as many elements as it has); axis i of output 0 is axis order[i].
std::unique_ptr<Kernel> LowerReorder(OpContext& context, const Dims& dims, const AxisOrder& order);

}  // namespace foothold
