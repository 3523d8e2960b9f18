// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rows times the matrix of their group. Transposed views are multiplied as they lie.
#include <string>
#include <vector>

#include "aclnn/maps/fractal.h"
#include "aclnn/maps/given.h"

namespace foothold::aclnn {
namespace {

std::vector<Value> GivenList(Call& call, const char* name) {
  return IsGiven(call, name) ? call.InAll(name) : std::vector<Value>{};
}

// Weights of all groups; they are alike. A function without lists has all of them in one tensor.
void AddWeights(Call& call, Op& product, const char* port, const char* name) {
  const bool list = call.parameter(call.Index(name)).kind == Kind::kTensorList;
  std::vector<Value> weights;
  bool transposed = false;
  for (std::size_t i = 0; i < (list ? call.ListSize(name) : 1); ++i) {
    if (list && !call.HasMember(name, i)) call.Refuse("member {} of list '{}' is null", i, name);
    const StoredMatrix weight = PlainMatrix(call, name, i);
    if (i > 0 && weight.transposed != transposed)
      call.NotSupported("grouped products with weights of which some are transposed views");
    transposed = weight.transposed;
    weights.push_back(weight.value);
  }
  product.InList(port, weights).Set("transpose_weight", transposed);
}

void RefuseMore(const Call& call) {
  RefuseGiven(call, "grouped products",
              {"offset", "activationInput", "activationQuantScale", "activationQuantOffset",
               "activationFeatureOut", "dynQuantScaleOut"});
  if (HasParameter(call, "quantGroupSize") && call.GetInt("quantGroupSize") != 0)
    call.NotSupported("grouped products with scales of groups: quantGroupSize other than 0");
  if (const std::int64_t type = call.GetInt("groupType"); type != -1 && type != 0)
    call.NotSupported("grouped products with groupType other than -1 and 0");
}

void MapGroupedMatmul(Call& call) {
  RefuseMore(call);
  const std::vector<Value> tokens = GivenList(call, "perTokenScaleOptional");
  if (tokens.size() > 1) call.NotSupported("grouped products with a list of more than one perTokenScale");
  Op product = call.Op("GroupedMatmul");
  product.InList("x", call.InAll("x"));
  AddWeights(call, product, "weight", "weight");
  product.InList("bias", GivenList(call, "biasOptional")).InList("scale", GivenList(call, "scaleOptional"));
  product.InList("antiquant_scale", GivenList(call, "antiquantScaleOptional"));
  product.InList("antiquant_offset", GivenList(call, "antiquantOffsetOptional"));
  product.In("group_list", call.InIfGiven("groupListOptional"));
  if (!tokens.empty()) product.In("per_token_scale", tokens[0]);
  product.Set("split_item", call.GetInt("splitItem"))
      .Set("group_type", call.GetInt("groupType"))
      .Set("group_list_type", call.GetInt("groupListType"))
      .Set("act_type", call.GetInt("actType"))
      .Set("output_type", static_cast<std::int64_t>(call.View("out").type));
  product.Outputs("y", call.ListSize("out"));
  for (std::size_t i = 0; i < call.ListSize("out"); ++i)
    call.Out("out", product.Out(static_cast<int>(i)), i);
}

void SwigluQuant(Call& call, Op& product) {
  AddWeights(call, product, "weight", "weight");
  call.Out("output", product.Out("y"));
  call.OutElements("outputScale", product.Out("y_scale"));
}

// The list of groups of the first version says where they end.
void MapSwigluQuant(Call& call) {
  RefuseGiven(call, "aclnnGroupedMatmulSwigluQuant", {"bias", "offset", "outputOffset"});
  Op product = call.Op("GroupedMatmulSwigluQuantV2", {call.In("x"), call.In("xScale"), call.In("groupList")});
  product.InList("weight_scale", {call.In("weightScale")});
  SwigluQuant(call, product);
}

void MapSwigluQuantV2(Call& call) {
  RefuseGiven(call, "aclnnGroupedMatmulSwigluQuantV2", {"weightAssistMatrix", "bias", "smoothScale"});
  if (call.GetInt("dequantMode") != 0 || call.GetInt("dequantDtype") != 0 || call.GetInt("quantMode") != 0)
    call.NotSupported(
        "aclnnGroupedMatmulSwigluQuantV2 with dequantMode, dequantDtype or quantMode other than 0");
  Op product = call.Op("GroupedMatmulSwigluQuantV2", {call.In("x"), call.In("xScale"), call.In("groupList")});
  product.InList("weight_scale", call.InAll("weightScale"));
  product.Set("group_list_type", call.GetInt("groupListType"));
  SwigluQuant(call, product);
}

// The flag of the call says how the weights are meant, their view how they lie.
void MapQuantGrouped(Call& call) {
  RefuseGiven(call, "aclnnQuantGroupedMatmulDequant", {"bias", "xOffset"});
  const StoredMatrix weight = PlainMatrix(call, "weight");
  Op product = call.Op("QuantGroupedMatmulDequant",
                       {call.In("x"), weight.value, call.In("weightScale"), call.In("groupList")});
  product.In("x_scale", call.InIfGiven("xScaleOptional"));
  product.In("smooth_scale", call.InIfGiven("smoothScaleOptional"));
  product.Set("transpose_weight", call.GetFlag("transposeWeight") != weight.transposed);
  if (const std::string mode = call.GetText("xQuantMode"); !mode.empty()) product.Set("x_quant_mode", mode);
  call.Out("out", product);
}

const RegisterMapping grouped_matrix_maps({
    {"aclnnGroupedMatmulV4", MapGroupedMatmul},
    {"aclnnGroupedMatmulV5", MapGroupedMatmul},
    {"aclnnGroupedMatmulWeightNz", MapGroupedMatmul},
    {"aclnnGroupedMatmulSwigluQuant", MapSwigluQuant},
    {"aclnnGroupedMatmulSwigluQuantV2", MapSwigluQuantV2},
    {"aclnnGroupedMatmulSwigluQuantWeightNzV2", MapSwigluQuantV2},
    {"aclnnQuantGroupedMatmulDequant", MapQuantGrouped},
});

}  // namespace
}  // namespace foothold::aclnn
