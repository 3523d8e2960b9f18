// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Copies from one view to another, and conversions.
#include "aclnn/mapping.h"
#include "calls/view.h"

namespace foothold::aclnn {
namespace {

// One kernel goes from view to view. Others are better at what is packed on one side.
bool GoesFromViewToView(const Tensor& self, const Tensor& src) {
  if (self.type != src.type || IsContiguous(self.dims, self.strides)) return false;
  const bool packed = IsContiguous(src.dims, src.strides);
  return !packed || !DenseOrder(self.dims, self.strides);
}

void MapInplaceCopy(Call& call) {
  const Tensor self = call.View("selfRef"), src = call.View("src");
  if (GoesFromViewToView(self, src))
    return call.OutFromView("selfRef", call.Span("src"), src.dims.ToDims(), src.strides.ToDims());
  call.Out("selfRef", call.To(call.BroadcastTo(call.In("src"), self.dims.ToDims()), self.type));
}

void MapCast(Call& call) {
  const DataType type = call.GetType("dtype"), out = call.TypeOfArgument("out");
  if (type != out) call.Refuse("'dtype' is {}, and 'out' is {}", DataTypeName(type), DataTypeName(out));
  call.Out("out", call.To(call.In("self"), type));
}

const RegisterMapping copy_maps({{"aclnnInplaceCopy", MapInplaceCopy}, {"aclnnCast", MapCast}});

}  // namespace
}  // namespace foothold::aclnn
