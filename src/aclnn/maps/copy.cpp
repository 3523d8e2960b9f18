// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Copies from one view to another, and conversions.
#include "aclnn/mapping.h"

namespace foothold::aclnn {
namespace {

void MapInplaceCopy(Call& call) {
  const Tensor self = call.View("selfRef");
  call.Out("selfRef", call.To(call.BroadcastTo(call.In("src"), self.dims.ToDims()), self.type));
}

void MapCast(Call& call) {
  const DataType type = call.GetType("dtype"), out = call.TypeOfArgument("out");
  if (type != out) call.Refuse("'dtype' is {}, and 'out' is {}", DataTypeName(type), DataTypeName(out));
  call.Out("out", call.To(call.In("self"), type));
}

const RegisterMapping registered({{"aclnnInplaceCopy", MapInplaceCopy}, {"aclnnCast", MapCast}});

}  // namespace
}  // namespace foothold::aclnn
