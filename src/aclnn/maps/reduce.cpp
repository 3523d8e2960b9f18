// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Dimensions that become one number, and orders along one.
#include <numeric>

#include "aclnn/mapping.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

// No axes are all of them.
std::vector<std::int64_t> AllIfNone(std::vector<std::int64_t> axes, const Value& value) {
  if (!axes.empty()) return axes;
  axes.resize(DimsOf(value).size());
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

std::vector<std::int64_t> AxesOf(Call& call, std::string_view name, const Value& value) {
  return AllIfNone(call.Has(name) ? call.GetAxes(name, DimsOf(value).size()) : std::vector<std::int64_t>(),
                   value);
}

Value Reduced(Call& call, const char* type, Value value, const std::vector<std::int64_t>& axes, bool keep) {
  return DimsOf(value).empty() ? value : call.Op(type, {value, call.Ints(axes)}).Set("keep_dims", keep).Out();
}

// Computed in the type that the program says.
DataType SaidType(Call& call, std::string_view out) {
  const DataType said = call.GetType("dtype");
  return ComputeType(said == DataType::kUndefined ? call.TypeOfArgument(out) : said);
}

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

void MapExtreme(Call& call, const char* type) {
  const Value self = call.In("self");
  call.OutElements("out", Reduced(call, type, self, AxesOf(call, "dim", self), call.GetFlag("keepDim")));
}

void MapExtremeOfAll(Call& call, const char* type) {
  const Value self = call.In("self");
  call.OutElements("out", Reduced(call, type, self, AllIfNone({}, self), false));
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
  const Value self = call.In("self");
  Norm(call, call.To(self, ComputeType(TypeOf(self).type)), "pScalar", "dim", call.GetFlag("keepdim"));
}

void MapVectorNorm(Call& call) {
  Norm(call, call.To(call.In("self"), SaidType(call, "out")), "ord", "dims", call.GetFlag("keepDims"));
}

// Values and where they are along one dimension.
void MapExtremeDim(Call& call, const char* type) {
  const Value self = call.In("self");
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size());
  Op extreme = call.Op(type, {DimsOf(self).empty() ? call.Reshape(self, {1}) : self});
  extreme.Set("dimension", axis).Set("keep_dims", call.GetFlag("keepdim"));
  call.OutElements("out", extreme.Out(1));
  call.OutElements("indices", extreme.Out(0));
}

void MapArgMax(Call& call) {
  const Value self = call.In("self");
  const DataType out = call.TypeOfArgument("out");
  const DataType type = out == DataType::kInt32 ? out : DataType::kInt64;
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size());
  const Value whole = DimsOf(self).empty() ? call.Reshape(self, {1}) : self;
  call.OutElements("out", call.Op("ArgMaxV2", {whole, call.Int(axis)}).Set("dtype", type));
}

Op Sorted(Call& call, Value self, bool descending) {
  Op sort = call.Op("Sort", {self});
  sort.Set("axis", call.GetAxis("dim", DimsOf(self).size()))
      .Set("descending", descending)
      .Set("stable", true);
  return sort;
}

void MapArgsort(Call& call) {
  call.Out("out", Sorted(call, call.In("self"), call.GetFlag("descending")).Out(1));
}

void MapSort(Call& call) {
  Op sort = Sorted(call, call.In("self"), call.GetFlag("descending"));
  call.Out("valuesOut", sort.Out(0));
  call.Out("indicesOut", sort.Out(1));
}

void MapTopk(Call& call) {
  const Value self = call.In("self");
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size()), k = call.GetInt("k");
  const std::int64_t size = DimsOf(self).empty() ? 1 : DimsOf(self)[static_cast<std::size_t>(axis)];
  if (k < 0 || k > size) call.Refuse("'k' is {}; dimension {} has {} elements", k, axis, size);
  Op top = call.Op("TopKV2", {self, call.Const(TensorValue::Of<std::int32_t>(
                                        DataType::kInt32, {}, std::vector{static_cast<std::int32_t>(k)}))});
  top.Set("dim", axis).Set("largest", call.GetFlag("largest")).Set("sorted", true);
  call.Out("valuesOut", top.Out(0));
  call.Out("indicesOut", top.Out(1));
}

void MapApplyTopKTopP(Call& call) {
  const Value logits = call.In("logits");
  const DataType type = ComputeType(TypeOf(logits).type);
  call.Out("out",
           call.Op("ApplyTopKTopP", {call.To(logits, type), call.To(call.In("p"), type), call.In("k")}));
}

void MapCumsum(Call& call) {
  const Value self = call.To(call.In("self"), SaidType(call, "out"));
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size());
  call.Out("out", DimsOf(self).empty() ? self : call.Op("Cumsum", {self, call.Int(axis)}).Out());
}

const RegisterMapping registered({
    {"aclnnReduceSum", MapReduceSum},
    {"aclnnMean", MapMean},
    {"aclnnProd", MapProd},
    {"aclnnProdDim", MapProdDim},
    {"aclnnAmax", [](Call& call) { MapExtreme(call, "ReduceMax"); }},
    {"aclnnAmin", [](Call& call) { MapExtreme(call, "ReduceMin"); }},
    {"aclnnMax", [](Call& call) { MapExtremeOfAll(call, "ReduceMax"); }},
    {"aclnnMin", [](Call& call) { MapExtremeOfAll(call, "ReduceMin"); }},
    {"aclnnAll", [](Call& call) { MapTruth(call, "ReduceAll"); }},
    {"aclnnAny", [](Call& call) { MapTruth(call, "ReduceAny"); }},
    {"aclnnNorm", MapNorm},
    {"aclnnLinalgVectorNorm", MapVectorNorm},
    {"aclnnMaxDim", [](Call& call) { MapExtremeDim(call, "ArgMaxWithValue"); }},
    {"aclnnMinDim", [](Call& call) { MapExtremeDim(call, "ArgMinWithValue"); }},
    {"aclnnApplyTopKTopP", MapApplyTopKTopP},
    {"aclnnArgMax", MapArgMax},
    {"aclnnArgsort", MapArgsort},
    {"aclnnSort", MapSort},
    {"aclnnTopk", MapTopk},
    {"aclnnCumsum", MapCumsum},
});

}  // namespace
}  // namespace foothold::aclnn
