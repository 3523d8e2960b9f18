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
#include "ops/row_gather.h"

namespace foothold {

// Input 0 as one reduced axis between kept ones. Where the reduced axes are apart, or elements do not lie in
// that order, `gather` brings them together first; the loops then read its result. Instead, rows of which
// several fit the cache are gathered by `rows` as the loops come to them.
struct ReducedForm {
  ReducedShape shape;
  std::optional<StridedCopy> gather = {};
  std::optional<RowGather> rows = {};
};

// What is left of dims: reduced axes gone, or 1 if kept.
Dims ReducedDims(const Dims& dims, const std::vector<bool>& reduced, bool keep);

// `rows`: the reduced axes must stand at the end, also if there is one in the middle.
ReducedForm MakeReducedForm(const OpContext& context, const std::vector<bool>& reduced, bool rows);

}  // namespace foothold
