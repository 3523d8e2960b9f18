// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One half of a tensor, activated, times the other half. Rows may lie apart: the kernel takes strides.
#include "aclnn/mapping.h"
#include "aclnn/types.h"
#include "aclnn/view.h"
#include "ops/strided_view.h"

namespace foothold::aclnn {
namespace {

// Strides of dimensions of one element mean nothing.
StridedView StridesOf(const Tensor& view) {
  StridedView strides{view.dims.ToDims(), {}};
  for (std::size_t i = 0; i < view.dims.size(); ++i)
    strides.strides.push_back(view.dims[i] == 1 ? 0 : static_cast<std::size_t>(view.strides[i]));
  return strides;
}

// Node `op` of the tensor's halves of dimension `dim`.
Op Gated(Call& call, const char* op, const char* name) {
  const Tensor view = call.View(name);
  const auto axis = static_cast<std::size_t>(call.GetAxis("dim", view.dims.size()));
  if (view.dims.size() == 0 || view.dims[axis] % 2 != 0)
    call.Refuse("'{}' is {}; dimension {} has to have two halves", name, ToString(view), axis);
  const StridedView strides = StridesOf(view);
  const bool strided = !IsContiguous(view.dims, view.strides) && strides.DenseFrom(axis);
  Op node = call.Op(op, {strided ? call.Span(name) : call.In(name)});
  node.Set("dim", static_cast<std::int64_t>(axis));
  if (strided)
    node.Set(ViewAttribute("x"), ViewNumbers(strides.dims, {strides.strides.begin(), strides.strides.end()}));
  return node;
}

void MapSwiGlu(Call& call) {
  call.Out("out", Gated(call, "SwiGlu", "x"));
}

void MapGeGlu(Call& call) {
  Op node = Gated(call, "GeGluV2", "self");
  node.Set("approximate", call.GetInt("approximate")).Set("activate_left", call.GetFlag("activateLeft"));
  call.Out("out", node.Out("y"));
  call.Out("outGelu", node.Out("gelu"));
}

const RegisterMapping registered({{"aclnnSwiGlu", MapSwiGlu}, {"aclnnGeGluV3", MapGeGlu}});

}  // namespace
}  // namespace foothold::aclnn
