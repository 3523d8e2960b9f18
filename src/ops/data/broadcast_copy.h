// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Broadcasting as a copy: dimensions of one element, and missing ones in front, are repeated. Any thread.
#pragma once

#include "kernels/strided_copy.h"
#include "ops/op.h"

namespace foothold {

// The dimensions with ones in front, `rank` of them.
Dims WithLeadingOnes(const Dims& dims, std::size_t rank);

// What two shapes broadcast to; refuses those that do not, naming them.
Dims BroadcastDims(const OpContext& context, const Dims& a, const Dims& b);

// Fills a dense tensor `out` with one of `dims`, repeated: every dimension of `out` is a multiple of the one
// of `dims` at its place.
StridedCopy RepeatingCopy(const Dims& dims, const Dims& out, std::size_t element_size);

}  // namespace foothold
