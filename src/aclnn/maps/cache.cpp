// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Caches of keys and values in blocks, what is computed on the way into them, and what serving needs around
// attention. Caches are written where they stand.
#include <string>
#include <vector>

#include "aclnn/maps/given.h"

namespace foothold::aclnn {
namespace {

void SetMode(Call& call, Op& op, const char* name) {
  if (const std::string mode = call.GetText(name); !mode.empty()) op.Set("cache_mode", mode);
}

void MapKvRmsNormRopeCache(Call& call) {
  RefuseGiven(call, "aclnnKvRmsNormRopeCache", {"kRopeOffset", "cKvOffset", "v"});
  Op op = call.Op("KvRmsNormRopeCache", {call.In("kv"), call.In("gamma"), call.In("cos"), call.In("sin"),
                                         call.In("index"), call.In("kCacheRef"), call.In("ckvCacheRef")});
  op.In("k_rope_scale", call.InIfGiven("kRopeScaleOptional"));
  op.In("c_kv_scale", call.InIfGiven("cKvScaleOptional"));
  op.Set("epsilon", static_cast<float>(call.GetReal("epsilon")));
  SetMode(call, op, "cacheModeOptional");
  const bool tells = call.GetFlag("isOutputKv");
  op.Set("is_output_kv", tells);
  call.Out("kCacheRef", op.Out("k_cache"));
  call.Out("ckvCacheRef", op.Out("ckv_cache"));
  if (!tells) return;
  call.OutIfGiven("kRopeOut", op.Out("k_rope"));
  call.OutIfGiven("cKvOut", op.Out("c_kv"));
}

void RefuseCompressed(const Call& call) {
  RefuseGiven(call, "paged caches", {"compressLens", "compressSeqOffset", "seqLens"});
}

void MapScatterKv(Call& call) {
  RefuseCompressed(call);
  Op op = call.Op("ScatterPaKvCache", {call.In("key"), call.In("keyCacheRef"), call.In("slotMapping"),
                                       call.In("value"), call.In("valueCacheRef")});
  SetMode(call, op, "cacheModeOptional");
  if (const std::string mode = call.GetText("scatterModeOptional"); !mode.empty())
    op.Set("scatter_mode", mode);
  if (IsGiven(call, "stridesOptional")) op.Set("strides", call.GetInts("stridesOptional"));
  if (IsGiven(call, "offsetsOptional")) op.Set("offsets", call.GetInts("offsetsOptional"));
  call.Out("keyCacheRef", op.Out("key_cache"));
  call.Out("valueCacheRef", op.Out("value_cache"));
}

void MapScatter(Call& call) {
  RefuseCompressed(call);
  Op op = call.Op("ScatterPaCache", {call.In("key"), call.In("keyCacheRef"), call.In("slotMapping")});
  SetMode(call, op, "cacheMode");
  call.Out("keyCacheRef", op.Out("key_cache"));
}

void MapGatherKv(Call& call) {
  Op op = call.Op("GatherPaKvCache",
                  {call.In("keyCache"), call.In("valueCache"), call.In("blockTables"), call.In("seqLens"),
                   call.In("keyRef"), call.In("valueRef"), call.InIfGiven("seqOffsetOptional")});
  SetMode(call, op, "cacheMode");
  op.Set("is_seq_lens_cumsum", call.GetFlag("isSeqLensCumsum"));
  call.Out("keyRef", op.Out("key"));
  call.Out("valueRef", op.Out("value"));
}

void MapRopeTable(Call& call) {
  Op rope = call.Op("RopeWithSinCosCache",
                    {call.In("positions"), call.In("queryIn"), call.In("keyIn"), call.In("cosSinCache")});
  if (IsGiven(call, "mropeSection")) rope.Set("mrope_section", call.GetInts("mropeSection"));
  rope.Set("head_size", call.GetInt("headSize")).Set("is_neox_style", call.GetFlag("isNeoxStyle"));
  call.Out("queryOut", rope.Out("query_out"));
  call.Out("keyOut", rope.Out("key_out"));
}

// Type 1 wants the logarithm of the sum too.
void MapAttentionUpdate(Call& call) {
  Op update = call.Op("AttentionUpdate");
  update.InList("lse", call.InAll("lse")).InList("go", call.InAll("localOut"));
  update.Set("update_type", call.GetInt("updateType"))
      .Set("sp", static_cast<std::int64_t>(call.ListSize("localOut")));
  call.Out("out", update.Out("output"));
  if (call.GetInt("updateType") == 1) call.OutIfGiven("lseOut", update.Out("lse_m"));
}

const RegisterMapping cache_maps({
    {"aclnnKvRmsNormRopeCache", MapKvRmsNormRopeCache},
    {"aclnnKvRmsNormRopeCacheV2", MapKvRmsNormRopeCache},
    {"aclnnScatterPaKvCache", MapScatterKv},
    {"aclnnScatterPaCache", MapScatter},
    {"aclnnGatherPaKvCache", MapGatherKv},
    {"aclnnRopeWithSinCosCache", MapRopeTable},
    {"aclnnAttentionUpdate", MapAttentionUpdate},
});

}  // namespace
}  // namespace foothold::aclnn
