// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Arguments of functions that move a window over images.
#pragma once

#include <string_view>
#include <vector>

#include "aclnn/call.h"

namespace foothold::aclnn {

using Sizes = std::vector<std::int64_t>;

// [n, c, h, w], or [c, h, w] as a batch of one.
Value AsBatch(Call& call, std::string_view name);

// Height and width: one number for both, or two. `otherwise` for null and for none.
Sizes Pair(Call& call, std::string_view name, const Sizes& otherwise);

// As attributes of operators have it: with ones for batch and channels in front.
inline Sizes Behind(const Sizes& pair) {
  return {1, 1, pair[0], pair[1]};
}
// The same on both sides.
inline Sizes BothSides(const Sizes& pair) {
  return {pair[0], pair[0], pair[1], pair[1]};
}

}  // namespace foothold::aclnn
