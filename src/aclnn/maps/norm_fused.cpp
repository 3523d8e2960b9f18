// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Normalisations with what stands before or behind them. Computed in float.
#include <algorithm>

#include "aclnn/mapping.h"
#include "aclnn/maps/formula.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

Term InFloat(Call& call, const char* name) {
  return {call, call.To(call.In(name), DataType::kFloat)};
}

// The last dimensions of x, as many as the weights have.
Dims RowDims(Call& call, const Term& x, const char* weights) {
  const Dims dims = call.DimsOfArgument(weights);
  if (dims.empty() || dims.size() > x.dims().size() ||
      !std::equal(dims.rbegin(), dims.rend(), x.dims().rbegin()))
    call.Refuse("'{}' is {}; the last dimensions of {} are expected", weights, ToString(call.View(weights)),
                foothold::ToString(x.dims()));
  return dims;
}

// y, mean and the reciprocal of the deviation.
Op LayerNorm(Call& call, const Term& x, double epsilon) {
  Op norm = call.Op("LayerNormV4",
                    {x, call.Ints(RowDims(call, x, "gamma")), InFloat(call, "gamma"), InFloat(call, "beta")});
  norm.Set("epsilon", static_cast<float>(epsilon));
  return norm;
}

void MapAddLayerNorm(Call& call) {
  Term x = InFloat(call, "x1") + InFloat(call, "x2");
  if (call.Has("biasOptional")) x = x + InFloat(call, "biasOptional");
  Op norm = LayerNorm(call, x, call.GetReal("epsilon"));
  call.Out("yOut", norm.Out(0));
  call.OutElements("meanOut", norm.Out(1));
  call.OutElements("rstdOut", norm.Out(2));
  if (call.GetFlag("additionalOutput")) call.OutIfGiven("xOut", x);
}

void MapDeepNorm(Call& call) {
  const Term x = InFloat(call, "x") * call.GetReal("alpha") + InFloat(call, "gx");
  Op norm = LayerNorm(call, x, call.GetReal("epsilon"));
  call.Out("yOut", norm.Out(0));
  call.OutElements("meanOut", norm.Out(1));
  call.OutElements("rstdOut", norm.Out(2));
}

struct Gradients {
  Term x, gamma, beta;
};

Gradients LayerNormGradients(Call& call, const Term& x, const char* rstd, const char* mean) {
  const Dims row = RowDims(call, x, "gamma");
  const Dims rows{ElementCount(x.dims()) / std::max<std::int64_t>(ElementCount(row), 1)};
  const auto statistic = [&](const char* name) { return call.Reshape(InFloat(call, name), rows); };
  Op norm = call.Op("LayerNormGradV3",
                    {InFloat(call, "dy"), x, statistic(rstd), statistic(mean), InFloat(call, "gamma")});
  return {{call, norm.Out(0)}, {call, norm.Out(1)}, {call, norm.Out(2)}};
}

void MapAddLayerNormGrad(Call& call) {
  const Gradients d = LayerNormGradients(call, InFloat(call, "x1") + InFloat(call, "x2"), "rstd", "mean");
  call.Out("dxOut", call.Has("dsumOptional") ? d.x + InFloat(call, "dsumOptional") : d.x);
  call.OutElements("dgammaOut", d.gamma);
  call.OutElements("dbetaOut", d.beta);
}

void MapDeepNormGrad(Call& call) {
  const double alpha = call.GetReal("alpha");
  const Gradients d =
      LayerNormGradients(call, InFloat(call, "x") * alpha + InFloat(call, "gx"), "rstd", "mean");
  call.Out("dxOut", d.x * alpha);
  call.Out("dgxOut", d.x);
  call.OutElements("dbetaOut", d.beta);
  call.OutElements("dgammaOut", d.gamma);
}

Op AddRmsNorm(Call& call, const char* first, const char* second) {
  Op norm = call.Op("AddRmsNorm", {InFloat(call, first), InFloat(call, second), InFloat(call, "gamma")});
  norm.Set("epsilon", static_cast<float>(call.GetReal("epsilon")));
  return norm;
}

void MapAddRmsNormCast(Call& call) {
  Op norm = AddRmsNorm(call, "x1", "x2");
  call.Out("y1Out", norm.Out(0));
  call.Out("y2Out", norm.Out(0));
  call.OutElements("rstdOut", norm.Out(1));
  call.Out("xOut", norm.Out(2));
}

void MapInplaceAddRmsNorm(Call& call) {
  Op norm = AddRmsNorm(call, "x1Ref", "x2Ref");
  call.OutElements("rstdOut", norm.Out(1));
  call.Out("x1Ref", norm.Out(0));
  call.Out("x2Ref", norm.Out(2));
}

// [batch, groups, channels of a group, inner].
struct Groups {
  Groups(Call& call, const char* x)
      : call(call), dims(call.DimsOfArgument(x)), groups(call.GetInt("numGroups")) {
    if (call.Has("dataFormatOptional") && call.GetText("dataFormatOptional") != "NCHW" &&
        !call.GetText("dataFormatOptional").empty())
      call.NotSupported("{} with dataFormatOptional other than 'NCHW'", call.function().name);
    if (dims.size() < 2 || groups < 1 || dims[1] % groups != 0)
      call.Refuse("'{}' is {}; channels in {} groups are expected in its second dimension", x,
                  ToString(call.View(x)), groups);
    each = {dims[0], groups, dims[1] / groups, ElementCount(Dims(dims.begin() + 2, dims.end()))};
  }
  Term In(const char* name) const { return {call, call.Reshape(InFloat(call, name), each)}; }
  Term Channels(const char* name, double otherwise) const {
    const Dims per_channel{1, groups, each[2], 1};
    if (!call.Has(name)) return {call, call.Filled(DataType::kFloat, per_channel, otherwise)};
    return {call, call.Reshape(InFloat(call, name), per_channel)};
  }
  Term Statistic(const char* name) const {
    return {call, call.Reshape(InFloat(call, name), {dims[0], groups, 1, 1})};
  }
  double Count() const { return static_cast<double>(std::max<std::int64_t>(each[2] * each[3], 1)); }

  Call& call;
  Dims dims;
  std::int64_t groups;
  Dims each;
};

void MapGroupNormSwish(Call& call) {
  const Groups g(call, "x");
  const Term x = g.In("x"), mean = Sum(x, {2, 3}, true) / g.Count(), distance = x - mean;
  const Term rstd = Rsqrt(Sum(distance * distance, {2, 3}, true) / g.Count() + call.GetReal("eps"));
  const Term normal = distance * rstd * g.Channels("gamma", 1) + g.Channels("beta", 0);
  call.OutElements(
      "yOut", call.GetFlag("activateSwish") ? normal * Sigmoid(normal * call.GetReal("swishScale")) : normal);
  call.OutElements("meanOut", mean);
  call.OutElements("rstdOut", rstd);
}

void MapGroupNormSwishGrad(Call& call) {
  const Groups g(call, "x");
  const double scale = call.GetReal("swishScale");
  const Term rstd = g.Statistic("rstd"), gamma = g.Channels("gamma", 1);
  const Term normal = (g.In("x") - g.Statistic("mean")) * rstd;
  const Term value = normal * gamma + g.Channels("beta", 0), s = Sigmoid(value * scale);
  const Term dy = g.In("dy") * (s + value * scale * s * (1 - s)), weighted = dy * gamma;
  const Term mean_dy = Sum(weighted, {2, 3}, true) / g.Count(),
             along = Sum(weighted * normal, {2, 3}, true) / g.Count();
  call.OutElements("dxOut", (weighted - mean_dy - normal * along) * rstd);
  if (call.GetFlag("dgammaIsRequire")) call.OutElements("dgammaOut", Sum(dy * normal, {0, 3}));
  if (call.GetFlag("dbetaIsRequire")) call.OutElements("dbetaOut", Sum(dy, {0, 3}));
}

Value Softmax(Call& call, const Term& x) {
  const auto last = static_cast<std::int64_t>(x.dims().size()) - 1;
  return call.Op("SoftmaxV2", {x}).Set("axes", std::vector<std::int64_t>{last});
}

// A row that is masked as a whole becomes even.
void MapMaskedSoftmax(Call& call) {
  if (call.GetFlag("fixedTriuMask")) call.NotSupported("aclnnScaledMaskedSoftmax with fixedTriuMask");
  const Term x = InFloat(call, "x") * call.GetReal("scale"),
             mask{call, call.To(call.In("mask"), DataType::kBool)};
  call.Out("y", Softmax(call, Select(mask, -10000.0, x)));
}

void MapMaskedSoftmaxBackward(Call& call) {
  if (call.GetFlag("fixTriuMask")) call.NotSupported("aclnnScaledMaskedSoftmaxBackward with fixTriuMask");
  const Term y = InFloat(call, "y"), g = InFloat(call, "gradOutput"),
             mask{call, call.To(call.In("mask"), DataType::kBool)};
  const auto last = static_cast<std::int64_t>(y.dims().size()) - 1;
  const Term slope = (g - Sum(g * y, {last}, true)) * y * call.GetReal("scale");
  call.Out("out", Select(mask, 0, slope));
}

void MapSoftmaxWithPositions(Call& call) {
  Term x = InFloat(call, "x") * call.GetReal("scaleValue") + InFloat(call, "relativePosBias");
  if (call.Has("attenMaskOptional")) x = x + InFloat(call, "attenMaskOptional");
  call.Out("out", Softmax(call, x));
}

const RegisterMapping norm_fused_maps({
    {"aclnnAddLayerNorm", MapAddLayerNorm},
    {"aclnnAddLayerNormGrad", MapAddLayerNormGrad},
    {"aclnnDeepNorm", MapDeepNorm},
    {"aclnnDeepNormGrad", MapDeepNormGrad},
    {"aclnnAddRmsNormCast", MapAddRmsNormCast},
    {"aclnnInplaceAddRmsNorm", MapInplaceAddRmsNorm},
    {"aclnnGroupNormSwish", MapGroupNormSwish},
    {"aclnnGroupNormSwishGrad", MapGroupNormSwishGrad},
    {"aclnnScaledMaskedSoftmax", MapMaskedSoftmax},
    {"aclnnScaledMaskedSoftmaxBackward", MapMaskedSoftmaxBackward},
    {"aclnnMaskedSoftmaxWithRelPosBias", MapSoftmaxWithPositions},
});

}  // namespace
}  // namespace foothold::aclnn
