// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which axes an operator reduces, and the one-axis form its loops work on. Any thread.
#pragma once

#include <optional>
#include <vector>

#include "kernels/reduce_axis.h"
#include "kernels/strided_copy.h"
#include "ops/op.h"

namespace foothold {

// Input 0 as one reduced axis between kept ones. Where the reduced axes are apart, `gather` brings them
// together at the end first; the loops then read its result.
struct ReducedForm {
  ReducedShape shape;
  std::optional<StridedCopy> gather;
};

// What is left of dims: reduced axes gone, or 1 if kept.
Dims ReducedDims(const Dims& dims, const std::vector<bool>& reduced, bool keep);

// `rows`: the reduced axes must stand at the end, also if there is one in the middle.
ReducedForm MakeReducedForm(const OpContext& context, const std::vector<bool>& reduced, bool rows);

}  // namespace foothold
