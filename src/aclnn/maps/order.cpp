// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Orders, places and partial sums along one dimension.
#include <algorithm>

#include "aclnn/mapping.h"
#include "aclnn/maps/axes.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

void MapArg(Call& call, const char* operator_type) {
  const Value self = call.InLines("self");
  const DataType out = call.TypeOfArgument("out");
  const DataType type = out == DataType::kInt32 ? out : DataType::kInt64;
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size());
  call.OutElements("out", call.Op(operator_type, {self, call.Int(axis)}).Set("dtype", type));
}

Op Sorted(Call& call, Value self, bool descending) {
  Op sort = call.Op("Sort", {self});
  sort.Set("axis", call.GetAxis("dim", DimsOf(self).size()))
      .Set("descending", descending)
      .Set("stable", true);
  return sort;
}

void MapArgsort(Call& call) {
  call.Out("out", Sorted(call, call.InLines("self"), call.GetFlag("descending")).Out(1));
}

void MapSort(Call& call) {
  Op sort = Sorted(call, call.InLines("self"), call.GetFlag("descending"));
  call.Out("valuesOut", sort.Out(0));
  call.Out("indicesOut", sort.Out(1));
}

void MapTopk(Call& call) {
  const Value self = call.InLines("self");
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size()), k = call.GetInt("k");
  const std::int64_t size = DimsOf(self)[static_cast<std::size_t>(axis)];
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
  const Value p = call.Has("p") ? call.To(call.In("p"), type) : Value();
  call.Out("out", call.Op("ApplyTopKTopP", {call.To(logits, type), p, call.InIfGiven("k")}));
}

void Cumulate(Call& call, const char* type, Value x, std::int64_t axis, bool exclusive, bool reverse) {
  const auto cumulated = [&](Value value) {
    return call.Op(type, {value, call.Int(axis)}).Set("exclusive", exclusive).Set("reverse", reverse);
  };
  call.Out("out", std::string_view(type) == "Cumsum" ? ByParts(call, x, cumulated) : cumulated(x).Out());
}

void MapCumsum(Call& call) {
  const Value self = call.To(call.InLines("self"), SaidType(call, "out"));
  Cumulate(call, "Cumsum", self, call.GetAxis("dim", DimsOf(self).size()), false, false);
}

void MapCumsumV2(Call& call) {
  const Value given = call.InLines("self"), self = call.To(given, ComputeType(TypeOf(given).type));
  Cumulate(call, "Cumsum", self, call.GetAxis("dim", DimsOf(self).size()), call.GetFlag("exclusive"),
           call.GetFlag("reverse"));
}

// The dimension is a number of the program's.
void MapCumprod(Call& call) {
  const Value input = call.To(call.InLines("input"), SaidType(call, "out"));
  const auto rank = std::max<std::int64_t>(static_cast<std::int64_t>(DimsOf(input).size()), 1);
  const std::int64_t axis = call.GetNumber("dim").integer;
  if (axis < -rank || axis >= rank)
    call.Refuse("'dim' is {}; there are {} dimensions", axis, DimsOf(input).size());
  Cumulate(call, "Cumprod", input, axis < 0 ? axis + rank : axis, false, false);
}

void MapSearchSorted(Call& call) {
  const Value sequence = call.In("sortedSequence"), self = call.In("self");
  const DataType type = Promote(TypeOf(sequence).type, TypeOf(self).type);
  call.Out("out", call.Op("SearchSorted", {call.To(sequence, type), call.To(self, type)})
                      .In("sorter", call.InIfGiven("sorter"))
                      .Set("dtype", call.GetFlag("outInt32") ? DataType::kInt32 : DataType::kInt64)
                      .Set("right", call.GetFlag("right")));
}

const RegisterMapping order_maps({
    {"aclnnSearchSorted", MapSearchSorted},
    {"aclnnApplyTopKTopP", MapApplyTopKTopP},
    {"aclnnArgMax", [](Call& call) { MapArg(call, "ArgMaxV2"); }},
    {"aclnnArgMin", [](Call& call) { MapArg(call, "ArgMin"); }},
    {"aclnnArgsort", MapArgsort},
    {"aclnnSort", MapSort},
    {"aclnnTopk", MapTopk},
    {"aclnnCumsum", MapCumsum},
    {"aclnnCumsumV2", MapCumsumV2},
    {"aclnnCumprod", MapCumprod},
});

}  // namespace
}  // namespace foothold::aclnn
