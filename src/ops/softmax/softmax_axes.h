// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The set of axes a softmax goes over, as the loops want it. Used by rules; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "kernels/softmax.h"
#include "ops/op.h"

namespace foothold {

// [outer, count, inner] with the axes in the middle.
struct MiddleAxis {
  std::size_t outer = 1, count = 1, inner = 1;
};

// By dimension, true for those listed in the attribute (default the last). Refuses axes that are not there.
std::vector<bool> AxesOf(const OpContext& context, std::string_view attribute, const Dims& dims);
// Nothing if the axes do not lie side by side (dimensions of 1 aside).
std::optional<MiddleAxis> MiddleAxisOf(const Dims& dims, const std::vector<bool>& axes);
ElementGroups GroupsOf(const Dims& dims, const std::vector<bool>& axes);

}  // namespace foothold
