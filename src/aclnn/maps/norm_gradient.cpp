// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Normalisation over batches, and the gradients of normalisations and softmax. Halves are computed in float.
#include "aclnn/mapping.h"
#include "aclnn/maps/output_mask.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

Value InFloat(Call& call, std::string_view name) {
  const Value value = call.InLines(name);
  return call.To(value, ComputeType(TypeOf(value).type));
}

// A parameter for each element of `dims`, or the same for all where there is none.
Value InFloatOr(Call& call, std::string_view name, const Dims& dims, double otherwise) {
  if (!call.Has(name)) return call.Filled(DataType::kFloat, dims, otherwise);
  const Value value = InFloat(call, name);
  if (ElementCount(DimsOf(value)) != ElementCount(dims))
    call.Refuse("'{}' is {}; {} is expected", name, ToString(call.View(name)), foothold::ToString(dims));
  return call.Reshape(value, dims);
}

void MapSoftmaxBackward(Call& call, bool log) {
  const Value output = InFloat(call, "output"), gradient = InFloat(call, "gradOutput");
  const std::vector<std::int64_t> axes{call.GetAxis("dim", DimsOf(output).size())};
  call.Out("out", log ? call.Op("LogSoftmaxGrad", {gradient, output}).Set("axis", axes).Out()
                      : call.Op("SoftmaxGrad", {output, gradient}).Set("axes", axes).Out());
}

void MapLayerNormBackward(Call& call) {
  const Value x = InFloat(call, "input"), gradient = InFloat(call, "gradOut");
  const Dims shape = call.GetInts("normalizedShape");
  if (shape.empty() || shape.size() > DimsOf(x).size() ||
      !std::equal(shape.rbegin(), shape.rend(), DimsOf(x).rbegin()))
    call.Refuse("'normalizedShape' is {}; the last dimensions of 'input', {}, are expected",
                foothold::ToString(shape), foothold::ToString(DimsOf(x)));
  OutputMask outputs(call, {"gradInputOut", "gradWeightOut", "gradBiasOut"});
  const Dims rows{
      ElementCount(Dims(DimsOf(x).begin(), DimsOf(x).end() - static_cast<std::ptrdiff_t>(shape.size())))};
  if (ElementCount(DimsOf(x)) == 0) {
    for (const std::size_t parameter : {1, 2})
      outputs.Out(parameter, call.Filled(DataType::kFloat, shape, 0));
    return;
  }
  Op norm = call.Op("LayerNormGradV3",
                    {gradient, x, InFloatOr(call, "rstd", rows, 0), InFloatOr(call, "mean", rows, 0),
                     InFloatOr(call, "weightOptional", shape, 1)});
  for (int i = 0; i < 3; ++i)
    outputs.Out(static_cast<std::size_t>(i), norm.Out(i));
}

void MapGroupNormBackward(Call& call) {
  const std::int64_t n = call.GetInt("N"), c = call.GetInt("C"), inner = call.GetInt("HxW");
  const std::int64_t groups = call.GetInt("group");
  if (n < 0 || c <= 0 || inner < 0 || n * c * inner != ElementCount(call.DimsOfArgument("input")))
    call.Refuse("'N', 'C' and 'HxW' are {}, {} and {}; 'input' is {}", n, c, inner,
                ToString(call.View("input")));
  if (groups <= 0 || c % groups != 0) call.Refuse("'group' is {}; it has to divide C, {}", groups, c);
  OutputMask outputs(call, {"gradInput", "gradGammaOut", "gradBetaOut"});
  const Dims image{n, c, inner}, statistics{n, groups};
  Op norm =
      call.Op("GroupNormGrad", {InFloatOr(call, "gradOut", image, 0), InFloatOr(call, "mean", statistics, 0),
                                InFloatOr(call, "rstd", statistics, 0), InFloatOr(call, "input", image, 0),
                                InFloatOr(call, "gamma", {c}, 1)});
  norm.Set("num_groups", groups)
      .Set("dx_is_require", outputs.Wants(0))
      .Set("dgamma_is_require", outputs.Wants(1))
      .Set("dbeta_is_require", outputs.Wants(2));
  for (int i = 0; i < 3; ++i)
    outputs.Out(static_cast<std::size_t>(i), norm.Out(i));
}

void MapRmsNormGrad(Call& call) {
  Op norm = call.Op("RmsNormGrad",
                    {InFloat(call, "dy"), InFloat(call, "x"), InFloat(call, "rstd"), InFloat(call, "gamma")});
  call.Out("dxOut", norm.Out(0));
  call.OutElements("dgammaOut", norm.Out(1));
}

// [n, c, ...] as an image; what has one dimension only is all channels.
Dims ChannelDims(Call& call, std::string_view name) {
  const Dims dims = call.DimsOfArgument(name);
  if (dims.size() < 2)
    call.Refuse("'{}' is {}; a batch and channels are expected", name, ToString(call.View(name)));
  return {dims[0], dims[1], ElementCount(Dims(dims.begin() + 2, dims.end())), 1};
}

Value AsChannels(Call& call, std::string_view name, const Dims& dims) {
  return Call::As(InFloatOr(call, name, dims, 0), Format::kNchw);
}

void CheckRunning(Call& call) {
  for (const char* name : {"runningMean", "runningVar"})
    if (!call.Has(name)) call.Refuse("'{}' is null; without training it is used", name);
}

void MapBatchNorm(Call& call) {
  const Dims dims = ChannelDims(call, "input"), channels{dims[1]};
  const bool training = call.GetFlag("training");
  if (!training) CheckRunning(call);
  // Averages that the program does not keep are outputs of their own.
  Op norm = call.OwnOp("AclnnBatchNorm",
                       {{"x", AsChannels(call, "input", dims)},
                        {"weight", InFloatOr(call, "weight", channels, 1)},
                        {"bias", InFloatOr(call, "bias", channels, 0)},
                        {"running_mean", InFloatOr(call, "runningMean", channels, 0)},
                        {"running_var", InFloatOr(call, "runningVar", channels, 1)}},
                       {"y", call.Has("runningMean") ? "running_mean" : "mean",
                        call.Has("runningVar") ? "running_var" : "var", "save_mean", "save_rstd"});
  norm.Set("is_training", training)
      .Set("momentum", static_cast<float>(call.GetReal("momentum")))
      .Set("epsilon", static_cast<float>(call.GetReal("eps")));
  call.OutElements("output", norm.Out(0));
  if (training && call.Has("runningMean")) call.OutElements("runningMean", norm.Out(1));
  if (training && call.Has("runningVar")) call.OutElements("runningVar", norm.Out(2));
  // Without training there is nothing to save, and programs may leave no room.
  for (const auto& [name, port] : {std::pair{"saveMean", 3}, {"saveInvstd", 4}})
    if (training || ElementCount(call.DimsOfArgument(name)) == dims[1])
      call.OutElements(name, norm.Out(port));
}

void MapBatchNormBackward(Call& call) {
  const Dims dims = ChannelDims(call, "input"), channels{dims[1]};
  const bool training = call.GetFlag("training");
  if (!training) CheckRunning(call);
  if (training && (!call.Has("saveMean") || !call.Has("saveInvstd")))
    call.Refuse("'saveMean' or 'saveInvstd' is null; after training they are used");
  OutputMask outputs(call, {"gradInput", "gradWeight", "gradBias"});
  Op norm = call.Op("BatchNormGradV3");
  norm.In("dy", AsChannels(call, "gradOut", dims))
      .In("x", AsChannels(call, "input", dims))
      .In("weight", InFloatOr(call, "weight", channels, 1))
      .In("running_mean", InFloatOr(call, "runningMean", channels, 0))
      .In("running_var", InFloatOr(call, "runningVar", channels, 1))
      .In("save_mean", InFloatOr(call, "saveMean", channels, 0))
      .In("save_rstd", InFloatOr(call, "saveInvstd", channels, 1));
  norm.Set("is_training", training).Set("epsilon", static_cast<float>(call.GetReal("eps")));
  for (int i = 0; i < 3; ++i)
    outputs.Out(static_cast<std::size_t>(i), norm.Out(i));
}

const RegisterMapping norm_gradient_maps({
    {"aclnnSoftmaxBackward", [](Call& call) { MapSoftmaxBackward(call, false); }},
    {"aclnnLogSoftmaxBackward", [](Call& call) { MapSoftmaxBackward(call, true); }},
    {"aclnnLayerNormBackward", MapLayerNormBackward},
    {"aclnnGroupNormBackward", MapGroupNormBackward},
    {"aclnnRmsNormGrad", MapRmsNormGrad},
    {"aclnnBatchNorm", MapBatchNorm},
    {"aclnnBatchNormBackward", MapBatchNormBackward},
});

}  // namespace
}  // namespace foothold::aclnn
