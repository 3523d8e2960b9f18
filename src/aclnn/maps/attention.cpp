// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Attention and rotary embeddings.
#include <string>
#include <vector>

#include "aclnn/maps/given.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

// Lengths grow from call to call: they come with the run.
void AddLengths(Call& call, Op& attention, const char* port, const std::string& name) {
  if (!HasParameter(call, name) || !call.Has(name)) return;
  if (call.CountOfInts(name) > 0) attention.In(port, call.LateInts(name));
}

void SetIfThere(Call& call, Op& attention, const char* attribute, const char* name) {
  if (HasParameter(call, name)) attention.Set(attribute, call.GetInt(name));
}

void AddIfGiven(Call& call, Op& attention, const char* port, const std::string& name) {
  if (HasParameter(call, name) && call.Has(name)) attention.In(port, call.In(name));
}

// Inputs and attributes of the functions for inference, as far as each of them has them.
void AddInference(Call& call, Op& attention) {
  AddIfGiven(call, attention, "pse_shift", Named(call, "pseShift"));
  if (const std::string mask = Named(call, "attenMask"); call.Has(mask))
    attention.In("atten_mask", call.In(mask));
  AddLengths(call, attention, "actual_seq_lengths", Named(call, "actualSeqLengths"));
  AddLengths(call, attention, "actual_seq_lengths_kv", Named(call, "actualSeqLengthsKv"));
  attention.Set("num_heads", call.GetInt("numHeads"))
      .Set("input_layout", call.GetText("inputLayout"))
      .Set("num_key_value_heads", call.GetInt("numKeyValueHeads"));
  SetIfThere(call, attention, "pre_tokens", "preTokens");
  SetIfThere(call, attention, "next_tokens", "nextTokens");
  SetIfThere(call, attention, "sparse_mode", "sparseMode");
}

float ScaleOf(const Call& call) {
  return static_cast<float>(call.GetReal("scaleValue"));
}

void MapFusedInfer(Call& call) {
  RefuseGiven(call, "attention",
              {"deqScale1",
               "quantScale1",
               "deqScale2",
               "quantScale2",
               "quantOffset2",
               "antiquantScale",
               "antiquantOffset",
               "blockTable",
               "queryPaddingSize",
               "kvPaddingSize",
               "keyAntiquantScale",
               "keyAntiquantOffset",
               "valueAntiquantScale",
               "valueAntiquantOffset",
               "keySharedPrefix",
               "valueSharedPrefix",
               "actualSharedPrefixLen",
               "queryRope",
               "keyRope",
               "keyRopeAntiquantScale",
               "dequantScaleQuery",
               "learnableSink",
               "qStartIdx",
               "kvStartIdx"});
  Op attention = call.Op("FusedInferAttentionScore");
  attention.In("query", call.In("query"))
      .InList("key", call.InAll("key"))
      .InList("value", call.InAll("value"));
  AddInference(call, attention);
  attention.Set("scale", ScaleOf(call))
      .Set("inner_precise", call.GetInt("innerPrecise"))
      .Set("softmax_lse_flag", call.GetFlag("softmaxLseFlag"));
  call.Out("attentionOut", attention.Out(0));
  if (call.GetFlag("softmaxLseFlag")) call.OutIfGiven("softmaxLse", attention.Out(1));
}

void MapPrompt(Call& call) {
  RefuseGiven(call, "attention", {"deqScale1", "quantScale1", "deqScale2", "quantScale2", "quantOffset2"});
  Op attention = call.Op("PromptFlashAttention", {call.In("query"), call.In("key"), call.In("value")});
  AddInference(call, attention);
  attention.Set("scale_value", ScaleOf(call));
  call.Out("attentionOut", attention);
}

void MapIncremental(Call& call) {
  RefuseGiven(call, "attention",
              {"dequantScale1", "quantScale1", "dequantScale2", "quantScale2", "quantOffset2",
               "antiquantScale", "antiquantOffset", "blocktable", "kvPaddingSize"});
  Op attention = call.Op("IncreFlashAttention");
  attention.In("query", call.In("query"))
      .InList("key", call.InAll("key"))
      .InList("value", call.InAll("value"));
  AddInference(call, attention);
  attention.Set("scale_value", ScaleOf(call));
  call.Out("attentionOut", attention);
}

void MapFlash(Call& call) {
  RefuseGiven(call, "attention", {"dropMask", "paddingMask", "prefix", "sink", "qStartIdx", "kvStartIdx"});
  if (call.GetReal("keepProb") != 1.0) call.NotSupported("attention with dropout: keepProb other than 1");
  Op attention = call.Op("FlashAttentionScore", {call.In("query"), call.In("key"), call.In("value")});
  AddIfGiven(call, attention, "real_shift", "realShiftOptional");
  if (call.Has("attenMaskOptional")) attention.In("atten_mask", call.In("attenMaskOptional"));
  AddLengths(call, attention, "actual_seq_qlen", "actualSeqQLenOptional");
  AddLengths(call, attention, "actual_seq_kvlen", "actualSeqKvLenOptional");
  attention.Set("scale_value", ScaleOf(call))
      .Set("pre_tockens", call.GetInt("preTokens"))
      .Set("next_tockens", call.GetInt("nextTokens"))
      .Set("head_num", call.GetInt("headNum"))
      .Set("input_layout", call.GetText("inputLayout"))
      .Set("inner_precise", call.GetInt("innerPrecise"))
      .Set("sparse_mode", call.GetInt("sparseMode"));
  if (HasParameter(call, "pseType")) attention.Set("pse_type", call.GetInt("pseType"));
  call.OutIfGiven("softmaxMaxOut", attention.Out("softmax_max"));
  call.OutIfGiven("softmaxSumOut", attention.Out("softmax_sum"));
  call.Out("attentionOutOut", attention.Out("attention_out"));
}

void MapRotary(Call& call) {
  const DataType type = call.TypeOfArgument("x");
  Op rotary = call.Op("RotaryPositionEmbedding",
                      {call.In("x"), call.To(call.In("cos"), type), call.To(call.In("sin"), type)});
  call.Out("out", rotary.Set("mode", call.GetInt("mode")));
}

void MapRotaryV2(Call& call) {
  RefuseGiven(call, "aclnnRotaryPositionEmbeddingV2", {"rotate"});
  MapRotary(call);
}

void MapInterleaveRope(Call& call) {
  call.Out("out", call.Op("InterleaveRope", {call.In("x"), call.In("cos"), call.In("sin")}));
}

// Query and key where they stand.
void MapApplyRotary(Call& call) {
  Op rotary =
      call.Op("ApplyRotaryPosEmb", {call.In("queryRef"), call.In("keyRef"), call.In("cos"), call.In("sin")});
  rotary.Set("layout", call.GetInt("layout"));
  if (HasParameter(call, "rotaryMode")) rotary.Set("rotary_mode", call.GetText("rotaryMode"));
  call.Out("queryRef", rotary.Out(0));
  call.Out("keyRef", rotary.Out(1));
}

const RegisterMapping attention_maps({
    {"aclnnFusedInferAttentionScore", MapFusedInfer},
    {"aclnnFusedInferAttentionScoreV2", MapFusedInfer},
    {"aclnnFusedInferAttentionScoreV3", MapFusedInfer},
    {"aclnnFusedInferAttentionScoreV4", MapFusedInfer},
    {"aclnnFusedInferAttentionScoreV5", MapFusedInfer},
    {"aclnnPromptFlashAttention", MapPrompt},
    {"aclnnPromptFlashAttentionV3", MapPrompt},
    {"aclnnIncreFlashAttention", MapIncremental},
    {"aclnnIncreFlashAttentionV4", MapIncremental},
    {"aclnnFlashAttentionScore", MapFlash},
    {"aclnnFlashAttentionScoreV2", MapFlash},
    {"aclnnFlashAttentionVarLenScore", MapFlash},
    {"aclnnRotaryPositionEmbedding", MapRotary},
    {"aclnnRotaryPositionEmbeddingV2", MapRotaryV2},
    {"aclnnInterleaveRope", MapInterleaveRope},
    {"aclnnApplyRotaryPosEmb", MapApplyRotary},
    {"aclnnApplyRotaryPosEmbV2", MapApplyRotary},
});

}  // namespace
}  // namespace foothold::aclnn
