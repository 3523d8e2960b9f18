// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which slices of a tensor along an axis differ, for the operators of the Unique family. Slices are compared
// element by element, from the first on; a NaN differs from everything and comes last in order. Any thread.
#pragma once

#include <optional>
#include <vector>

#include "ops/op.h"

namespace foothold {

enum class SliceOrder {
  kFirstAppearance,
  kSorted,
  kConsecutive,  // only neighbours count as equal
};

struct DistinctSlices {
  TensorValue values;                 // the different slices
  std::vector<std::int64_t> firsts;   // where each appears first
  std::vector<std::int64_t> inverse;  // for each slice, which of the values it is
  std::vector<std::int64_t> counts;   // how often each appears
};

// Without an axis the slices are all elements, one by one. Unsupported for types without numbers.
DistinctSlices FindDistinctSlices(const OpContext& context, const TensorValue& x,
                                  std::optional<std::size_t> axis, SliceOrder order);

// Numbers as an int32 or int64 tensor.
TensorValue IndexTensor(DataType type, const std::vector<std::int64_t>& numbers);

}  // namespace foothold
