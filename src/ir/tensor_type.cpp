// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/tensor_type.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace foothold {

bool IsStatic(const Dims& dims) noexcept {
  return std::all_of(dims.begin(), dims.end(), [](std::int64_t dim) { return dim >= 0; });
}

bool Compatible(const Dims& a, const Dims& b) noexcept {
  if (!RankKnown(a) || !RankKnown(b)) return true;
  const auto agree = [](std::int64_t x, std::int64_t y) { return x == y || x < 0 || y < 0; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), agree);
}

std::int64_t ElementCount(const Dims& dims) {
  std::int64_t count = 1;
  bool empty = false;
  for (const std::int64_t dim : dims) {
    if (dim < 0) Fail(kInvalidParam, "the shape {} has a dimension that is not known", ToString(dims));
    if (dim == 0) empty = true;
  }
  if (empty) return 0;
  for (const std::int64_t dim : dims)
    if (__builtin_mul_overflow(count, dim, &count))
      Fail(kInvalidParam, "the shape {} has more elements than 64 bits can count", ToString(dims));
  return count;
}

std::size_t ByteSize(const TensorType& type) {
  if (BitsPerElement(type.type).value_or(0) == 0)
    Fail(kInvalidParam, "elements of type {} have no fixed size", DataTypeName(type.type));
  const auto bytes = PackedBytes(type.type, static_cast<std::size_t>(ElementCount(type.dims)));
  if (!bytes || *bytes > PTRDIFF_MAX) Fail(kInvalidParam, "{} does not fit into memory", ToString(type));
  return *bytes;
}

std::string ToString(const Dims& dims) {
  return RankKnown(dims) ? fmt::format("[{}]", fmt::join(dims, ",")) : "[unknown rank]";
}

std::string ToString(const TensorType& type) {
  return std::string(DataTypeName(type.type)) + ToString(type.dims);
}

}  // namespace foothold
