// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where extents of one are put into a shape to give it the rank of its layout: a text of ones (put in) and
// zeros (taken from the shape), one character per extent of the result.
#ifndef FOOTHOLD_EXE_GRAPH_RUNTIME_EXPAND_DIMS_TYPE_H_
#define FOOTHOLD_EXE_GRAPH_RUNTIME_EXPAND_DIMS_TYPE_H_

#include <stddef.h>
#include <stdint.h>

#include "exe_graph/runtime/shape.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"

namespace gert {

class ExpandDimsType {
 public:
  using AxisIndex                        = uint64_t;
  static constexpr size_t kMaxExpandSize = 56;

  ExpandDimsType() : size_(0), mask_(0), reserved_{} {}
  // Texts that are too long, and null, say nothing.
  explicit ExpandDimsType(const ge::char_t* const expand_dims_type) : ExpandDimsType() {
    size_t size = 0;
    while (expand_dims_type != nullptr && expand_dims_type[size] != 0) {
      ++size;
    }
    if (size > kMaxExpandSize) {
      return;
    }
    size_ = size;
    for (size_t i = 0; i < size; ++i) {
      if (expand_dims_type[i] == '1') {
        SetExpandIndex(i);
      }
    }
  }
  // The same in one number: the length in the highest byte, the first character in the lowest bit.
  explicit ExpandDimsType(const int64_t reshape_type_mask) : ExpandDimsType() {
    const uint64_t bits = static_cast<uint64_t>(reshape_type_mask);
    if ((bits >> kMaxExpandSize) <= kMaxExpandSize) {
      size_ = bits >> kMaxExpandSize;
      mask_ = bits & ((uint64_t{1} << kMaxExpandSize) - 1);
    }
  }

  bool operator==(const ExpandDimsType& other) const { return size_ == other.size_ && mask_ == other.mask_; }
  AxisIndex GetFullSize() const { return size_; }
  void SetExpandIndex(const AxisIndex index) {
    if (index < kMaxExpandSize) {
      mask_ |= uint64_t{1} << index;
    }
  }
  bool IsExpandIndex(const AxisIndex index) const {
    return index < kMaxExpandSize && ((mask_ >> index) & 1U) != 0;
  }

  // Fails when the shape does not have as many extents as there are zeros; one that has the full rank already
  // stays as it is.
  ge::graphStatus Expand(const Shape& shape, Shape& out_shape) const {
    if (size_ == 0 || shape.GetDimNum() == size_) {
      out_shape = shape;
      return ge::GRAPH_SUCCESS;
    }
    Shape expanded;
    size_t taken = 0;
    for (AxisIndex i = 0; i < size_; ++i) {
      (void)expanded.AppendDim(IsExpandIndex(i) ? 1 : shape.GetDim(taken++));
    }
    if (taken != shape.GetDimNum() || size_ > Shape::kMaxDimNum) {
      return ge::GRAPH_FAILED;
    }
    out_shape = expanded;
    return ge::GRAPH_SUCCESS;
  }
  ge::graphStatus Expand(Shape& shape) const { return Expand(Shape(shape), shape); }

 private:
  // One word: the mask in the low bits, the length in the highest byte.
  uint64_t size_ : 8;
  uint64_t mask_ : kMaxExpandSize;
  __attribute__((unused)) uint8_t reserved_[40];
};

}  // namespace gert

#endif  // FOOTHOLD_EXE_GRAPH_RUNTIME_EXPAND_DIMS_TYPE_H_
