// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How the elements of a view lie in memory. Strides of dimensions of size 1 mean nothing. Any thread.
#pragma once

#include <optional>
#include <vector>

#include "aclnn/objects.h"

namespace foothold::aclnn {

bool IsEmpty(const Extents& dims);
std::int64_t CountOf(const Extents& dims);
// Elements lie one behind the other, the last dimension the fastest.
bool IsContiguous(const Extents& dims, const Extents& strides);
// From the first element to the last, holes included; 0 if there is none.
std::int64_t SpanOf(const Extents& dims, const Extents& strides);
// The dimensions in the order in which they are contiguous, if there is one.
std::optional<std::vector<std::int64_t>> DenseOrder(const Extents& dims, const Extents& strides);
// Of a contiguous tensor.
Dims PackedStrides(const Dims& dims);
// Those of the view, 0 where they mean nothing.
Dims PlainStrides(const Tensor& view);

}  // namespace foothold::aclnn
