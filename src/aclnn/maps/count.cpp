// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Places in an order, numbers of elements, comparisons as a whole.
#include "aclnn/maps/element.h"
#include "calls/view.h"

namespace foothold::aclnn {
namespace {

// Truths are counted as 0 and 1.
Value Countable(Call& call, Value value) {
  return TypeOf(value).type == DataType::kBool ? call.To(value, DataType::kInt8) : value;
}

void MapEqual(Call& call) {
  Value self = call.In("self"), other = call.In("other");
  const DataType type = Promote(TypeOf(self).type, TypeOf(other).type);
  if (DimsOf(self) != DimsOf(other)) {
    call.OutElements("out", call.Filled(DataType::kBool, {1}, 0));
    return;
  }
  self = call.To(self, type);
  other = call.To(other, type);
  if (IsComplex(type)) {
    const DataType part = type == DataType::kComplex64 ? DataType::kFloat : DataType::kDouble;
    self = call.Op("Bitcast", {self}).Set("type", part);
    other = call.Op("Bitcast", {other}).Set("type", part);
  }
  call.OutElements("out", call.OwnOp("AclnnAllEqual", {{"x1", self}, {"x2", other}}, {"y"}));
}

// [rank, count], where aclnnNonzero has [count, rank].
void MapNonzeroByRows(Call& call) {
  call.OutTold("out", call.Op("NonZero", {call.In("self")}).Set("transpose", true), DataType::kInt64);
}

// 1000 stands for no dimension.
void MapUniqueConsecutive(Call& call) {
  Op unique = call.Op("UniqueConsecutive", {call.InLines("self")});
  const std::int64_t dim = call.GetInt("dim");
  unique.Set("return_idx", call.GetFlag("returnInverse"))
      .Set("return_counts", call.GetFlag("returnCounts"))
      .Set("axis", dim == 1000 ? dim : call.GetAxis("dim", call.DimsOfArgument("self").size()));
  call.OutTold("valueOut", unique.Out(0), call.TypeOfArgument("self"));
  if (call.GetFlag("returnInverse")) call.OutTold("inverseOut", unique.Out(1), DataType::kInt64);
  if (call.GetFlag("returnCounts")) call.OutTold("countsOut", unique.Out(2), DataType::kInt64);
}

Op Statistic(Call& call, Value self, const char* which, std::int64_t axis, std::int64_t k = 0) {
  Op statistic = call.OwnOp("AclnnOrderStatistic", {{"x", Countable(call, self)}}, {"value", "place"});
  statistic.Set("which", std::string(which)).Set("axis", axis).Set("k", k);
  return statistic;
}

void MapMedian(Call& call, const char* which, std::string_view out) {
  const Value self = call.In("self");
  call.OutElements(out, Statistic(call, call.Reshape(self, {ElementCount(DimsOf(self))}), which, 0).Out(0));
}

void MapMedianDim(Call& call, const char* which) {
  const Value self = call.InLines("self");
  Op statistic = Statistic(call, self, which, call.GetAxis("dim", DimsOf(self).size()));
  call.OutElements("valuesOut", statistic.Out(0));
  call.OutElements("indicesOut", statistic.Out(1));
}

void MapKthvalue(Call& call) {
  const Value self = call.InLines("self");
  const std::int64_t axis = call.GetAxis("dim", DimsOf(self).size()), k = call.GetInt("k");
  if (k < 1 || k > DimsOf(self)[static_cast<std::size_t>(axis)])
    call.Refuse("'k' is {}; dimension {} has {} elements", k, axis,
                DimsOf(self)[static_cast<std::size_t>(axis)]);
  Op statistic = Statistic(call, self, "kth", axis, k - 1);
  call.OutElements("valuesOut", statistic.Out(0));
  call.OutElements("indicesOut", statistic.Out(1));
}

void MapRunning(Call& call, bool largest) {
  const Value self = call.InLines("self");
  Op running = call.OwnOp("AclnnRunningExtreme", {{"x", Countable(call, self)}}, {"value", "place"});
  running.Set("axis", call.GetAxis("dim", DimsOf(self).size())).Set("largest", largest);
  call.OutElements("valuesOut", call.To(running.Out(0), TypeOf(self).type));
  call.OutElements("indicesOut", running.Out(1));
}

void MapHistc(Call& call) {
  call.OutElements("out",
                   call.OwnOp("AclnnHistogram", {{"x", call.In("self")}}, {"y"})
                       .Set("bins", call.GetInt("bins"))
                       .Set("ends", std::vector<float>{static_cast<float>(call.GetNumber("min").real()),
                                                       static_cast<float>(call.GetNumber("max").real())}));
}

void MapBincount(Call& call) {
  Value self = call.In("self"), weights = call.InIfGiven("weights");
  if (!IsInteger(TypeOf(self).type))
    call.Refuse("'self' is {}; whole numbers are counted", ToString(call.View("self")));
  if (TypeOf(self).type != DataType::kInt32) self = call.To(self, DataType::kInt64);
  if (weights) {
    const DataType type = TypeOf(weights).type;
    weights =
        call.To(weights, type == DataType::kFloat || type == DataType::kInt64 ? type : DataType::kDouble);
  }
  call.OutElements("out", call.OwnOp("AclnnBincount", {{"x", self}, {"weights", weights}}, {"y"})
                              .Set("size", CountOf(call.View("out").dims)));
}

Value Searched(Call& call, Value sequence, Value values) {
  const DataType type = Promote(TypeOf(sequence).type, TypeOf(values).type);
  return call.Op("SearchSorted", {call.To(sequence, type), call.To(values, type)})
      .In("sorter", call.Has("sorter") ? call.InIfGiven("sorter") : Value())
      .Set("dtype", call.GetFlag("outInt32") ? DataType::kInt32 : DataType::kInt64)
      .Set("right", call.GetFlag("right"));
}

void MapSearchNumber(Call& call) {
  const Value sequence = call.In("sortedSequence");
  const Number number = call.GetNumber("self");
  const DataType type = PromoteWithScalar(TypeOf(sequence).type, number.type);
  call.OutElements("out", Searched(call, sequence, call.Reshape(call.Number(type, number), {1})));
}

Value IsIn(Call& call, Value tensor, const char* number) {
  const DataType type = PromoteWithScalar(TypeOf(tensor).type, call.GetNumber(number).type);
  return call.Op("Equal", {call.To(tensor, type), call.LateValue(type, call.Late(number))});
}

void OutTruth(Call& call, Value truth) {
  call.OutElements("out", call.GetFlag("invert") ? Value(call.Op("LogicalNot", {truth})) : truth);
}

void MapIsInTensor(Call& call) {
  const Value tests = call.In("testElements");
  const Value flat = call.Reshape(tests, {ElementCount(DimsOf(tests))});
  OutTruth(call, call.Op("ReduceAny", {IsIn(call, flat, "element"), call.Ints({0})}).Set("keep_dims", false));
}

void MapIsInNumber(Call& call) {
  OutTruth(call, IsIn(call, call.In("element"), "testElement"));
}

const RegisterMapping count_maps({
    {"aclnnEqual", MapEqual},
    {"aclnnNonzeroV2", MapNonzeroByRows},
    {"aclnnUniqueConsecutive", MapUniqueConsecutive},
    {"aclnnMedian", [](Call& call) { MapMedian(call, "median", "valuesOut"); }},
    {"aclnnNanMedian", [](Call& call) { MapMedian(call, "nanmedian", "out"); }},
    {"aclnnMedianDim", [](Call& call) { MapMedianDim(call, "median"); }},
    {"aclnnNanMedianDim", [](Call& call) { MapMedianDim(call, "nanmedian"); }},
    {"aclnnKthvalue", MapKthvalue},
    {"aclnnCummax", [](Call& call) { MapRunning(call, true); }},
    {"aclnnCummin", [](Call& call) { MapRunning(call, false); }},
    {"aclnnHistc", MapHistc},
    {"aclnnBincount", MapBincount},
    {"aclnnSearchSorteds", MapSearchNumber},
    {"aclnnIsInScalarTensor", MapIsInTensor},
    {"aclnnIsInTensorScalar", MapIsInNumber},
});

}  // namespace
}  // namespace foothold::aclnn
