// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The extents of a runtime tensor, in place: no allocation. A shape without extents is a scalar of one
// element. Prebuilt programs share the layout (docs/binary_layouts.md).
#ifndef FOOTHOLD_EXE_GRAPH_RUNTIME_SHAPE_H_
#define FOOTHOLD_EXE_GRAPH_RUNTIME_SHAPE_H_

#include <stddef.h>
#include <stdint.h>

#include <initializer_list>
#include <limits>

namespace gert {

struct Shape {
 public:
  static constexpr size_t kMaxDimNum        = 25;
  static constexpr int64_t kInvalidDimValue = std::numeric_limits<int64_t>::min();

  Shape() : dim_num_(0), dims_{}, reserved_{} {}
  // More than kMaxDimNum extents make an empty shape.
  Shape(const std::initializer_list<int64_t>& args) : dim_num_(0), dims_{}, reserved_{} {
    if (args.size() > kMaxDimNum) {
      return;
    }
    for (const int64_t dim : args) {
      dims_[dim_num_++] = dim;
    }
  }
  Shape(const Shape& other) : dim_num_(0), dims_{}, reserved_{} { *this = other; }
  Shape& operator=(const Shape& other) {
    dim_num_ = other.dim_num_;
    for (size_t i = 0; i < kMaxDimNum; ++i) {
      dims_[i] = other.dims_[i];
    }
    return *this;
  }

  bool operator==(const Shape& rht) const {
    bool same = dim_num_ == rht.dim_num_;
    for (size_t i = 0; same && i < dim_num_; ++i) {
      same = dims_[i] == rht.dims_[i];
    }
    return same;
  }
  bool operator!=(const Shape& rht) const { return !(*this == rht); }

  // Elements; kInvalidDimValue when the number does not fit.
  int64_t GetShapeSize() const {
    int64_t size = 1;
    for (size_t i = 0; i < dim_num_; ++i) {
      if (__builtin_mul_overflow(size, dims_[i], &size)) {
        return kInvalidDimValue;
      }
    }
    return size;
  }
  bool IsScalar() const { return dim_num_ == 0; }
  void SetScalar() { dim_num_ = 0; }

  size_t GetDimNum() const { return dim_num_; }
  // Numbers above kMaxDimNum are ignored.
  void SetDimNum(const size_t dim_num) {
    if (dim_num <= kMaxDimNum) {
      dim_num_ = dim_num;
    }
  }
  // kInvalidDimValue when `idx` is out of range.
  int64_t GetDim(const size_t idx) const {
    return idx < dim_num_ && idx < kMaxDimNum ? dims_[idx] : kInvalidDimValue;
  }
  // `idx` must be below kMaxDimNum.
  const int64_t& operator[](const size_t idx) const { return dims_[idx]; }
  int64_t& operator[](const size_t idx) { return dims_[idx]; }
  // Programs set the number of extents first: a position behind them raises it to `idx`, which does not count
  // the extent itself. Positions from kMaxDimNum on are ignored.
  void SetDim(size_t idx, const int64_t dim_value) {
    if (idx >= kMaxDimNum) {
      return;
    }
    dims_[idx] = dim_value;
    dim_num_   = idx < dim_num_ ? dim_num_ : idx;
  }
  // Ignored once there are kMaxDimNum extents.
  Shape& AppendDim(const int64_t value) {
    if (dim_num_ < kMaxDimNum) {
      dims_[dim_num_++] = value;
    }
    return *this;
  }

 private:
  size_t dim_num_;
  int64_t dims_[kMaxDimNum];
  __attribute__((unused)) uint8_t reserved_[40];
};

}  // namespace gert

#endif  // FOOTHOLD_EXE_GRAPH_RUNTIME_SHAPE_H_
