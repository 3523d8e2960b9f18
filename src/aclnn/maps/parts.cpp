// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/maps/parts.h"

namespace foothold::aclnn {

Value Part(Call& call, Value value, std::int64_t axis, std::int64_t begin, std::int64_t size) {
  std::vector<std::int64_t> begins(DimsOf(value).size(), 0);
  std::vector<std::int64_t> sizes(DimsOf(value).begin(), DimsOf(value).end());
  begins[static_cast<std::size_t>(axis)] = begin;
  sizes[static_cast<std::size_t>(axis)] = size;
  return call.Op("Slice", {value, call.Ints(begins), call.Ints(sizes)});
}

std::pair<Value, Value> Halves(Call& call, Value value, std::int64_t axis) {
  const Dims dims = DimsOf(value);
  if (dims.empty()) call.Refuse("a tensor without dimensions has no halves");
  const std::int64_t size = dims[static_cast<std::size_t>(axis)];
  if (size % 2 != 0)
    call.Refuse("dimension {} of {} has an odd length, and is to be halved", axis, foothold::ToString(dims));
  return {Part(call, value, axis, 0, size / 2), Part(call, value, axis, size / 2, size / 2)};
}

Value Joined(Call& call, const std::vector<Value>& values, std::int64_t axis) {
  return call.Op("ConcatD")
      .InList("x", values)
      .Set("concat_dim", axis)
      .Set("N", static_cast<std::int64_t>(values.size()));
}

}  // namespace foothold::aclnn
