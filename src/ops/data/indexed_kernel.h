// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The kernel of operators that pick elements axis by axis. Any thread.
#pragma once

#include <memory>
#include <vector>

#include "ops/op.h"

namespace foothold {

// Element i along an axis of output 0 is element picks[axis][i] of input 0; an axis without picks is taken as
// it is. All picks are inside x.
std::unique_ptr<Kernel> LowerPicks(const OpContext& context,
                                   const std::vector<std::vector<std::int64_t>>& picks);
// The same with input 0 read as a tensor of `dims` (as many elements as it has).
std::unique_ptr<Kernel> LowerPicks(const OpContext& context, const Dims& dims,
                                   const std::vector<std::vector<std::int64_t>>& picks);

}  // namespace foothold
