// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Element-wise functions that are made of several operators: logarithms of sums, complex numbers, signs.
#include <cmath>
#include <numbers>

#include "aclnn/maps/axes.h"
#include "aclnn/maps/element.h"
#include "aclnn/maps/formula.h"
#include "aclnn/maps/parts.h"

namespace foothold::aclnn {
namespace {

DataType PartOf(DataType complex) {
  return complex == DataType::kComplex128  ? DataType::kDouble
         : complex == DataType::kComplex32 ? DataType::kFloat16
                                           : DataType::kFloat;
}

// log(exp(a) + exp(b)) in a base whose logarithm is `base`. Of equal infinities there is no difference.
void MapLogOfSum(Call& call, double base) {
  const Formula f(call);
  const Term a = f.In("self"), b = f.In("other");
  const Term distance = Abs(Select(Apply("Equal", a, b), 0, a - b));
  Result(call, Apply("Maximum", a, b) + Apply("Log1p", Exp(distance * -base)) / base);
}

Value OfParts(Call& call, Value real, Value imaginary, DataType type) {
  const auto rank = static_cast<std::int64_t>(DimsOf(real).size());
  const Value both =
      call.Op("Pack").InList("x", {real, imaginary}).Set("axis", rank).Set("N", std::int64_t{2});
  return call.Op("Bitcast", {both}).Set("type", type);
}

void MapComplex(Call& call) {
  const DataType type = call.TypeOfArgument("out"), part = PartOf(type);
  const Dims dims = call.DimsOfArgument("out");
  const auto repeated = [&](const char* name) {
    return call.BroadcastTo(call.To(call.In(name), part), dims);
  };
  call.Out("out", OfParts(call, repeated("real"), repeated("imag"), type));
}

void MapPolar(Call& call) {
  const DataType type = call.TypeOfArgument("out");
  const Formula f(call);
  const Term length = f.In("input"), angle = f.In("angle");
  const auto part = [&](const char* function) {
    const Value value = length * Apply(function, angle);
    return call.To(call.BroadcastTo(value, call.DimsOfArgument("out")), PartOf(type));
  };
  call.Out("out", OfParts(call, part("Cos"), part("Sin"), type));
}

// The real (0) or the imaginary (1) part.
Term PartOfComplex(Call& call, Value x, std::int64_t which) {
  const Value parts = call.Op("Bitcast", {x}).Set("type", PartOf(TypeOf(x).type));
  const auto axis = static_cast<std::int64_t>(DimsOf(x).size());
  return {call, call.Reshape(Part(call, parts, axis, which, 1), DimsOf(x))};
}

void MapReal(Call& call) {
  const Value self = call.In("self");
  call.Out("out", IsComplex(TypeOf(self).type) ? Value(PartOfComplex(call, self, 0)) : self);
}

void MapAngle(Call& call) {
  const Value given = call.In("x");
  if (IsComplex(TypeOf(given).type))
    return Result(call, Apply("Atan2", PartOfComplex(call, given, 1), PartOfComplex(call, given, 0)));
  const Term x = Formula(call).In("x");
  Result(call, Select(x < 0, std::numbers::pi, Select(x >= 0, 0, x)));
}

void MapSinc(Call& call) {
  const std::vector<Value> inputs = TensorsAs(call, Domain::kFloat);
  const Term x{call, inputs[0]}, turned = x * std::numbers::pi;
  Result(call, Select(Apply("Equal", x, x.Like(0)), 1, Apply("Sin", turned) / turned));
}

// The sign of a number is its first bit, whatever the number.
void MapSignbit(Call& call) {
  Value self = call.In("self");
  const DataType type = TypeOf(self).type;
  if (type == DataType::kBool) return call.Out("out", call.Filled(DataType::kBool, DimsOf(self), 0));
  if (IsFloat(type)) {
    const DataType bits = IsHalf(type)               ? DataType::kInt16
                          : type == DataType::kFloat ? DataType::kInt32
                                                     : DataType::kInt64;
    self = call.Op("Bitcast", {self}).Set("type", bits);
  }
  const Term x{call, self};
  call.Out("out", x < 0);
}

void MapGcd(Call& call) {
  const std::vector<Value> inputs = TensorsAs(call, Domain::kOwn);
  Result(call, call.OwnOp("AclnnGcd", {{"x1", inputs[0]}, {"x2", inputs[1]}}, {"y"}));
}

// base ^ (from start to end in equal steps).
void MapLogSpace(Call& call) {
  const std::int64_t steps = call.GetInt("steps");
  if (steps < 0 || steps != ElementCount(call.DimsOfArgument("result")))
    call.Refuse("'steps' is {}, and 'result' {}", steps, ToString(call.View("result")));
  if (steps == 0) return;
  constexpr DataType kType = DataType::kDouble;
  const auto bound = [&](const char* name) { return call.Number(kType, call.GetNumber(name).real()); };
  const Value exponents = call.Op("LinSpace", {bound("start"), bound("end"), call.Int(steps)});
  call.OutElements("result", call.Op("Pow", {call.Number(kType, call.GetReal("base")), exponents}));
}

void MapNansum(Call& call) {
  const Value self = call.In("self");
  Value value = call.To(self, SaidType(call, "out"));
  if (IsFloat(TypeOf(value).type)) {
    const Term x{call, value};
    value = Select(Apply("Equal", x, x), x, 0);
  }
  call.OutElements("out",
                   Reduced(call, "ReduceSum", value, AxesOf(call, "dim", value), call.GetFlag("keepDim")));
}

// What is multiplied by 0 does not count, even if it is no number.
void MapAddr(Call& call, const char* self_name) {
  const auto number = [&](const char* name) {
    return call.Has(name) ? call.GetNumber(name) : Number{DataType::kInt64, 1, {1, 0}};
  };
  const Number beta = number("betaOptional"), alpha = number("alphaOptional");
  Value first = call.InLines("vec1"), second = call.InLines("vec2");
  const DataType given =
      Promote(call.TypeOfArgument(self_name), Promote(TypeOf(first).type, TypeOf(second).type));
  const bool fraction = HasFraction(beta) || HasFraction(alpha);
  const DataType type =
      given == DataType::kBool ? DataType::kInt8 : TypeIn(fraction ? Domain::kFloat : Domain::kOwn, given);
  first = call.Reshape(call.To(first, type), {ElementCount(DimsOf(first)), 1});
  second = call.Reshape(call.To(second, type), {1, ElementCount(DimsOf(second))});
  Value sum = call.Op("Mul", {call.Op("Mul", {first, second}), call.Number(type, alpha)});
  if (beta.complex != 0.0)
    sum = call.Op("Add", {sum, call.Op("Mul", {call.To(call.In(self_name), type), call.Number(type, beta)})});
  Result(call, given == DataType::kBool ? call.To(sum, DataType::kBool) : sum);
}

const RegisterMapping element_rest_maps({
    {"aclnnLogAddExp", [](Call& call) { MapLogOfSum(call, 1); }},
    {"aclnnLogAddExp2", [](Call& call) { MapLogOfSum(call, std::numbers::ln2); }},
    {"aclnnComplex", MapComplex},
    {"aclnnPolar", MapPolar},
    {"aclnnReal", MapReal},
    {"aclnnAngleV2", MapAngle},
    {"aclnnSinc", MapSinc},
    {"aclnnInplaceSinc", MapSinc},
    {"aclnnSignbit", MapSignbit},
    {"aclnnGcd", MapGcd},
    {"aclnnLogSpace", MapLogSpace},
    {"aclnnReduceNansum", MapNansum},
    {"aclnnAddr", [](Call& call) { MapAddr(call, "self"); }},
    {"aclnnInplaceAddr", [](Call& call) { MapAddr(call, "selfRef"); }},
});

}  // namespace
}  // namespace foothold::aclnn
