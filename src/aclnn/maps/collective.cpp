// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products and experts that several ranks share, which find each other by the names of their communicators.
#include <string>

#include "aclnn/maps/fractal.h"
#include "aclnn/maps/given.h"
#include "aclnn/maps/matrix.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

void CheckSum(Call& call) {
  const std::string reduction = call.GetText("reduceOp");
  if (!reduction.empty() && reduction != "sum")
    call.Refuse("'reduceOp' is '{}'; only sum is possible", reduction);
}

Value WithBias(Call& call, Value product) {
  if (!IsGiven(call, "bias")) return product;
  return call.Op("Add", {product, call.To(call.In("bias"), TypeOf(product).type)});
}

Value Summand(Call& call) {
  CheckSum(call);
  return WithBias(call, Product(call, "x1", "x2", call.TypeOfArgument("output")));
}

void MapMatmulAllReduce(Call& call) {
  Op sum = call.OwnOp("AclnnAllReduce", {{"x", Summand(call)}}, {"y"});
  call.Out("output", sum.Set("group", call.GetText("group")));
}

// How many ranks there are follows from the sizes; the run looks whether it is so.
void OutScattered(Call& call, Value value) {
  const std::int64_t all = DimsOf(value).empty() ? 0 : DimsOf(value)[0];
  const Dims out = call.DimsOfArgument("output");
  const std::int64_t part = out.empty() ? 0 : out[0];
  if (part < 1 || all % part != 0)
    call.Refuse("'output' is {}, of which no number makes {}", ToString(call.View("output")),
                foothold::ToString(DimsOf(value)));
  Op scattered = call.OwnOp("AclnnReduceScatter", {{"x", value}}, {"y"});
  scattered.Set("group", call.GetText("group")).Set("rank_size", all / part);
  call.Out("output", scattered);
}

void MapMatmulReduceScatter(Call& call) {
  OutScattered(call, Summand(call));
}

Value QuantizedSummand(Call& call) {
  const StoredMatrix x1 = PlainMatrix(call, "x1"), x2 = PlainMatrix(call, "x2");
  Op product = call.Op("QuantBatchMatmulV4", {});
  product.In("x1", x1.value).In("x2", x2.value).In("bias", call.InIfGiven("bias"));
  product.In("x1_scale", call.InIfGiven("x1Scale")).In("x2_scale", call.In("x2Scale"));
  product.Set("transpose_x1", x1.transposed).Set("transpose_x2", x2.transposed);
  product.Set("dtype", static_cast<std::int64_t>(call.TypeOfArgument("output")));
  return product;
}

void MapMatmulReduceScatterV2(Call& call) {
  RefuseGiven(call, "products over several ranks", {"quantScale", "amaxOutOptional"});
  if (call.GetInt("groupSize") != 0 || call.GetInt("blockSize") != 0)
    call.NotSupported("aclnnMatmulReduceScatterV2 with groupSize or blockSize other than 0");
  CheckSum(call);
  if (IsGiven(call, "x2Scale")) return OutScattered(call, QuantizedSummand(call));
  OutScattered(call, Summand(call));
}

// What both ways of the tokens have in common.
void CheckExperts(Call& call) {
  if (call.GetInt("tpWorldSize") > 1) call.NotSupported("experts of several ranks with tpWorldSize above 1");
  if (call.GetInt("sharedExpertRankNum") != 0)
    call.NotSupported("experts of several ranks with sharedExpertRankNum other than 0");
  if (call.GetInt("expertShardType") != 0)
    call.NotSupported("experts of several ranks with expertShardType other than 0");
}

void SetExperts(Call& call, Op& op) {
  op.Set("group", call.GetText("groupEp"))
      .Set("ranks", call.GetInt("epWorldSize"))
      .Set("experts", call.GetInt("moeExpertNum"));
}

void MapDispatch(Call& call) {
  CheckExperts(call);
  const std::int64_t mode = call.GetInt("quantMode");
  if (mode != 0 && mode != 2)
    call.NotSupported("aclnnMoeDistributeDispatchV2 with quantMode other than 0 and 2");
  const Dims room = call.DimsOfArgument("expandXOut");
  Op dispatch = call.OwnOp("AclnnMoeDispatch",
                           {{"x", call.In("x")},
                            {"expert_ids", call.In("expertIds")},
                            {"smooth_scales", mode == 2 ? call.InIfGiven("scalesOptional") : Value()},
                            {"mask", call.InIfGiven("xActiveMaskOptional")},
                            {"expert_scales", call.InIfGiven("expertScalesOptional")}},
                           {"expand_x", "dynamic_scales", "info", "token_nums", "ends", "expand_scales"});
  SetExperts(call, dispatch);
  dispatch.Set("rows", room.empty() ? std::int64_t{0} : room[0])
      .Set("quantizes", std::int64_t{mode == 2})
      .Set("sums", std::int64_t{call.GetInt("expertTokenNumsType") == 0});
  call.Out("expandXOut", dispatch.Out(0));
  if (mode == 2) call.Out("dynamicScalesOut", dispatch.Out(1));
  call.Out("assistInfoForCombineOut", dispatch.Out(2));
  call.Out("expertTokenNumsOut", dispatch.Out(3));
  call.Out("epRecvCountsOut", dispatch.Out(4));
  if (IsGiven(call, "expertScalesOptional") && call.DimsOfArgument("expandScalesOut") == Dims{room[0]})
    call.Out("expandScalesOut", dispatch.Out(5));
}

void MapCombine(Call& call) {
  CheckExperts(call);
  RefuseGiven(call, "experts of several ranks", {"activationScaleOptional", "weightScaleOptional"});
  if (call.GetInt("commQuantMode") != 0)
    call.NotSupported("aclnnMoeDistributeCombineV2 with commQuantMode other than 0");
  Op combine = call.OwnOp("AclnnMoeCombine",
                          {{"x", call.In("expandX")},
                           {"expert_ids", call.In("expertIds")},
                           {"ends", call.In("epSendCounts")},
                           {"expert_scales", call.In("expertScales")},
                           {"mask", call.InIfGiven("xActiveMaskOptional")},
                           {"shared", call.InIfGiven("sharedExpertXOptional")}},
                          {"y"});
  SetExperts(call, combine);
  call.Out("xOut", combine);
}

const RegisterMapping collective_maps({
    {"aclnnMatmulAllReduce", MapMatmulAllReduce},
    {"aclnnMatmulReduceScatter", MapMatmulReduceScatter},
    {"aclnnMatmulReduceScatterV2", MapMatmulReduceScatterV2},
    {"aclnnMoeDistributeDispatchV2", MapDispatch},
    {"aclnnMoeDistributeCombineV2", MapCombine},
});

}  // namespace
}  // namespace foothold::aclnn
