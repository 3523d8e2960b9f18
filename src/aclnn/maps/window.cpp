// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/maps/window.h"

namespace foothold::aclnn {

Value AsBatch(Call& call, std::string_view name) {
  const Dims given = call.DimsOfArgument(name);
  const Dims dims = given.size() == 3 ? Dims{1, given[0], given[1], given[2]} : given;
  if (dims.size() != 4)
    call.Refuse("'{}' is {}; three or four dimensions are expected", name, ToString(call.View(name)));
  return Call::As(call.Reshape(call.In(name), dims), Format::kNchw);
}

Sizes Pair(Call& call, std::string_view name, const Sizes& otherwise) {
  const Sizes sizes = call.Has(name) ? call.GetInts(name) : Sizes();
  if (sizes.empty()) return otherwise;
  if (sizes.size() > 2) call.Refuse("'{}' has {} entries; one or two are expected", name, sizes.size());
  return {sizes[0], sizes.back()};
}

}  // namespace foothold::aclnn
