// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// To integers and back by scales that are given, element by element. Computed in float.
#include "aclnn/mapping.h"
#include "aclnn/maps/formula.h"
#include "aclnn/maps/given.h"
#include "aclnn/types.h"
#include "calls/view.h"

namespace foothold::aclnn {
namespace {

Term InFloat(Call& call, const char* name) {
  return {call, call.To(call.In(name), DataType::kFloat)};
}

// One number, or one for each index of an axis.
Term Along(Call& call, const char* name, const Dims& x, std::int64_t axis) {
  const Term value = InFloat(call, name);
  const std::int64_t count = ElementCount(value.dims()), rank = static_cast<std::int64_t>(x.size());
  if (count == 1) return {call, call.Reshape(value, {})};
  if (axis < -rank || axis >= rank) call.Refuse("'axis' is {}; there are {} dimensions", axis, rank);
  Dims dims(x.size(), 1);
  dims[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] = count;
  return {call, call.Reshape(value, dims)};
}

Term Bounded(const Term& x, double least, double most) {
  return Apply("Minimum", Apply("Maximum", x, x.Like(least)), x.Like(most));
}

void MapWords(Call& call) {
  const bool rounds = HasParameter(call, "roundMode") && call.GetInt("roundMode") == 1;
  const Value offset = IsGiven(call, "offset") ? Value(InFloat(call, "offset")) : Value();
  const Value words =
      call.OwnOp("AclnnScaleWords", {{"scale", InFloat(call, "scale")}, {"offset", offset}}, {"y"})
          .Set("rounds", rounds);
  const DataType out = call.TypeOfArgument("out");
  if (out != DataType::kInt64 && out != DataType::kUint64)
    call.Refuse("'out' is {}; int64 or uint64 is expected", ToString(call.View("out")));
  call.OutElements("out",
                   out == DataType::kInt64 ? words : Value(call.Op("Bitcast", {words}).Set("type", out)));
}

void MapAntiQuant(Call& call) {
  if (call.TypeOfArgument("x") != DataType::kInt8)
    call.NotSupported("aclnnAscendAntiQuant of other types than int8");
  Term x = InFloat(call, "x");
  const Term scale = Along(call, "scale", x.dims(), -1);
  if (IsGiven(call, "offset")) x = x + Along(call, "offset", x.dims(), -1);
  x = x * scale;
  call.Out("y", call.GetFlag("sqrtMode") ? x * scale : x);
}

void MapQuantize(Call& call) {
  const DataType type = call.TypeOfArgument("out");
  const Term x = InFloat(call, "x");
  const std::int64_t axis = call.GetInt("axis");
  Term q = Apply("Rint", x / Along(call, "scales", x.dims(), axis));
  if (IsGiven(call, "zeroPoints")) q = q + Along(call, "zeroPoints", x.dims(), axis);
  if (type == DataType::kInt8)
    q = Bounded(q, -128, 127);
  else if (type == DataType::kUint8)
    q = Bounded(q, 0, 255);
  else if (type == DataType::kInt32)
    q = Bounded(q, -2147483648.0, 2147483520.0);
  else
    call.NotSupported("aclnnQuantize to other types than int8, uint8 and int32");
  call.Out("out", call.To(q, type));
}

// What is left of a number that is quantised and taken back; and whether it was within the bounds.
void FakeQuant(Call& call, std::int64_t axis) {
  const Term x = InFloat(call, "self");
  const Term scale = Along(call, "scale", x.dims(), axis), zero = Along(call, "zeroPoint", x.dims(), axis);
  const auto least = static_cast<double>(call.GetInt("quantMin")),
             most = static_cast<double>(call.GetInt("quantMax"));
  const Term q = zero + Apply("Rint", x * (1 / scale));
  call.Out("out", (Bounded(q, least, most) - zero) * scale);
  call.Out("mask", And(q >= least, q <= most));
}

void MapFakeQuant(Call& call) {
  if (call.GetReal("fakeQuantEnabled") >= 1) return FakeQuant(call, 0);
  call.Out("out", call.In("self"));
  call.Out("mask", call.Filled(DataType::kBool, call.DimsOfArgument("mask"), 1));
}

// Sums of products of integers; a bias of integers is one of them.
void MapDequant(Call& call) {
  Term x = InFloat(call, "x");
  const bool whole = IsGiven(call, "biasOptional") && IsInteger(call.TypeOfArgument("biasOptional"));
  if (whole) {
    const Term sums{call, call.In("x")};
    x = {call, call.To(sums + Term{call, call.To(call.In("biasOptional"), sums.type())}, DataType::kFloat)};
  }
  x = x * Along(call, "weightScale", x.dims(), -1);
  if (IsGiven(call, "activateScaleOptional")) x = x * Along(call, "activateScaleOptional", x.dims(), 0);
  if (IsGiven(call, "biasOptional") && !whole) x = x + InFloat(call, "biasOptional");
  call.Out("out", x);
}

void MapRmsNormQuant(Call& call) {
  if (call.TypeOfArgument("y") != DataType::kInt8)
    call.NotSupported("aclnnRmsNormQuant to other types than int8");
  Op norm = call.Op("RmsNorm", {InFloat(call, "x"), InFloat(call, "gamma")});
  norm.Set("epsilon", static_cast<float>(call.GetReal("epsilon")));
  const Term y = Term{call, norm.Out(0)} + InFloat(call, "beta");
  Term q = y * Along(call, "scale", y.dims(), -1);
  if (IsGiven(call, "offset")) q = q + Along(call, "offset", y.dims(), -1);
  call.Out("y", call.To(Bounded(Apply("Rint", q), -128, 127), DataType::kInt8));
}

const RegisterMapping scales_maps({
    {"aclnnTransQuantParamV2", MapWords},
    {"aclnnTransQuantParamV3", MapWords},
    {"aclnnAscendAntiQuant", MapAntiQuant},
    {"aclnnQuantize", MapQuantize},
    {"aclnnFakeQuantPerTensorAffineCachemask", MapFakeQuant},
    {"aclnnFakeQuantPerChannelAffineCachemask", [](Call& call) { FakeQuant(call, call.GetInt("axis")); }},
    {"aclnnDequantBias", MapDequant},
    {"aclnnRmsNormQuant", MapRmsNormQuant},
});

}  // namespace
}  // namespace foothold::aclnn
