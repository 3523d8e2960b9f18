// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Images taken apart, and sampled.
#include "aclnn/mapping.h"
#include "aclnn/maps/output_mask.h"
#include "aclnn/maps/window.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

void MapIm2col(Call& call) {
  call.OutElements("out", call.Op("Im2col", {AsBatch(call, "self")})
                              .Set("ksizes", Pair(call, "kernelSize", {1, 1}))
                              .Set("strides", Pair(call, "stride", {1, 1}))
                              .Set("dilations", Pair(call, "dilation", {1, 1}))
                              .Set("pads", BothSides(Pair(call, "padding", {0, 0}))));
}

std::string Named(Call& call, std::string_view name, const std::vector<std::string>& names) {
  const std::int64_t mode = call.GetInt(name);
  if (mode < 0 || static_cast<std::size_t>(mode) >= names.size())
    call.Refuse("'{}' is {}; 0 to {} is expected", name, mode, names.size() - 1);
  return names[static_cast<std::size_t>(mode)];
}

Value InPlaces(Call& call, std::string_view name, std::size_t axes, DataType type) {
  if (call.DimsOfArgument(name).size() != axes + 2)
    call.Refuse("'{}' is {}; {} dimensions are expected", name, ToString(call.View(name)), axes + 2);
  const Value value = call.To(call.In(name), type);
  return Call::As(value, axes == 2 ? Format::kNchw : Format::kNcdhw);
}

Op& SetSampling(Call& call, Op& op, std::size_t axes) {
  const std::vector<std::string> ways = {"bilinear", "nearest", "bicubic"};
  return op
      .Set("interpolation_mode",
           Named(call, "interpolationMode", {ways.begin(), ways.end() - (axes == 2 ? 0 : 1)}))
      .Set("padding_mode", Named(call, "paddingMode", {"zeros", "border", "reflection"}))
      .Set("align_corners", call.GetFlag("alignCorners"));
}

void MapGridSampler(Call& call, std::size_t axes) {
  const DataType type = ComputeType(call.TypeOfArgument("input"));
  Op sampler = call.Op(axes == 2 ? "GridSampler2D" : "GridSampler3D",
                       {InPlaces(call, "input", axes, type), InPlaces(call, "grid", axes, type)});
  call.Out("out", SetSampling(call, sampler, axes));
}

void MapGridSamplerBackward(Call& call, std::size_t axes) {
  const DataType type = ComputeType(call.TypeOfArgument("input"));
  Op sampler = call.Op(axes == 2 ? "GridSampler2DGrad" : "GridSampler3DGrad",
                       {InPlaces(call, "gradOutput", axes, type), InPlaces(call, "input", axes, type),
                        InPlaces(call, "grid", axes, type)});
  SetSampling(call, sampler, axes);
  OutputMask outputs(call, {"inputGrad", "gridGrad"});
  outputs.Out(0, sampler.Out(0));
  outputs.Out(1, sampler.Out(1));
}

const RegisterMapping image_maps({
    {"aclnnIm2col", MapIm2col},
    {"aclnnGridSampler2D", [](Call& call) { MapGridSampler(call, 2); }},
    {"aclnnGridSampler3D", [](Call& call) { MapGridSampler(call, 3); }},
    {"aclnnGridSampler2DBackward", [](Call& call) { MapGridSamplerBackward(call, 2); }},
    {"aclnnGridSampler3DBackward", [](Call& call) { MapGridSamplerBackward(call, 3); }},
});

}  // namespace
}  // namespace foothold::aclnn
