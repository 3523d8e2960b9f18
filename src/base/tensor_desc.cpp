// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/tensor_desc.h"

namespace foothold {
namespace {

// Before there are threads, so that no fork finds it half made.
[[maybe_unused]] const TensorDescs& made_at_load = TensorDescs::Get();

void CheckRanges(const std::vector<Range>& ranges, const char* of) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto [low, high] = ranges[i];
    if (high != -1 && high < low) {
      Fail(kInvalidParam,
           "{} range {} is [{}, {}]; the upper bound must not be below the lower one (-1: no bound)", of, i,
           low, high);
    }
  }
}

}  // namespace

Shape::Shape(int rank, const std::int64_t* dims) {
  if (rank < 0 || rank > kMaxRank)
    Fail(kInvalidParam, "a tensor has 0 to {} dimensions, not {}", kMaxRank, rank);
  if (rank > 0 && dims == nullptr) Fail(kInvalidParam, "dims must not be null for {} dimensions", rank);
  for (int i = 0; i < rank; ++i) {
    if (dims[i] >= kUnknownDim || (dims[i] == kUnknownRank && rank == 1)) continue;
    Fail(kInvalidParam,
         "dimension {} is {}; expected 0 or more, -1 for a size that is not known, or -2 as the only one for "
         "a "
         "rank that is not known",
         i, dims[i]);
  }
  dims_.assign(dims, dims + rank);
}

std::int64_t Shape::dim(std::size_t index) const {
  if (!rank_known()) Fail(kInvalidParam, "dimension {} of a tensor whose rank is not known", index);
  if (index >= dims_.size()) Fail(kInvalidParam, "dimension {} of a tensor that has {}", index, dims_.size());
  return dims_[index];
}

std::optional<std::size_t> Shape::elements() const {
  std::size_t count = 1;
  bool too_many = false;
  for (std::int64_t dim : dims_) {
    if (dim < 0) return std::nullopt;
    if (dim == 0) return 0;
    too_many |= __builtin_mul_overflow(count, static_cast<std::size_t>(dim), &count);
  }
  if (too_many) Fail(kInvalidParam, "the tensor has more elements than 64 bits can count");
  return count;
}

TensorDesc::TensorDesc(DataType type, Format format, Shape shape)
    : format(format), type_(type), shape_(std::move(shape)) {
  if (!BitsPerElement(type)) Fail(kInvalidParam, "{} is no data type", static_cast<int>(type));
}

void TensorDesc::SetShape(Shape shape) {
  shape_ = std::move(shape);
  if (shape_ranges_.size() != shape_.rank()) shape_ranges_.clear();
}

std::size_t TensorDesc::bytes() const {
  const std::size_t count = elements();
  if (auto bytes = PackedBytes(type_, count)) return *bytes;
  Fail(kInvalidParam, "{} elements of data type {} are more bytes than 64 bits can count", count,
       static_cast<int>(type_));
}

void TensorDesc::SetShapeRanges(std::vector<Range> ranges) {
  if (shape_.rank_known() && ranges.size() != shape_.rank()) {
    Fail(kInvalidParam, "{} ranges for a tensor of {} dimensions; one per dimension is expected",
         ranges.size(), shape_.rank());
  }
  CheckRanges(ranges, "shape");
  shape_ranges_ = std::move(ranges);
}

Range TensorDesc::ShapeRange(std::size_t index) const {
  if (index < shape_ranges_.size()) return shape_ranges_[index];
  const std::int64_t size = shape_.dim(index);
  return size < 0 ? Range{0, -1} : Range{size, size};
}

void TensorDesc::SetValueRanges(std::vector<Range> ranges) {
  CheckRanges(ranges, "value");
  value_ranges_ = std::move(ranges);
}

void TensorDesc::SetConstant(const void* data, std::size_t bytes) {
  const auto* first = static_cast<const std::byte*>(data);
  constant_.assign(first, first + bytes);
}

bool TensorDesc::IsPlain() const {
  return shape_ranges_.empty() && value_ranges_.empty() && constant_.empty() && !storage_format &&
         !storage_shape && name.empty() && dynamic_input.empty() && placement == Placement::kDevice &&
         address == nullptr && followers.empty();
}

}  // namespace foothold
