// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What only the run tells the number of: elements that are chosen, or differ.
#include "aclnn/mapping.h"

namespace foothold::aclnn {
namespace {

void MapNonzero(Call& call) {
  call.OutTold("out", call.Op("NonZero", {call.In("self")}), DataType::kInt64);
}

void MapMaskedSelect(Call& call) {
  const Value self = call.In("self"), mask = call.To(call.In("mask"), DataType::kBool);
  call.OutTold("out", call.Op("MaskedSelect", {self, mask}), TypeOf(self).type);
}

void CheckTypes(Call& call, std::initializer_list<std::string_view> indices) {
  if (call.TypeOfArgument("valueOut") != call.TypeOfArgument("self"))
    call.Refuse("'valueOut' is {}; the type of 'self', {}, is expected", ToString(call.View("valueOut")),
                DataTypeName(call.TypeOfArgument("self")));
  for (const std::string_view name : indices)
    if (call.TypeOfArgument(name) != DataType::kInt64)
      call.Refuse("'{}' is {}; int64 is expected", name, ToString(call.View(name)));
}

Op Unique(Call& call, const std::vector<std::int64_t>& axis) {
  Op unique = call.Op("UniqueWithCountsExt2", {call.In("self"), call.Ints(axis)});
  unique.Set("sorted", call.GetFlag("sorted"));
  return unique;
}

// Where each element of self is among the values: in the shape of the tensor, which the run does not tell.
void OutInverse(Call& call, Op& unique) {
  if (call.GetFlag("returnInverse")) call.Out("inverseOut", unique.Out(1));
}

void MapUnique2(Call& call) {
  CheckTypes(call, {"inverseOut", "countsOut"});
  Op unique = Unique(call, {});
  call.OutTold("valueOut", unique.Out(0));
  OutInverse(call, unique);
  if (call.GetFlag("returnCounts")) call.OutTold("countsOut", unique.Out(2), DataType::kInt64);
}

void MapUnique(Call& call) {
  CheckTypes(call, {"inverseOut"});
  Op unique = Unique(call, {});
  call.OutTold("valueOut", unique.Out(0));
  OutInverse(call, unique);
}

void MapUniqueDim(Call& call) {
  CheckTypes(call, {"inverseOut", "countsOut"});
  Op unique = Unique(call, {call.GetAxis("dim", call.DimsOfArgument("self").size())});
  call.OutTold("valueOut", unique.Out(0));
  OutInverse(call, unique);
  call.OutTold("countsOut", unique.Out(2), DataType::kInt64);
}

const RegisterMapping unique_maps({
    {"aclnnNonzero", MapNonzero},
    {"aclnnMaskedSelect", MapMaskedSelect},
    {"aclnnUnique", MapUnique},
    {"aclnnUnique2", MapUnique2},
    {"aclnnUniqueDim", MapUniqueDim},
});

}  // namespace
}  // namespace foothold::aclnn
