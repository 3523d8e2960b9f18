// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Dimensions that become one number.
#include "aclnn/mapping.h"
#include "aclnn/maps/axes.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

void MapReduceSum(Call& call) {
  const Value self = call.To(call.In("self"), SaidType(call, "out"));
  call.OutElements("out",
                   Reduced(call, "ReduceSum", self, AxesOf(call, "dims", self), call.GetFlag("keepDims")));
}

void MapMean(Call& call) {
  const DataType type = SaidType(call, "out");
  if (!IsFloat(type) && !IsComplex(type))
    call.Refuse("'dtype' is {}; a mean is a floating-point number", DataTypeName(type));
  const Value self = call.To(call.In("self"), type);
  call.OutElements("out",
                   Reduced(call, "ReduceMean", self, AxesOf(call, "dim", self), call.GetFlag("keepDim")));
}

void MapProd(Call& call) {
  const Value self = call.To(call.In("self"), SaidType(call, "out"));
  call.OutElements("out", Reduced(call, "ReduceProd", self, AllIfNone({}, self), false));
}

void MapProdDim(Call& call) {
  const Value self = call.To(call.In("self"), SaidType(call, "out"));
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size());
  call.OutElements("out", Reduced(call, "ReduceProd", self, {axis}, call.GetFlag("keepDim")));
}

// Of truths the largest is whether there is one, and the least whether all are.
Value Extreme(Call& call, const std::string& which, Value self, const std::vector<std::int64_t>& axes,
              bool keep) {
  const bool truths = TypeOf(self).type == DataType::kBool;
  const char* of_truths = which == "Max" ? "ReduceAny" : "ReduceAll";
  return Reduced(call, truths ? of_truths : ("Reduce" + which).c_str(), self, axes, keep);
}

void MapExtreme(Call& call, const char* which) {
  const Value self = call.In("self");
  call.OutElements("out", Extreme(call, which, self, AxesOf(call, "dim", self), call.GetFlag("keepDim")));
}

void MapExtremeOfAll(Call& call, const char* which) {
  const Value self = call.In("self");
  call.OutElements("out", Extreme(call, which, self, AllIfNone({}, self), false));
}

Value IsNotZero(Call& call, Value value) {
  const DataType type = TypeOf(value).type;
  return type == DataType::kBool ? value : call.Op("NotEqual", {value, call.Number(type, 0.0)}).Out();
}

void MapTruth(Call& call, const char* type) {
  const Value self = IsNotZero(call, call.In("self"));
  call.OutElements("out", Reduced(call, type, self, AxesOf(call, "dim", self), call.GetFlag("keepdim")));
}

void Norm(Call& call, Value self, std::string_view power, std::string_view dims, bool keep) {
  const auto p = static_cast<float>(call.Has(power) ? call.GetNumber(power).real() : 2.0);
  call.OutElements("out", call.Op("LpNormV2", {self})
                              .Set("p", p)
                              .Set("axes", AxesOf(call, dims, self))
                              .Set("keepdim", keep)
                              .Set("epsilon", 0.0f));
}

void MapNorm(Call& call) {
  const Value self = call.InLines("self");
  Norm(call, call.To(self, ComputeType(TypeOf(self).type)), "pScalar", "dim", call.GetFlag("keepdim"));
}

void MapVectorNorm(Call& call) {
  Norm(call, call.To(call.InLines("self"), SaidType(call, "out")), "ord", "dims", call.GetFlag("keepDims"));
}

// Values and where they are along one dimension.
void MapExtremeDim(Call& call, const char* type) {
  const Value self = call.InLines("self");
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size());
  Op extreme = call.Op(type, {self});
  extreme.Set("dimension", axis).Set("keep_dims", call.GetFlag("keepdim"));
  call.OutElements("out", extreme.Out(1));
  call.OutElements("indices", extreme.Out(0));
}

// The least and the largest at once.
void MapBothExtremes(Call& call, const std::vector<std::int64_t>& axes, bool keep) {
  const Value self = call.In("self");
  call.OutElements("minOut", Extreme(call, "Min", self, axes, keep));
  call.OutElements("maxOut", Extreme(call, "Max", self, axes, keep));
}

void MapAminmax(Call& call) {
  MapBothExtremes(call, AxesOf(call, "dim", call.In("self")), call.GetFlag("keepDim"));
}

void MapAminmaxAll(Call& call) {
  MapBothExtremes(call, AllIfNone({}, call.In("self")), false);
}

void MapAminmaxDim(Call& call) {
  const std::int64_t axis = call.GetAxis("dim", call.DimsOfArgument("self").size());
  MapBothExtremes(call, {axis}, call.GetFlag("keepDim"));
}

const RegisterMapping reduce_maps({
    {"aclnnReduceSum", MapReduceSum},
    {"aclnnMean", MapMean},
    {"aclnnProd", MapProd},
    {"aclnnProdDim", MapProdDim},
    {"aclnnAmax", [](Call& call) { MapExtreme(call, "Max"); }},
    {"aclnnAmin", [](Call& call) { MapExtreme(call, "Min"); }},
    {"aclnnMax", [](Call& call) { MapExtremeOfAll(call, "Max"); }},
    {"aclnnMin", [](Call& call) { MapExtremeOfAll(call, "Min"); }},
    {"aclnnAll", [](Call& call) { MapTruth(call, "ReduceAll"); }},
    {"aclnnAny", [](Call& call) { MapTruth(call, "ReduceAny"); }},
    {"aclnnNorm", MapNorm},
    {"aclnnLinalgVectorNorm", MapVectorNorm},
    {"aclnnAminmax", MapAminmax},
    {"aclnnAminmaxAll", MapAminmaxAll},
    {"aclnnAminmaxDim", MapAminmaxDim},
    {"aclnnMaxDim", [](Call& call) { MapExtremeDim(call, "ArgMaxWithValue"); }},
    {"aclnnMinDim", [](Call& call) { MapExtremeDim(call, "ArgMinWithValue"); }},
});

}  // namespace
}  // namespace foothold::aclnn
