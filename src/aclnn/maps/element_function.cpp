// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of the elements of one tensor, or of two, that are more than one operator of src/ops by the
// table.
#include "aclnn/maps/element.h"

namespace foothold::aclnn {
namespace {

// Of truths it is not.
void MapBitwiseNot(Call& call) {
  const Value x = TensorsAs(call, Domain::kOwn)[0];
  Result(call, call.Op(TypeOf(x).type == DataType::kBool ? "LogicalNot" : "Invert", {x}));
}

// Its operator also takes the value of the function, and does not need it.
void MapGeluBackward(Call& call) {
  const std::vector<Value> inputs = TensorsAs(call, Domain::kFloat);
  Result(call, call.Op("GeluGrad", {inputs[0], inputs[1], inputs[1]}));
}

void MapAbs(Call& call) {
  const Value x = TensorsAs(call, Domain::kOwn)[0];
  Result(call, call.Op(IsComplex(TypeOf(x).type) ? "ComplexAbs" : "Abs", {x}));
}

// What is no number has no sign either.
void MapSign(Call& call) {
  Value x = TensorsAs(call, Domain::kOwn)[0];
  if (TypeOf(x).type == DataType::kBool) return Result(call, x);
  if (IsFloat(TypeOf(x).type))
    x = call.Op("NanToNum", {x}).Set("nan", 0.0f).Set("posinf", 1.0f).Set("neginf", -1.0f);
  Result(call, call.Op("Sign", {x}));
}

// What is behind the point.
void MapFrac(Call& call) {
  const Value x = TensorsAs(call, Domain::kOwn)[0];
  Result(call, call.Op("Sub", {x, call.Op("Trunc", {x})}));
}

const RegisterMapping element_function_maps({{"aclnnAbs", MapAbs},
                                             {"aclnnSign", MapSign},
                                             {"aclnnBitwiseNot", MapBitwiseNot},
                                             {"aclnnGeluBackward", MapGeluBackward},
                                             {"aclnnFrac", MapFrac},
                                             {"aclnnInplaceFrac", MapFrac}});

}  // namespace
}  // namespace foothold::aclnn
