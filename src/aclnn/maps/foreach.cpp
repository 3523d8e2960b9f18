// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Element-wise functions of all members of lists: one after the other, each as it would be by itself.
#include "aclnn/maps/element.h"

namespace foothold::aclnn {
namespace {

struct ForeachRow {
  Names names;
  const char* op;
  Domain domain = Domain::kOwn;
  bool knows_numbers = false;  // when the way is chosen: some exponents have a shorter one
};

// Of one list, or of lists, tensors of one element and numbers, as many as the operator has inputs.
constexpr ForeachRow kPlain[] = {
    {{"aclnnForeachAddScalar"}, "Add"},
    {{"aclnnForeachAddScalarV2"}, "Add"},
    {{"aclnnForeachAddScalarList"}, "Add"},
    {{"aclnnForeachSubScalar"}, "Sub"},
    {{"aclnnForeachSubScalarV2"}, "Sub"},
    {{"aclnnForeachSubScalarList"}, "Sub"},
    {{"aclnnForeachMulList"}, "Mul"},
    {{"aclnnForeachMulScalar"}, "Mul"},
    {{"aclnnForeachMulScalarV2"}, "Mul"},
    {{"aclnnForeachMulScalarList"}, "Mul"},
    {{"aclnnForeachDivList"}, "RealDiv", Domain::kFloat},
    {{"aclnnForeachDivScalar"}, "RealDiv", Domain::kFloat},
    {{"aclnnForeachDivScalarV2"}, "RealDiv", Domain::kFloat},
    {{"aclnnForeachDivScalarList"}, "RealDiv", Domain::kFloat},
    {{"aclnnForeachMaximumList"}, "Maximum"},
    {{"aclnnForeachMaximumScalar"}, "Maximum"},
    {{"aclnnForeachMaximumScalarV2"}, "Maximum"},
    {{"aclnnForeachMaximumScalarList"}, "Maximum"},
    {{"aclnnForeachMinimumList"}, "Minimum"},
    {{"aclnnForeachMinimumScalar"}, "Minimum"},
    {{"aclnnForeachMinimumScalarV2"}, "Minimum"},
    {{"aclnnForeachMinimumScalarList"}, "Minimum"},
    {{"aclnnForeachPowList"}, "Pow"},
    {{"aclnnForeachPowScalar"}, "Pow", Domain::kOwn, true},
    {{"aclnnForeachPowScalarV2"}, "Pow", Domain::kOwn, true},
    {{"aclnnForeachPowScalarList"}, "Pow", Domain::kOwn, true},
    {{"aclnnForeachPowScalarAndTensor"}, "Pow"},
};

// first op alpha * second.
constexpr ForeachRow kWithAlpha[] = {{{"aclnnForeachAddList"}, "Add"},
                                     {{"aclnnForeachAddListV2"}, "Add"},
                                     {{"aclnnForeachSubList"}, "Sub"},
                                     {{"aclnnForeachSubListV2"}, "Sub"}};

// first + number * (second op third).
constexpr ForeachRow kWithProduct[] = {{{"aclnnForeachAddcmulScalar"}, "Mul"},
                                       {{"aclnnForeachAddcmulScalarV2"}, "Mul"},
                                       {{"aclnnForeachAddcdivScalar"}, "RealDiv", Domain::kFloat},
                                       {{"aclnnForeachAddcdivScalarV2"}, "RealDiv", Domain::kFloat}};

// The type that members of lists meet in; what belongs to all of them adapts.
DataType TypeOfMembers(const Call& call, std::size_t member, Domain domain) {
  DataType type = DataType::kUndefined;
  for (std::size_t i = 0; i < call.size(); ++i) {
    const Parameter& given = call.parameter(i);
    if (given.kind != Kind::kTensorList || given.direction == Direction::kOut) continue;
    const DataType one = call.View(given.name, member).type;
    type = type == DataType::kUndefined ? one : Promote(type, one);
  }
  return TypeIn(domain, type);
}

LateNumber MemberOf(const Call& call, const char* name, std::size_t member) {
  if (member >= call.ListSize(name))
    call.Refuse("'{}' has {} numbers, and member {} of the tensors needs one", name, call.ListSize(name),
                member);
  return call.Late(name, member);
}

Value ShareOf(Call& call, const Parameter& given, std::size_t member, DataType type, bool knows_numbers) {
  const auto as_value = [&](const LateNumber& number) {
    if (!knows_numbers) return call.LateValue(type, number);
    return call.Number(type, call.Known(number));
  };
  switch (given.kind) {
    case Kind::kTensorList:
      return call.To(call.In(given.name, member), type);
    case Kind::kScalar:
      return as_value(call.Late(given.name));
    case Kind::kScalarList:
      return as_value(MemberOf(call, given.name, member));
    default:
      return OnlyElement(call, given.name, type);
  }
}

std::vector<Value> Shares(Call& call, std::size_t member, const ForeachRow& row) {
  const DataType type = TypeOfMembers(call, member, row.domain);
  std::vector<Value> values;
  for (std::size_t i = 0; i + 1 < call.size(); ++i)
    values.push_back(ShareOf(call, call.parameter(i), member, type, row.knows_numbers));
  return values;
}

using Compute = Value (*)(Call& call, const char* op, const std::vector<Value>& values);

// Members are computed and written one after the other.
void ForEachMember(Call& call, const ForeachRow& row, Compute compute) {
  for (std::size_t i = 0; i < call.ListSize("out"); ++i)
    call.Out("out", compute(call, row.op, Shares(call, i, row)), i);
}

void MapPlain(Call& call) {
  ForEachMember(call, RowOf(call, kPlain), [](Call& all, const char* op, const std::vector<Value>& values) {
    return Value(values.size() == 1 ? all.Op(op, {values[0]}) : all.Op(op, {values[0], values[1]}));
  });
}

void MapWithAlpha(Call& call) {
  ForEachMember(call, RowOf(call, kWithAlpha),
                [](Call& all, const char* op, const std::vector<Value>& values) {
                  return Value(all.Op(op, {values[0], all.Op("Mul", {values[1], values[2]})}));
                });
}

void MapWithProduct(Call& call) {
  ForEachMember(call, RowOf(call, kWithProduct),
                [](Call& all, const char* op, const std::vector<Value>& values) {
                  const Value product = all.Op("Mul", {all.Op(op, {values[1], values[2]}), values[3]});
                  return Value(all.Op("Add", {values[0], product}));
                });
}

// From the first to the second by a weight.
void MapLerp(Call& call) {
  constexpr ForeachRow kRow{{}, "Add", Domain::kFloat};
  ForEachMember(call, kRow, [](Call& all, const char* op, const std::vector<Value>& values) {
    const Value distance = all.Op("Sub", {values[1], values[0]});
    return Value(all.Op(op, {values[0], all.Op("Mul", {values[2], distance})}));
  });
}

void MapCopy(Call& call) {
  for (std::size_t i = 0; i < call.ListSize("out"); ++i)
    call.Out("out", call.To(call.In("x", i), call.View("out", i).type), i);
}

void MapZero(Call& call) {
  for (std::size_t i = 0; i < call.ListSize("x"); ++i)
    call.OutFromView("x", call.Number(call.View("x", i).type, Number{DataType::kInt64, 0, 0}), {}, {}, i);
}

const RegisterRows plain(kPlain, MapPlain), with_alpha(kWithAlpha, MapWithAlpha),
    with_product(kWithProduct, MapWithProduct);
const RegisterMapping foreach_maps({{"aclnnForeachLerpList", MapLerp},
                                    {"aclnnForeachLerpScalar", MapLerp},
                                    {"aclnnForeachCopy", MapCopy},
                                    {"aclnnForeachZeroInplace", MapZero}});

}  // namespace
}  // namespace foothold::aclnn
