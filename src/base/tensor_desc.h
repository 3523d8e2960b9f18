// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a tensor looks like: element type, layout and shape, and what single operators may be told besides
// (ranges, constant values, placement). A value: it owns copies of all it was given. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/data_type.h"
#include "base/format.h"
#include "base/host_objects.h"

namespace foothold {

enum class Placement : int { kDevice = 0, kHost = 1, kHostCompileIndependent = 2 };

// Closed; an upper bound of -1 is no bound.
using Range = std::pair<std::int64_t, std::int64_t>;

// Dimensions: -1 is not known yet; the single dimension -2 says that not even their number is.
class Shape {
 public:
  static constexpr int kMaxRank = 128;

  Shape() = default;
  // Throws 100000 if `dims` is no shape.
  Shape(int rank, const std::int64_t* dims);

  bool rank_known() const { return dims_.size() != 1 || dims_[0] != kUnknownRank; }
  std::size_t rank() const { return dims_.size(); }
  const std::vector<std::int64_t>& dims() const { return dims_; }
  // Throws 100000 when there is no such dimension.
  std::int64_t dim(std::size_t index) const;
  // Nothing while a dimension is not known; throws 100000 if the number does not fit.
  std::optional<std::size_t> elements() const;

 private:
  static constexpr std::int64_t kUnknownRank = -2;
  static constexpr std::int64_t kUnknownDim = -1;
  std::vector<std::int64_t> dims_;
};

class TensorDesc {
 public:
  // Throws 100000 for a type that does not exist.
  TensorDesc(DataType type, Format format, Shape shape);

  DataType type() const { return type_; }
  const Shape& shape() const { return shape_; }
  // Ranges for another number of dimensions are forgotten.
  void SetShape(Shape shape);
  // 0 while a dimension is not known; throws 100000 if the number does not fit.
  std::size_t elements() const { return shape_.elements().value_or(0); }
  std::size_t bytes() const;

  // One pair per dimension, unless the rank is not known.
  void SetShapeRanges(std::vector<Range> ranges);
  // A dimension without a range of its own has the one its size gives it.
  Range ShapeRange(std::size_t index) const;
  void SetValueRanges(std::vector<Range> ranges);
  void SetConstant(const void* data, std::size_t bytes);

  Format format;
  // How it lies in memory, where that differs.
  std::optional<Format> storage_format;
  std::optional<Shape> storage_shape;

  std::string name;
  std::string dynamic_input;
  Placement placement = Placement::kDevice;
  void* address = nullptr;
  std::vector<void*> followers;  // handles of the further descriptions of an array, which this one owns

  // Nothing is said of it but type, format and shape.
  bool IsPlain() const;
  const std::vector<Range>& shape_ranges() const { return shape_ranges_; }
  const std::vector<Range>& value_ranges() const { return value_ranges_; }
  const std::vector<std::byte>& constant() const { return constant_; }

 private:
  DataType type_;
  Shape shape_;
  std::vector<Range> shape_ranges_;
  std::vector<Range> value_ranges_;
  std::vector<std::byte> constant_;
};

using TensorDescs = HostObjects<TensorDesc, HandleKind::kTensorDesc>;

}  // namespace foothold
