// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/form.h"

#include <fmt/format.h>

namespace foothold::aclnn {

std::string Form::NameOf(ArgumentPlace place) const {
  const Parameter& parameter = function->parameters[place.parameter];
  if (parameter.kind == Kind::kTensorList) return fmt::format("'{}' {}", parameter.name, place.member);
  return fmt::format("'{}'", parameter.name);
}

}  // namespace foothold::aclnn
