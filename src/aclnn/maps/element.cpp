// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One tensor in, one of the same shape out, element by element.
#include "aclnn/mapping.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

void MapAbs(Call& call) {
  call.Out("out", call.Op("Abs", {call.In("self")}));
}

void MapAdd(Call& call) {
  const Value self = call.In("self"), other = call.In("other");
  const DataType type = Promote(TypeOf(self).type, TypeOf(other).type), computed = ComputeType(type);
  const Number alpha = call.GetNumber("alpha");
  Value right = call.To(other, computed);
  if (alpha.real() != 1.0) right = call.Op("Mul", {right, call.Number(computed, alpha)});
  call.Out("out", call.Op("Add", {call.To(self, computed), right}));
}

const RegisterMapping registered({{"aclnnAbs", MapAbs}, {"aclnnAdd", MapAdd}});

}  // namespace
}  // namespace foothold::aclnn
