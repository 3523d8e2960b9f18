// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Inputs that are read where they lie: definitions say which (OpDef::ReadsViews), passes fold what would
// gather a copy into them, and lowering asks for the distances here. Used by rules; any thread.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "ir/strided_view.h"
#include "ops/op.h"

namespace foothold {

// Where the parts of a view below its first `axis` dimensions begin, in their order.
class ViewParts {
 public:
  ViewParts(const StridedView& view, std::size_t axis);

  std::size_t count() const { return count_; }
  std::size_t Offset(std::size_t part) const;

 private:
  // Dimensions that follow one another in memory are one; innermost first.
  std::vector<std::size_t> extents_, strides_;
  std::size_t count_ = 1;
};

// How what a port gives lies in memory. Kernels get the address of its first element, so the offset is 0.
StridedView ViewOf(const OpContext& context, int port);
inline StridedView ViewOf(const OpContext& context, std::string_view port) {
  return ViewOf(context, context.Port(port));
}
// How an output is to be written, from the address of its first element on.
StridedView WrittenViewOf(const OpContext& context, int output);

// For OpDef::ReadsViews: elements along the last dimension lie one after the other.
bool HasDenseRows(const OpContext& context, int port, const StridedView& view);

}  // namespace foothold
