// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Losses and their gradients: of labels, of truths, of distributions.
#include "aclnn/mapping.h"
#include "aclnn/maps/formula.h"
#include "aclnn/maps/reduction.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

// Labels of classes are int32 or int64.
Value Labels(Call& call, const char* name) {
  const Value labels = call.In(name);
  const DataType type = TypeOf(labels).type;
  if (type == DataType::kInt32 || type == DataType::kInt64) return labels;
  if (!IsInteger(type))
    call.Refuse("'{}' is {}; whole numbers are expected", name, ToString(call.View(name)));
  return call.To(labels, DataType::kInt64);
}

Value Weights(Call& call, Value self) {
  return call.Has("weight") ? call.To(call.In("weight"), TypeOf(self).type) : Value();
}

// A vector is the scores of one label, which may be a tensor of one element.
void CheckLabels(Call& call, Value self, Value target) {
  Dims expected = DimsOf(self);
  if (expected.empty())
    call.Refuse("'self' is {}; scores of classes are expected", ToString(call.View("self")));
  expected.erase(expected.begin() + (expected.size() > 1 ? 1 : 0));
  if (ElementCount(DimsOf(target)) != ElementCount(expected))
    call.Refuse("'target' is {}; labels of {} are expected", ToString(call.View("target")),
                foothold::ToString(expected));
}

void MapNll(Call& call) {
  const Value self = call.In("self"), target = Labels(call, "target");
  CheckLabels(call, self, target);
  Op loss = call.Op("NLLLoss", {self, target, Weights(call, self)});
  const std::string reduction = ReductionOf(call);
  loss.Set("reduction", reduction).Set("ignore_index", call.GetInt("ignoreIndex"));
  call.OutElements("out", loss.Out(0));
  const bool each = reduction == "none" && DimsOf(self).size() > 1;
  call.OutElements("totalWeightOut", each ? call.Number(TypeOf(self).type, 0.0) : loss.Out(1));
}

void MapNllBackward(Call& call) {
  const Value self = call.In("self"), target = Labels(call, "target");
  CheckLabels(call, self, target);
  const DataType type = TypeOf(self).type;
  Op gradient = call.Op("NLLLossGrad", {self, call.To(call.In("gradOutput"), type), target});
  gradient.In("weight", Weights(call, self)).In("total_weight", call.To(call.In("totalWeight"), type));
  gradient.Set("reduction", ReductionOf(call)).Set("ignore_index", call.GetInt("ignoreIndex"));
  call.Out("out", gradient);
}

// With truths t and weights p of what is true: -(p t log(s(x)) + (1 - t) log(1 - s(x))).
void MapEntropyOfLogits(Call& call) {
  const Formula f(call);
  const Term x = f.In("self"), t = f.In("target");
  const Term misses = (1 - t) * x, share = Softplus(-x);
  Term loss = call.Has("posWeightOptional") ? misses + ((f.In("posWeightOptional") - 1) * t + 1) * share
                                            : misses + share;
  if (call.Has("weightOptional")) loss = loss * f.In("weightOptional");
  OutReduced(call, "out", loss);
}

void MapEntropyOfLogitsBackward(Call& call) {
  const Formula f(call);
  const Term t = f.In("target"), s = Sigmoid(f.In("self"));
  const auto slope = [&]() -> Term {
    if (!call.Has("posWeightOptional")) return s - t;
    const Term hit = f.In("posWeightOptional") * t;
    return (hit + 1 - t) * s - hit;
  };
  Term gradient = slope() * f.In("gradOutput");
  if (call.Has("weightOptional")) gradient = gradient * f.In("weightOptional");
  call.Out("out", gradient / SharesOf(call, gradient.dims()));
}

void MapDivergence(Call& call) {
  const Formula f(call);
  const Term x = f.In("self"), t = f.In("target");
  OutReduced(call, "out", call.GetFlag("logTarget") ? Exp(t) * (t - x) : Apply("Xlogy", t, t) - t * x);
}

void MapDivergenceBackward(Call& call) {
  const Formula f(call);
  const Term t = f.In("target");
  const Term slope = -(call.GetFlag("logTarget") ? Exp(t) : t) * f.In("gradOutput");
  const Term gradient{call, call.BroadcastTo(slope, call.DimsOfArgument("out"))};
  call.Out("out", gradient / SharesOf(call, gradient.dims()));
}

// Where the target is 0, so is the gradient.
void MapDivergenceTargetBackward(Call& call) {
  const Formula f(call);
  const Term x = f.In("self"), t = f.In("target"), arriving = f.In("gradOutput");
  const Term gradient = call.GetFlag("logTarget") ? arriving * Exp(t) * (t + 1 - x)
                                                  : Select(t > 0, arriving * (Log(t) + 1 - x), 0);
  call.Out("gradTarget", gradient / SharesOf(call, gradient.dims()));
}

void MapSoftMargin(Call& call) {
  const Formula f(call);
  OutReduced(call, "out", Softplus(-(f.In("self") * f.In("target"))));
}

void MapSoftMarginBackward(Call& call) {
  const Formula f(call);
  const Term t = f.In("target");
  const Term gradient = -t * Sigmoid(-(f.In("self") * t)) * f.In("gradOutput");
  call.Out("out", gradient / SharesOf(call, gradient.dims()));
}

void MapMultilabelMargin(Call& call) {
  const Value self = call.In("self");
  Op loss = call.OwnOp("AclnnMultilabelMargin", {{"x", self}, {"target", Labels(call, "target")}},
                       {"loss", "is_target"});
  loss.Set("reduction", ReductionOf(call));
  call.OutElements("out", loss.Out(0));
  call.OutElements("isTarget", loss.Out(1));
}

const RegisterMapping loss_maps({
    {"aclnnNLLLoss", MapNll},
    {"aclnnNLLLoss2d", MapNll},
    {"aclnnNLLLossBackward", MapNllBackward},
    {"aclnnNLLLoss2dBackward", MapNllBackward},
    {"aclnnBinaryCrossEntropyWithLogits", MapEntropyOfLogits},
    {"aclnnBinaryCrossEntropyWithLogitsBackward", MapEntropyOfLogitsBackward},
    {"aclnnKlDiv", MapDivergence},
    {"aclnnKlDivBackward", MapDivergenceBackward},
    {"aclnnKlDivTargetBackward", MapDivergenceTargetBackward},
    {"aclnnSoftMarginLoss", MapSoftMargin},
    {"aclnnSoftMarginLossBackward", MapSoftMarginBackward},
    {"aclnnMultilabelMarginLoss", MapMultilabelMargin},
});

}  // namespace
}  // namespace foothold::aclnn
