// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions that choose between values: bounds, thresholds, masks; and sums of products of three tensors.
#include "aclnn/maps/element.h"

namespace foothold::aclnn {
namespace {

DataType MeetIfGiven(const Call& call, const char* name, DataType type) {
  if (!call.Has(name)) return type;
  return MeetNumber(call, type, call.Late(name));
}

Value LateAs(Call& call, DataType type, const char* name) {
  return call.LateValue(type, call.Late(name));
}

// A bound that is not given is none. Where the lower one is above the upper one, the upper one counts.
void MapClamp(Call& call) {
  constexpr const char *kLow = "clipValueMin", *kHigh = "clipValueMax";
  const Operand self(call, 0);
  const DataType type = ComputeType(MeetIfGiven(call, kHigh, MeetIfGiven(call, kLow, self.type())));
  Value value = self.As(call, type);
  if (call.Has(kLow)) value = call.Op("Maximum", {value, LateAs(call, type, kLow)});
  if (call.Has(kHigh)) value = call.Op("Minimum", {value, LateAs(call, type, kHigh)});
  Result(call, value);
}

void MapClampTensor(Call& call) {
  const bool from_below = call.Has("clipValueMin"), from_above = call.Has("clipValueMax");
  if (!from_below && !from_above) call.Refuse("'clipValueMin' and 'clipValueMax' are null; one is expected");
  const std::vector<Value> inputs = TensorsAs(call, Domain::kOwn);
  Value value = inputs[0];
  if (from_below) value = call.Op("Maximum", {value, inputs[1]});
  if (from_above) value = call.Op("Minimum", {value, inputs.back()});
  Result(call, value);
}

void MapThreshold(Call& call) {
  const Operand self(call, 0);
  const DataType type = ComputeType(MeetIfGiven(call, "value", MeetIfGiven(call, "threshold", self.type())));
  Result(call, call.Op("ThresholdV2",
                       {self.As(call, type), LateAs(call, type, "threshold"), LateAs(call, type, "value")}));
}

// The gradient where the input was within the bounds.
void MapHardtanhBackward(Call& call) {
  const std::vector<Value> inputs = TensorsAs(call, Domain::kFloat);
  const DataType type = TypeOf(inputs[0]).type;
  const Value above = call.Op("Greater", {inputs[1], LateAs(call, type, "min")});
  const Value below = call.Op("Less", {inputs[1], LateAs(call, type, "max")});
  const Value within = call.Op("LogicalAnd", {above, below});
  Result(call, call.Op("SelectV2", {within, inputs[0], call.Number(type, 0.0)}));
}

void MapWhere(Call& call) {
  const Value condition = call.To(call.In("condition"), DataType::kBool);
  const Value self = call.In("self"), other = call.In("other");
  const DataType type = Promote(TypeOf(self).type, TypeOf(other).type);
  Result(call, call.Op("SelectV2", {condition, call.To(self, type), call.To(other, type)}));
}

// The number, or the only element of the tensor, that takes the place of what is masked or all of it.
Value Filler(Call& call, const char* name, DataType type) {
  if (call.parameter(call.Index(name)).kind == Kind::kScalar) return LateAs(call, type, name);
  return OnlyElement(call, name, type);
}

void MapMaskedFill(Call& call) {
  const Value self = call.In("selfRef"), mask = call.To(call.In("mask"), DataType::kBool);
  Result(call, call.Op("MaskedFill", {self, mask, Filler(call, "value", TypeOf(self).type)}));
}

// Straight from the one element to all places: no tensor of them is made first.
void MapFill(Call& call) {
  const Tensor self = call.View("selfRef");
  call.OutFromView("selfRef", Filler(call, "value", self.type), {}, {});
}

template <int number>
void MapFillWith(Call& call) {
  const Number all{DataType::kInt64, number, {number, 0}};
  call.OutFromView("selfRef", call.Number(call.View("selfRef").type, all), {}, {});
}

// self + value * (tensor1 op tensor2).
template <const char* const& op, Domain domain>
void MapAddProduct(Call& call) {
  const LateNumber value = call.Late("value");
  const std::vector<Value> inputs = TensorsAs(call, call.Asks(value, HasFraction) ? Domain::kFloat : domain);
  const DataType type = TypeOf(inputs[0]).type;
  Value product = call.Op(op, {inputs[1], inputs[2]});
  if (!call.Asks(value, IsOne)) product = call.Op("Mul", {product, call.LateValue(type, value)});
  Result(call, call.Op("Add", {inputs[0], product}));
}

// From self to end by a weight, which is a tensor or a number.
void MapLerp(Call& call) {
  const Operand self(call, 0), end(call, 1), weight(call, 2);
  const DataType type = TypeIn(Domain::kFloat, Promote(self.type(), Meet(call, end, weight)));
  const Value start = self.As(call, type);
  const Value distance = call.Op("Sub", {end.As(call, type), start});
  Result(call, call.Op("Add", {start, call.Op("Mul", {weight.As(call, type), distance})}));
}

constexpr const char* kMul = "Mul";
constexpr const char* kDiv = "RealDiv";
constexpr Mapping kAddcmul = MapAddProduct<kMul, Domain::kOwn>,
                  kAddcdiv = MapAddProduct<kDiv, Domain::kFloat>;

const RegisterMapping element_choice_maps({{"aclnnClamp", MapClamp},
                                           {"aclnnHardtanh", MapClamp},
                                           {"aclnnInplaceHardtanh", MapClamp},
                                           {"aclnnClampTensor", MapClampTensor},
                                           {"aclnnThreshold", MapThreshold},
                                           {"aclnnInplaceThreshold", MapThreshold},
                                           {"aclnnHardtanhBackward", MapHardtanhBackward},
                                           {"aclnnSWhere", MapWhere},
                                           {"aclnnInplaceMaskedFillScalar", MapMaskedFill},
                                           {"aclnnInplaceMaskedFillTensor", MapMaskedFill},
                                           {"aclnnInplaceFillScalar", MapFill},
                                           {"aclnnInplaceFillTensor", MapFill},
                                           {"aclnnInplaceZero", MapFillWith<0>},
                                           {"aclnnInplaceOne", MapFillWith<1>},
                                           {"aclnnAddcmul", kAddcmul},
                                           {"aclnnInplaceAddcmul", kAddcmul},
                                           {"aclnnAddcdiv", kAddcdiv},
                                           {"aclnnInplaceAddcdiv", kAddcdiv},
                                           {"aclnnLerp", MapLerp},
                                           {"aclnnInplaceLerp", MapLerp},
                                           {"aclnnLerps", MapLerp},
                                           {"aclnnInplaceLerps", MapLerp}});

}  // namespace
}  // namespace foothold::aclnn
