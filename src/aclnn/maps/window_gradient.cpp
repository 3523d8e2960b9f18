// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Gradients of functions that took elements several times: paddings, windows, columns of images.
#include "aclnn/mapping.h"
#include "aclnn/maps/planes.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

// Paddings are listed from the last dimension on.
void MapPadding(Call& call, std::size_t axes, const char* mode) {
  const std::vector<std::int64_t> given = call.GetInts("padding");
  if (given.size() != 2 * axes)
    call.Refuse("'padding' has {} entries; {} are expected", given.size(), 2 * axes);
  std::vector<std::int64_t> paddings(6, 0);
  for (std::size_t i = 0; i < axes; ++i)
    for (std::size_t side = 0; side < 2; ++side)
      paddings[2 * (2 - i) + side] = given[2 * i + side];
  call.OutElements("gradInput",
                   call.OwnOp("AclnnPadGrad", {{"grad", Planes(call, "gradOutput", axes)}}, {"y"})
                       .Set("input_dims", PlaneDims(call, "self", axes).InPlanes())
                       .Set("paddings", paddings)
                       .Set("mode", std::string(mode)));
}

void MapUnfold(Call& call) {
  std::vector<std::int64_t> dims = call.GetInts("inputSizes");
  Value gradient = call.In("gradOut");
  if (dims.empty()) {
    dims = {1};
    gradient = call.Reshape(gradient, {1, ElementCount(DimsOf(gradient))});
  }
  call.OutElements("gradIn", call.OwnOp("AclnnUnfoldGrad", {{"grad", gradient}}, {"y"})
                                 .Set("input_dims", dims)
                                 .Set("axis", call.GetInt("dim"))
                                 .Set("size", call.GetInt("size"))
                                 .Set("step", call.GetInt("step")));
}

Value NarrowInts(Call& call, const char* name) {
  const std::vector<std::int64_t> given = call.GetInts(name);
  const std::vector<std::int32_t> narrow(given.begin(), given.end());
  return call.Const(
      TensorValue::Of<std::int32_t>(DataType::kInt32, {static_cast<std::int64_t>(narrow.size())}, narrow));
}

void MapIm2col(Call& call) {
  call.OutElements("out", call.Op("Col2im", {call.In("gradOutput"), NarrowInts(call, "inputSize")})
                              .Set("kernel_size", call.GetInts("kernelSize"))
                              .Set("dilation", call.GetInts("dilation"))
                              .Set("padding", call.GetInts("padding"))
                              .Set("stride", call.GetInts("stride")));
}

void MapAffineGrid(Call& call) {
  call.OutElements("out", call.Op("AffineGrid", {call.In("theta"), NarrowInts(call, "size")})
                              .Set("align_corners", call.GetFlag("alignCorners")));
}

const RegisterMapping window_gradient_maps({
    {"aclnnReflectionPad1dBackward", [](Call& call) { MapPadding(call, 1, "reflect"); }},
    {"aclnnReflectionPad2dBackward", [](Call& call) { MapPadding(call, 2, "reflect"); }},
    {"aclnnReflectionPad3dBackward", [](Call& call) { MapPadding(call, 3, "reflect"); }},
    {"aclnnReplicationPad1dBackward", [](Call& call) { MapPadding(call, 1, "edge"); }},
    {"aclnnReplicationPad2dBackward", [](Call& call) { MapPadding(call, 2, "edge"); }},
    {"aclnnReplicationPad3dBackward", [](Call& call) { MapPadding(call, 3, "edge"); }},
    {"aclnnUnfoldGrad", MapUnfold},
    {"aclnnIm2colBackward", MapIm2col},
    {"aclnnAffineGrid", MapAffineGrid},
});

}  // namespace
}  // namespace foothold::aclnn
