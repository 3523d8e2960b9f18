// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/maps/planes.h"

namespace foothold::aclnn {

PlaneDims::PlaneDims(Call& call, std::string_view name, std::size_t axes) {
  const Dims whole = call.DimsOfArgument(name);
  if (whole.size() != axes + 1 && whole.size() != axes + 2)
    call.Refuse("'{}' is {}; {} or {} dimensions are expected", name, ToString(call.View(name)), axes + 1,
                axes + 2);
  const auto last = whole.end() - static_cast<std::ptrdiff_t>(axes);
  space.assign(3 - axes, 1);
  space.insert(space.end(), last, whole.end());
  count = ElementCount(Dims(whole.begin(), last));
  points = ElementCount(space);
}

Value Planes(Call& call, std::string_view name, std::size_t axes) {
  return call.Reshape(call.In(name), PlaneDims(call, name, axes).InPlanes());
}

Value Rows(Call& call, std::string_view name, std::size_t axes) {
  return call.Reshape(call.In(name), PlaneDims(call, name, axes).InRows());
}

}  // namespace foothold::aclnn
