// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Elements of a tensor under other dimensions: each one is so many elements behind the first of the tensor.
// What an input of a node reads (ir/node.h) when passes have folded copies into it. Values; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ir/tensor_type.h"

namespace foothold {

struct StridedView {
  Dims dims;
  std::vector<std::size_t> strides;  // in elements; 0 repeats
  std::size_t offset = 0;            // of the first element, in elements

  bool operator==(const StridedView&) const = default;

  // Elements lie one after the other, wherever the first one is.
  bool dense() const;
  // Those of the dimensions from `axis` on do.
  bool DenseFrom(std::size_t axis) const;
  // From the first element to the last, what lies between them included; 0 if there is none.
  std::size_t Span() const;
};

StridedView DenseView(const Dims& dims);

// The same elements in the same order under other dimensions; nothing where no strides say that.
std::optional<StridedView> Reshaped(const StridedView& view, const Dims& dims);
// Dimension i is `order[i]` of the view.
StridedView Permuted(const StridedView& view, const std::vector<std::size_t>& order);
// Dimensions of one element, and missing ones in front, repeated as numpy does it; nothing if they do not
// fit.
std::optional<StridedView> Repeated(const StridedView& view, const Dims& dims);

}  // namespace foothold
