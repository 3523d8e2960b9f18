// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Mixtures of experts: which experts work on a token, its way to them and back.
#include <string>
#include <vector>

#include "aclnn/maps/given.h"

namespace foothold::aclnn {
namespace {

void MapGating(Call& call) {
  Op gating = call.Op("MoeGatingTopK", {call.In("x")});
  gating.In("bias", call.InIfGiven("biasOptional"))
      .Set("k", call.GetInt("k"))
      .Set("k_group", call.GetInt("kGroup"))
      .Set("group_count", call.GetInt("groupCount"))
      .Set("group_select_mode", call.GetInt("groupSelectMode"))
      .Set("renorm", call.GetInt("renorm"))
      .Set("norm_type", call.GetInt("normType"))
      .Set("out_flag", call.GetFlag("outFlag"))
      .Set("routed_scaling_factor", static_cast<float>(call.GetReal("routedScalingFactor")))
      .Set("eps", static_cast<float>(call.GetReal("eps")));
  call.Out("yOut", gating.Out("y"));
  call.Out("expertIdxOut", gating.Out("expert_idx"));
  if (call.GetFlag("outFlag")) call.OutIfGiven("outOut", gating.Out("out"));
}

void MapSoftmaxGating(Call& call) {
  Op gating = call.Op("MoeGatingTopKSoftmax", {call.In("x"), call.InIfGiven("finishedOptional")});
  gating.Set("k", call.GetInt("k"));
  call.Out("yOut", gating.Out("y"));
  call.Out("expertIdxOut", gating.Out("expert_idx"));
  call.Out("rowIdxOut", gating.Out("row_idx"));
}

// Scales go along with rows that have some, or get them on the way.
bool HasScales(const Call& call) {
  return call.GetInt("quantMode") == 1 || (call.GetInt("quantMode") == -1 && IsGiven(call, "scaleOptional"));
}

void MapInitRouting(Call& call) {
  if (call.GetInt("dropPadMode") != 0)
    call.NotSupported("aclnnMoeInitRoutingV3 with dropPadMode other than 0");
  Op routing = call.Op("MoeInitRoutingV3", {call.In("x"), call.In("expertIdx")});
  routing.In("scale", call.InIfGiven("scaleOptional")).In("offset", call.InIfGiven("offsetOptional"));
  routing.Set("active_num", call.GetInt("activeNum"))
      .Set("expert_capacity", call.GetInt("expertCapacity"))
      .Set("expert_num", call.GetInt("expertNum"))
      .Set("drop_pad_mode", call.GetInt("dropPadMode"))
      .Set("expert_tokens_num_type", call.GetInt("expertTokensNumType"))
      .Set("expert_tokens_num_flag", call.GetFlag("expertTokensNumFlag"))
      .Set("quant_mode", call.GetInt("quantMode"))
      .Set("row_idx_type", call.GetInt("rowIdxType"));
  if (call.Has("activeExpertRangeOptional"))
    routing.Set("active_expert_range", call.GetInts("activeExpertRangeOptional"));
  call.Out("expandedXOut", routing.Out("expanded_x"));
  call.Out("expandedRowIdxOut", routing.Out("expanded_row_idx"));
  if (call.GetFlag("expertTokensNumFlag"))
    call.OutIfGiven("expertTokensCountOrCumsumOut", routing.Out("expert_tokens_count_or_cumsum"));
  if (HasScales(call)) call.OutIfGiven("expandedScaleOut", routing.Out("expanded_scale"));
}

void MapFinalizeRouting(Call& call) {
  Op routing = call.Op("MoeFinalizeRoutingV2", {call.In("expandedX"), call.In("expandedRowIdx")});
  routing.In("x1", call.InIfGiven("x1Optional"))
      .In("x2", call.InIfGiven("x2Optional"))
      .In("bias", call.InIfGiven("biasOptional"))
      .In("scales", call.InIfGiven("scalesOptional"))
      .In("expert_idx", call.InIfGiven("expertIdxOptional"))
      .Set("drop_pad_mode", call.GetInt("dropPadMode"));
  call.Out("out", routing);
}

// With experts that make nothing, copies or constants of their tokens.
void MapFinalizeRoutingV4(Call& call) {
  RefuseGiven(call, "aclnnMoeFinalizeRoutingV4",
              {"zeroExpertRange", "copyExpertRange", "constantExpertRange"});
  MapFinalizeRouting(call);
}

void CheckNotPadded(const Call& call) {
  if (call.GetFlag("paddedMode")) call.NotSupported("tokens of experts with paddedMode true");
}

void MapTokenPermute(Call& call) {
  CheckNotPadded(call);
  Op permute = call.Op("MoeTokenPermute", {call.In("tokens"), call.In("indices")});
  permute.Set("num_out_tokens", call.GetInt("numOutTokens"));
  call.Out("permuteTokensOut", permute.Out("permute_tokens"));
  call.Out("sortedIndicesOut", permute.Out("sorted_indices"));
}

// The shape to restore matters to padded tokens only.
void MapTokenUnpermute(Call& call) {
  CheckNotPadded(call);
  call.Out("out", call.Op("MoeTokenUnpermute", {call.In("permutedTokens"), call.In("sortedIndices"),
                                                call.InIfGiven("probsOptional")}));
}

const RegisterMapping experts_maps({
    {"aclnnMoeGatingTopK", MapGating},
    {"aclnnMoeGatingTopKSoftmax", MapSoftmaxGating},
    {"aclnnMoeInitRoutingV3", MapInitRouting},
    {"aclnnMoeFinalizeRoutingV2", MapFinalizeRouting},
    {"aclnnMoeFinalizeRoutingV4", MapFinalizeRoutingV4},
    {"aclnnMoeTokenPermute", MapTokenPermute},
    {"aclnnMoeTokenUnpermute", MapTokenUnpermute},
});

}  // namespace
}  // namespace foothold::aclnn
