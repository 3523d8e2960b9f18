// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From floating-point numbers to int8: by scales that are given, or by those each row asks for. Also at the
// end of a norm or of a gated unit.
#include <string>
#include <vector>

#include "aclnn/maps/given.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

// Two numbers of 4 bits in a byte, or eight in an int32, and floats of 8 bits have no kernel.
void CheckInt8(const Call& call, const char* parameter, const char* output) {
  if (HasParameter(call, parameter) && call.GetType(parameter) != DataType::kInt8)
    call.NotSupported("quantisation to a type other than int8");
  if (call.TypeOfArgument(output) != DataType::kInt8)
    call.NotSupported("quantisation to a type other than int8");
}

// In float, which costs nothing: conversions become part of the one loop.
Value Wide(Call& call, const char* name) {
  const Value value = call.In(name);
  return call.To(value, ComputeType(TypeOf(value).type));
}

void MapAscendQuant(Call& call) {
  CheckInt8(call, "dstType", "y");
  Op quant = call.Op("AscendQuantV2", {Wide(call, "x"), Wide(call, "scale")});
  if (call.Has("offset")) quant.In("offset", Wide(call, "offset"));
  quant.Set("sqrt_mode", call.GetFlag("sqrtMode")).Set("round_mode", call.GetText("roundMode"));
  if (HasParameter(call, "axis")) quant.Set("axis", call.GetInt("axis"));
  call.Out("y", quant);
}

// With an offset: the V2 form of the operator. The one of the function has it where there is room for it.
void DynamicQuant(Call& call, bool around_zero, const std::string& mode) {
  CheckInt8(call, "dstType", "yOut");
  Op quant = call.Op(around_zero ? "DynamicQuant" : "DynamicQuantV2", {call.In("x")});
  quant.In("smooth_scales", InIfNamed(call, "smoothScales"));
  if (IsGiven(call, "groupIndexOptional"))
    quant.In("group_index", call.To(call.In("groupIndexOptional"), DataType::kInt32));
  if (!mode.empty()) quant.Set("quant_mode", mode);
  call.Out("yOut", quant.Out("y"));
  call.OutElements("scaleOut", quant.Out("scale"));
  if (!around_zero) call.OutElements("offsetOut", quant.Out("offset"));
}

void MapDynamicQuantV3(Call& call) {
  const bool around_zero = call.GetFlag("isSymmetrical");
  if (!around_zero && !call.Has("offsetOut")) call.Refuse("'isSymmetrical' is false and 'offsetOut' is null");
  const std::string mode = call.GetText("quantMode");
  if (mode == "perchannel") call.NotSupported("dynamic quantisation with quantMode 'perchannel'");
  if (mode != "pertoken" && mode != "pertensor" && !mode.empty())
    call.Refuse("'quantMode' is '{}', expected pertoken, pertensor or perchannel", mode);
  DynamicQuant(call, around_zero, mode);
}

Op AddedNorm(Call& call, const char* type) {
  Op norm = call.Op(type, {call.In("x1"), call.In("x2"), call.In("gamma")});
  norm.In("beta", InIfNamed(call, "beta")).Set("epsilon", static_cast<float>(call.GetReal("epsilon")));
  return norm;
}

// The second quantised output is there for the second scales.
void MapAddRmsNormQuant(Call& call) {
  if (const auto rank = static_cast<std::int64_t>(call.DimsOfArgument("x1").size());
      call.GetInt("axis") != -1 && call.GetInt("axis") != rank - 1)
    call.NotSupported("norms quantised along an axis other than the last");
  CheckInt8(call, "dstType", "y1Out");
  Op norm = AddedNorm(call, "AddRmsNormQuantV2");
  norm.In("scales1", call.In("scales1")).In("scales2", InIfNamed(call, "scales2"));
  norm.In("zero_points1", InIfNamed(call, "zeroPoints1")).In("zero_points2", InIfNamed(call, "zeroPoints2"));
  norm.Set("div_mode", call.GetFlag("divMode"));
  call.Out("y1Out", norm.Out("y1"));
  if (IsGiven(call, "scales2Optional")) call.OutIfGiven("y2Out", norm.Out("y2"));
  call.Out("xOut", norm.Out("x"));
  if (HasParameter(call, "rmsNormOut")) call.OutIfGiven("rmsNormOut", norm.Out("rms_norm_out"));
}

void MapAddRmsNormDynamicQuant(Call& call) {
  const std::vector<bool> mask = call.Has("outputMask") ? call.GetBools("outputMask") : std::vector<bool>();
  const bool both = IsGiven(call, "smoothScale1Optional") && IsGiven(call, "smoothScale2Optional");
  Op norm = AddedNorm(call, "AddRmsNormDynamicQuant");
  norm.In("smooth_scale1", InIfNamed(call, "smoothScale1"));
  norm.In("smooth_scale2", InIfNamed(call, "smoothScale2")).Set("output_mask", mask);
  if (mask.empty() || mask.at(0)) {
    call.OutIfGiven("y1Out", norm.Out("y1"));
    call.OutIfGiven("scale1Out", norm.Out("scale1"));
  }
  if (mask.empty() ? both : mask.back()) {
    call.OutIfGiven("y2Out", norm.Out("y2"));
    call.OutIfGiven("scale2Out", norm.Out("scale2"));
  }
  call.Out("xOut", norm.Out("x_out"));
}

// What the second version can say beyond the first.
void CheckSecondVersion(const Call& call, std::size_t rank) {
  if (call.GetInt("swigluMode") != 0)
    call.NotSupported("aclnnDequantSwigluQuantV2 with swigluMode other than 0");
  if (const auto last = static_cast<std::int64_t>(rank) - 1;
      call.GetInt("activateDim") != -1 && call.GetInt("activateDim") != last)
    call.NotSupported("aclnnDequantSwigluQuantV2 with activateDim other than the last dimension");
  if (const std::string mode = call.GetText("roundModeOptional"); !mode.empty() && mode != "rint")
    call.NotSupported("aclnnDequantSwigluQuantV2 with roundModeOptional other than 'rint'");
}

void MapDequantSwigluQuant(Call& call) {
  RefuseGiven(call, "aclnnDequantSwigluQuant", {"bias", "quantOffset"});
  CheckInt8(call, "dstType", "yOut");
  if (HasParameter(call, "swigluMode")) CheckSecondVersion(call, call.DimsOfArgument("x").size());
  const std::string mode = call.GetText("quantModeOptional");
  Op quant = call.Op("DequantSwigluQuant", {call.In("x")});
  quant.In("weight_scale", InIfNamed(call, "weightScale"))
      .In("activation_scale", InIfNamed(call, "activationScale"))
      .In("quant_scale", InIfNamed(call, "quantScale"))
      .In("group_index", InIfNamed(call, "groupIndex"))
      .Set("activate_left", call.GetFlag("activateLeft"))
      .Set("quant_mode", mode.empty() ? std::string("static") : mode);
  call.Out("yOut", quant.Out("y"));
  if (mode == "dynamic") call.OutElements("scaleOut", quant.Out("scale"));
}

const RegisterMapping quantize_maps({
    {"aclnnAscendQuant", MapAscendQuant},
    {"aclnnAscendQuantV3", MapAscendQuant},
    {"aclnnDynamicQuant", [](Call& call) { DynamicQuant(call, true, ""); }},
    {"aclnnDynamicQuantV2", [](Call& call) { DynamicQuant(call, !call.Has("offsetOut"), ""); }},
    {"aclnnDynamicQuantV3", MapDynamicQuantV3},
    {"aclnnAddRmsNormQuant", MapAddRmsNormQuant},
    {"aclnnAddRmsNormQuantV2", MapAddRmsNormQuant},
    {"aclnnAddRmsNormDynamicQuantV2", MapAddRmsNormDynamicQuant},
    {"aclnnDequantSwigluQuant", MapDequantSwigluQuant},
    {"aclnnDequantSwigluQuantV2", MapDequantSwigluQuant},
});

}  // namespace
}  // namespace foothold::aclnn
