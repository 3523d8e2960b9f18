// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The kernel of the operators that put the elements along an axis in order: sorting, and the k largest or
// smallest. Of equals the one that comes first is first, and a NaN counts as the largest number. Any thread.
#pragma once

#include <cstddef>
#include <memory>

#include "base/data_type.h"
#include "ops/kernel.h"

namespace foothold {

struct LineOrder {
  std::size_t outer = 1, length = 1, inner = 1;
  std::size_t count = 1;  // how many of the line's elements are wanted
  bool descending = false;
  bool places = true;  // the second output is there: where the elements came from, as int32
};

// Null for a type that has no order. Lines have less than 2^31 elements.
std::unique_ptr<Kernel> OrderLines(DataType type, const LineOrder& order);

}  // namespace foothold
