// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>

#include "api/ge/graph_guard.h"
#include "api/ge/tensor_impl.h"

namespace ge {
namespace {

std::shared_ptr<const ShapeImpl> MakeShape(std::vector<int64_t> dims) {
  return foothold::GuardGraphValue(
      "Shape", [&] { return std::shared_ptr<const ShapeImpl>(new ShapeImpl{std::move(dims)}); });
}

bool IsUnknownRank(const std::vector<int64_t>& dims) {
  return dims.size() == 1 && dims[0] == UNKNOWN_DIM_NUM;
}

}  // namespace

Shape::Shape() = default;

Shape::Shape(const std::vector<int64_t>& dims) : impl_(MakeShape(dims)) {}

size_t Shape::GetDimNum() const {
  return impl_ == nullptr || IsUnknownRank(impl_->dims) ? 0 : impl_->dims.size();
}

int64_t Shape::GetDim(size_t idx) const {
  return impl_ == nullptr || idx >= impl_->dims.size() ? 0 : impl_->dims[idx];
}

graphStatus Shape::SetDim(size_t idx, int64_t value) {
  return foothold::GuardGraph("Shape::SetDim", [&] {
    const size_t count = impl_ == nullptr ? 0 : impl_->dims.size();
    if (idx >= count)
      foothold::Fail(foothold::kInvalidParam, "the shape has {} dimensions, so there is no dimension {}",
                     count, idx);
    std::vector<int64_t> dims = impl_->dims;  // copies of this shape keep theirs
    dims[idx] = value;
    impl_ = MakeShape(std::move(dims));
  });
}

std::vector<int64_t> Shape::GetDims() const {
  if (impl_ == nullptr) return {};
  return foothold::GuardGraphValue("Shape::GetDims", [&] { return impl_->dims; });
}

int64_t Shape::GetShapeSize() const {
  if (impl_ == nullptr || impl_->dims.empty()) return 0;
  const std::vector<int64_t>& dims = impl_->dims;
  if (std::any_of(dims.begin(), dims.end(), [](int64_t dim) { return dim < 0; })) return -1;
  int64_t size = 1;
  for (const int64_t dim : dims)
    if (__builtin_mul_overflow(size, dim, &size)) return 0;
  return size;
}

}  // namespace ge
