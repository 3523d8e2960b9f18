// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Normalisations and softmax. Statistics are outputs of any shape with as many elements.
#include "aclnn/mapping.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

void MapSoftmax(Call& call, const char* type) {
  const Value self = call.InLines("self");
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size());
  const Value floats = call.To(self, FloatOf(TypeOf(self).type));
  call.Out("out", call.Op(type, {floats}).Set("axes", std::vector<std::int64_t>{axis}));
}

void MapCrossEntropy(Call& call) {
  const Value features = call.In("features");
  const DataType type = ComputeType(TypeOf(features).type);
  Op loss =
      call.Op("SoftmaxCrossEntropyWithLogits", {call.To(features, type), call.To(call.In("labels"), type)});
  call.OutElements("loss", loss.Out(0));
  call.Out("backprop", loss.Out(1));
}

// What is all of one type is computed by kernels of that, all else in float: weights and statistics of
// another type are not to be rounded on the way. Names of arguments that are null do not matter.
DataType CommonType(Call& call, std::string_view first, std::initializer_list<std::string_view> others) {
  const DataType type = call.TypeOfArgument(first);
  for (const std::string_view name : others)
    if (call.Has(name) && call.TypeOfArgument(name) != type) return ComputeType(type);
  return type;
}

void MapLayerNorm(Call& call) {
  const DataType type =
      CommonType(call, "input", {"weightOptional", "biasOptional", "meanOutOptional", "rstdOutOptional"});
  const Value input = call.To(call.In("input"), type);
  const Dims shape = call.GetInts("normalizedShape");
  const Dims& dims = DimsOf(input);
  if (shape.empty() || shape.size() > dims.size() || !std::equal(shape.rbegin(), shape.rend(), dims.rbegin()))
    call.Refuse("'normalizedShape' is {}; the last dimensions of 'input', {}, are expected",
                foothold::ToString(shape), foothold::ToString(dims));
  const auto affine = [&](std::string_view name) {
    return call.Has(name) ? call.To(call.In(name), type) : Value();
  };
  Op norm =
      call.Op("LayerNormV4", {input, call.Ints(shape), affine("weightOptional"), affine("biasOptional")});
  norm.Set("epsilon", static_cast<float>(call.GetReal("eps")));
  call.OutIfGiven("meanOutOptional", norm.Out(1));
  call.OutIfGiven("rstdOutOptional", norm.Out(2));
  call.Out("out", norm.Out(0));
}

void MapRmsNorm(Call& call) {
  const DataType type = CommonType(call, "x", {"gamma"});
  Op norm = call.Op("RmsNorm", {call.To(call.In("x"), type), call.To(call.In("gamma"), type)});
  norm.Set("epsilon", static_cast<float>(call.GetReal("epsilon")));
  call.OutElements("rstdOut", norm.Out(1));
  call.Out("yOut", norm.Out(0));
}

// Weights that are kept as what they are above 1.
void MapGemmaRmsNorm(Call& call) {
  const DataType type = ComputeType(call.TypeOfArgument("x"));
  const Value gamma = call.Op("Adds", {call.To(call.In("gamma"), type)}).Set("value", 1.0f);
  Op norm = call.Op("RmsNorm", {call.To(call.In("x"), type), gamma});
  norm.Set("epsilon", static_cast<float>(call.GetReal("epsilon")));
  call.OutElements("rstdOut", norm.Out(1));
  call.Out("yOut", norm.Out(0));
}

void MapAddRmsNorm(Call& call) {
  const DataType type = CommonType(call, "x1", {"x2", "gamma"});
  const Value x1 = call.To(call.In("x1"), type), x2 = call.To(call.In("x2"), type);
  Op norm = call.Op("AddRmsNorm", {x1, x2, call.To(call.In("gamma"), type)});
  norm.Set("epsilon", static_cast<float>(call.GetReal("epsilon")));
  call.OutElements("rstdOut", norm.Out(1));
  call.Out("xOut", norm.Out(2));
  call.Out("yOut", norm.Out(0));
}

struct GroupedImage {
  std::int64_t n, c, inner;
};

void GroupNorm(Call& call, const GroupedImage& image, bool silu) {
  const DataType type = CommonType(call, "self", {"gamma", "beta", "meanOut", "rstdOut"});
  const std::int64_t groups = call.GetInt("group");
  if (groups <= 0 || image.c % groups != 0)
    call.Refuse("'group' is {}; it has to divide C, {}", groups, image.c);
  const Value self = call.To(call.In("self"), type);
  const Value x = Call::As(call.Reshape(self, {image.n, image.c, image.inner, 1}), Format::kNchw);
  const auto affine = [&](std::string_view name) {
    return call.Has(name) ? call.To(call.Reshape(call.In(name), {image.c}), type) : Value();
  };
  Op norm = call.Op("GroupNormSilu", {x, affine("gamma"), affine("beta")});
  norm.Set("num_groups", groups)
      .Set("eps", static_cast<float>(call.GetReal("eps")))
      .Set("activate_silu", silu);
  call.OutElements("meanOut", norm.Out(1));
  call.OutElements("rstdOut", norm.Out(2));
  call.OutElements("out", norm.Out(0));
}

void MapGroupNorm(Call& call) {
  const GroupedImage image{call.GetInt("N"), call.GetInt("C"), call.GetInt("HxW")};
  const std::int64_t count = ElementCount(call.DimsOfArgument("self"));
  if (image.n < 0 || image.c <= 0 || image.inner < 0 || image.n * image.c * image.inner != count)
    call.Refuse("'N', 'C' and 'HxW' are {}, {} and {}; 'self' is {}", image.n, image.c, image.inner,
                ToString(call.View("self")));
  GroupNorm(call, image, false);
}

void MapGroupNormSilu(Call& call) {
  const Dims dims = call.DimsOfArgument("self");
  if (dims.size() < 2)
    call.Refuse("'self' is {}; a batch and channels are expected", ToString(call.View("self")));
  GroupNorm(call, {dims[0], dims[1], ElementCount(Dims(dims.begin() + 2, dims.end()))}, true);
}

const RegisterMapping norm_maps({
    {"aclnnSoftmax", [](Call& call) { MapSoftmax(call, "SoftmaxV2"); }},
    {"aclnnLogSoftmax", [](Call& call) { MapSoftmax(call, "LogSoftmaxV2"); }},
    {"aclnnSoftmaxCrossEntropyWithLogits", MapCrossEntropy},
    {"aclnnLayerNorm", MapLayerNorm},
    {"aclnnRmsNorm", MapRmsNorm},
    {"aclnnGemmaRmsNorm", MapGemmaRmsNorm},
    {"aclnnAddRmsNorm", MapAddRmsNorm},
    {"aclnnGroupNorm", MapGroupNorm},
    {"aclnnGroupNormSilu", MapGroupNormSilu},
});

}  // namespace
}  // namespace foothold::aclnn
