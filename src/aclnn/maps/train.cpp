// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Losses, and steps of training. Computed in float.
#include <algorithm>
#include <cmath>

#include "aclnn/mapping.h"
#include "aclnn/maps/reduction.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

Value InFloat(Call& call, std::string_view name) {
  return call.Has(name) ? call.To(call.In(name), DataType::kFloat) : Value();
}

void MapBinaryCrossEntropy(Call& call) {
  call.OutElements("out", call.Op("BinaryCrossEntropy")
                              .In("x", InFloat(call, "self"))
                              .In("y", InFloat(call, "target"))
                              .In("weight", InFloat(call, "weight"))
                              .Set("reduction", ReductionOf(call)));
}

void MapBinaryCrossEntropyBackward(Call& call) {
  call.Out("out", call.Op("BinaryCrossEntropyGrad")
                      .In("x", InFloat(call, "self"))
                      .In("y", InFloat(call, "target"))
                      .In("grad_output", InFloat(call, "gradOutput"))
                      .In("weight", InFloat(call, "weightOptional"))
                      .Set("reduction", ReductionOf(call)));
}

Value Difference(Call& call) {
  return call.Op("Sub", {InFloat(call, "self"), InFloat(call, "target")});
}

void MapL1Loss(Call& call) {
  OutReduced(call, "out", call.Op("Abs", {Difference(call)}));
}

void MapMseLoss(Call& call) {
  OutReduced(call, "out", call.Op("Square", {Difference(call)}));
}

// Of a mean, every element has its share.
void OutGradient(Call& call, std::string_view out, Value slope, double factor,
                 std::string_view given = "gradOutput") {
  factor /= SharesOf(call, DimsOf(slope));
  const Value gradient = call.Op("Mul", {slope, InFloat(call, given)});
  call.Out(out, call.Op("Mul", {gradient, call.Number(DataType::kFloat, factor)}));
}

void MapL1LossBackward(Call& call) {
  OutGradient(call, "gradInput", call.Op("Sign", {Difference(call)}), 1);
}

void MapMseLossBackward(Call& call) {
  OutGradient(call, "out", Difference(call), 2);
}

// From -1 to 1: a parabola between -beta and beta, straight lines outside.
Value SmoothSlope(Call& call, Value difference) {
  const double beta = call.GetReal("beta");
  if (!(beta >= 0)) call.Refuse("'beta' is {}, which is negative", beta);
  if (beta == 0) return call.Op("Sign", {difference});
  const Value slope = call.Op("Mul", {difference, call.Number(DataType::kFloat, 1 / beta)});
  const Value least = call.Op("Maximum", {slope, call.Number(DataType::kFloat, -1.0)});
  return call.Op("Minimum", {least, call.Number(DataType::kFloat, 1.0)});
}

void MapSmoothL1Loss(Call& call) {
  const Value difference = Difference(call), slope = SmoothSlope(call, difference);
  const Value half = call.Number(DataType::kFloat, call.GetReal("beta") / 2);
  const Value rounded = call.Op("Mul", {call.Op("Square", {slope}), half});
  OutReduced(call, "result", call.Op("Sub", {call.Op("Mul", {difference, slope}), rounded}));
}

void MapSmoothL1LossBackward(Call& call) {
  OutGradient(call, "gradInput", SmoothSlope(call, Difference(call)), 1, "gradOut");
}

Value LateFloat(Call& call, const LateNumber& number) {
  return call.LateValue(DataType::kFloat, number);
}

Number LogarithmOf(const Number& number, const Number&) {
  return {DataType::kFloat, 0, {std::log(static_cast<double>(static_cast<float>(number.real()))), 0}};
}

// What weight decay leaves.
Number KeptOf(const Number& lr, const Number& decay) {
  const float share = static_cast<float>(lr.real()) * static_cast<float>(decay.real());
  return {DataType::kFloat, 0, {static_cast<double>(1 - share), 0}};
}

// 'step' is how many came before this one.
void MapApplyAdamW(Call& call) {
  const bool amsgrad = call.GetFlag("amsgrad");
  if (amsgrad && !call.Has("maxGradNormOptionalRef"))
    call.Refuse("'maxGradNormOptionalRef' is null; with 'amsgrad' it is used");
  const Dims dims = call.DimsOfArgument("varRef");
  for (const char* name : {"mRef", "vRef", "grad"})
    if (call.DimsOfArgument(name) != dims)
      call.Refuse("'{}' is {}; {} is expected as 'varRef' has", name, ToString(call.View(name)),
                  foothold::ToString(dims));
  if (ElementCount(call.DimsOfArgument("step")) != 1)
    call.Refuse("'step' is {}; one element is expected", ToString(call.View("step")));
  const Value step = call.Op("Adds", {call.Reshape(InFloat(call, "step"), {1})}).Set("value", 1.0f);
  const auto number = [&](const char* name) { return LateFloat(call, call.Late(name)); };
  const auto logarithm = [&](const char* name) {
    return LateFloat(call, call.Late(LogarithmOf, call.Late(name)));
  };
  const Value kept = LateFloat(call, call.Late(KeptOf, call.Late("lr"), call.Late("weightDecay")));
  const Value var = InFloat(call, "varRef"), m = InFloat(call, "mRef"), v = InFloat(call, "vRef"),
              grad = InFloat(call, "grad");
  const std::initializer_list<std::pair<const char*, Value>> inputs = {{"var", var},
                                                                       {"m", m},
                                                                       {"v", v},
                                                                       {"grad", grad},
                                                                       {"step", step},
                                                                       {"lr", number("lr")},
                                                                       {"kept", kept},
                                                                       {"beta1", number("beta1")},
                                                                       {"beta2", number("beta2")},
                                                                       {"log_beta1", logarithm("beta1")},
                                                                       {"log_beta2", logarithm("beta2")},
                                                                       {"epsilon", number("eps")}};
  Op adam = amsgrad ? call.OwnOp("AclnnApplyAdamW", inputs, {"new_var", "new_m", "new_v", "most"})
                    : call.OwnOp("AclnnApplyAdamW", inputs, {"new_var", "new_m", "new_v"});
  if (amsgrad) adam.In("max_grad_norm", InFloat(call, "maxGradNormOptionalRef"));
  adam.Set("amsgrad", amsgrad).Set("maximize", call.GetFlag("maximize"));
  call.Out("varRef", adam.Out(0));
  call.Out("mRef", adam.Out(1));
  call.Out("vRef", adam.Out(2));
  if (amsgrad) call.Out("maxGradNormOptionalRef", adam.Out(3));
}

const RegisterMapping train_maps({
    {"aclnnBinaryCrossEntropy", MapBinaryCrossEntropy},
    {"aclnnBinaryCrossEntropyBackward", MapBinaryCrossEntropyBackward},
    {"aclnnL1Loss", MapL1Loss},
    {"aclnnL1LossBackward", MapL1LossBackward},
    {"aclnnMseLoss", MapMseLoss},
    {"aclnnMseLossBackward", MapMseLossBackward},
    {"aclnnSmoothL1Loss", MapSmoothL1Loss},
    {"aclnnSmoothL1LossBackward", MapSmoothL1LossBackward},
    {"aclnnApplyAdamWV2", MapApplyAdamW},
});

}  // namespace
}  // namespace foothold::aclnn
