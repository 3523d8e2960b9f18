// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors as planes of up to three dimensions: batch and channels, or channels alone, stand in front. What
// there is less of counts as 1. One thread at a time.
#pragma once

#include <string_view>

#include "aclnn/call.h"

namespace foothold::aclnn {

struct PlaneDims {
  // Refuses other tensors than of `axes` + 1 or + 2 dimensions.
  PlaneDims(Call& call, std::string_view name, std::size_t axes);
  Dims InPlanes() const { return {count, space[0], space[1], space[2]}; }
  Dims InRows() const { return {count, points}; }

  Dims space;
  std::int64_t count, points;
};

Value Planes(Call& call, std::string_view name, std::size_t axes);
Value Rows(Call& call, std::string_view name, std::size_t axes);

}  // namespace foothold::aclnn
