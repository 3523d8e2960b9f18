// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One half of a tensor, activated, times the other half.
#include "aclnn/mapping.h"

namespace foothold::aclnn {
namespace {

// Node `op` of the tensor's halves of dimension `dim`.
Op Gated(Call& call, const char* op, const char* name) {
  const Tensor view = call.View(name);
  const std::size_t rank = view.dims.size();
  const std::int64_t axis = call.GetAxis("dim", rank);
  if (rank == 0 || view.dims[static_cast<std::size_t>(axis)] % 2 != 0)
    call.Refuse("'{}' is {}; dimension {} has to have two halves", name, ToString(view), axis);
  return call.Op(op, {call.In(name)}).Set("dim", axis);
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

void MapClippedSwiglu(Call& call) {
  Op node = call.Op("ClippedSwiglu", {call.In("x")});
  node.In("group_index", call.InIfGiven("groupIndexOptional")).Set("dim", call.GetInt("dim"));
  for (const char* name : {"alpha", "limit", "bias"})
    node.Set(name, static_cast<float>(call.GetReal(name)));
  call.Out("out", node.Set("interleaved", call.GetFlag("interleaved")));
}

const RegisterMapping gated_maps({{"aclnnSwiGlu", MapSwiGlu},
                                  {"aclnnGeGluV3", MapGeGlu},
                                  {"aclnnClippedSwiglu", MapClippedSwiglu}});

}  // namespace
}  // namespace foothold::aclnn
