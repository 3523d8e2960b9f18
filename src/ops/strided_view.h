// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Inputs that lie in memory with distances of their own, such as the part of a cache of keys that is in use.
// The attribute "_view_" + <name of the port> of a node holds the number of dimensions, the dimensions and
// the strides in elements; what arrives at the port is then one-dimensional, from the first element of the
// view to its last. Operators that read views this way need no gathered copy. Used by rules; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ops/op.h"

namespace foothold {

struct StridedView {
  Dims dims;
  std::vector<std::size_t> strides;  // in elements; 0 repeats

  bool dense() const;  // elements lie one after the other
  // The elements of the dimensions from `axis` on do.
  bool DenseFrom(std::size_t axis) const;
};

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

StridedView DenseView(const Dims& dims);

std::string ViewAttribute(const std::string& port);

// Of what the port carries: the dimensions and strides of the attribute, or those of a dense tensor. Refuses
// an attribute that does not fit what arrives.
StridedView ViewOf(const OpContext& context, int port);
inline StridedView ViewOf(const OpContext& context, std::string_view port) {
  return ViewOf(context, context.Port(port));
}

// The value of that attribute.
std::vector<std::int64_t> ViewNumbers(const Dims& dims, const std::vector<std::int64_t>& strides);

}  // namespace foothold
