// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Gradients of activations, and activations of which no operator of graphs is one.
#include <algorithm>
#include <limits>

#include "aclnn/maps/element.h"
#include "aclnn/maps/formula.h"
#include "aclnn/maps/slopes.h"

namespace foothold::aclnn {
namespace {

constexpr double kSeluScale = 1.0507009873554805, kSeluAlpha = 1.6732632423543772;

struct Gradient {
  explicit Gradient(Call& call) : f(call), g(f.In("gradOutput")), x(f.In("self")) {}
  Formula f;
  Term g, x;
};

double NumberOf(Call& call, const char* name) {
  return call.GetNumber(name).real();
}

void MapHardsigmoid(Call& call) {
  const Gradient d(call);
  Result(call, Select(And(d.x > -3, d.x < 3), d.g / 6, 0));
}

void MapHardswish(Call& call) {
  const Gradient d(call);
  Result(call, Select(d.x <= -3, 0, Select(d.x < 3, d.g * (d.x / 3 + 0.5), d.g)));
}

void MapShrink(Call& call, const char* bound) {
  const Gradient d(call);
  const double lambda = NumberOf(call, bound);
  Result(call, Select(And(d.x >= -lambda, d.x <= lambda), 0, d.g));
}

void MapMish(Call& call) {
  const Gradient d(call);
  const Term w = Tanh(Softplus(d.x));
  Result(call, d.g * (w + d.x * Sigmoid(d.x) * (1 - w * w)));
}

void MapSoftplus(Call& call) {
  const Gradient d(call);
  const Term scaled = d.x * NumberOf(call, "beta");
  Result(call, Select(scaled > NumberOf(call, "threshold"), d.g, d.g * Sigmoid(scaled)));
}

// The buffer has no elements.
void MapLogSigmoidForward(Call& call) {
  const Formula f(call);
  call.Out("out", -Softplus(-f.In("self")));
}

void MapLogSigmoid(Call& call) {
  const Gradient d(call);
  call.Out("gradInput", d.g * Sigmoid(-d.x));
}

void MapGelu(Call& call) {
  const Gradient d(call);
  const std::string approximate = call.GetText("approximate");
  if (approximate != "none" && approximate != "tanh")
    call.Refuse("'approximate' is '{}'; none or tanh is expected", approximate);
  Result(call, d.g * GeluSlope(d.x, approximate == "tanh"));
}

void MapFastGelu(Call& call) {
  const Gradient d(call);
  const Term s = Sigmoid(d.x * 1.702);
  Result(call, d.g * (s + d.x * 1.702 * s * (1 - s)));
}

void MapSelu(Call& call) {
  Result(call, call.Op("Selu", {TensorsAs(call, Domain::kFloat)[0]}));
}

void MapSeluBackward(Call& call) {
  const Formula f(call);
  const Term g = f.In("gradOutput"), y = f.In("result");
  Result(call, Select(y > 0, g * kSeluScale, g * (y + kSeluScale * kSeluAlpha)));
}

void MapPrelu(Call& call) {
  const Formula f(call);
  const Term x = f.In("self");
  Result(call, Select(x > 0, x, f.In("weight") * x));
}

// The weights are those of the second dimension, or one for all.
void MapPreluBackward(Call& call) {
  const Gradient d(call);
  const Value given = d.f.In("weight");
  const Dims dims = d.x.dims();
  const std::size_t axis = dims.size() > 1 ? 1 : 0;
  Dims over(dims.size(), 1);
  std::vector<std::int64_t> others;
  const bool one = ElementCount(DimsOf(given)) == 1;
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (one || i != axis) others.push_back(static_cast<std::int64_t>(i));
  if (!one) {
    if (dims.empty() || ElementCount(DimsOf(given)) != dims[axis])
      call.Refuse("'weight' is {}; one number or one for each channel of {} is expected",
                  ToString(call.View("weight")), foothold::ToString(dims));
    over[axis] = dims[axis];
  }
  const Term weight{call, call.Reshape(given, over)};
  call.Out("gradInput", Select(d.x > 0, d.g, weight * d.g));
  const Term shares = Select(d.x > 0, 0, d.x * d.g);
  call.OutElements("gradWeight", others.empty() ? shares : Sum(shares, others));
}

// Numbers that are no probabilities have none.
void MapLogit(Call& call) {
  const Formula f(call);
  Term x = f.In("input");
  const double eps = call.GetReal("eps");
  if (eps >= 0) x = Apply("Minimum", Apply("Maximum", x, x.Like(eps)), x.Like(1 - eps));
  Result(call, Log(x / (1 - x)));
}

void MapLogitGrad(Call& call) {
  const Formula f(call);
  const Term x = f.In("x"), slope = f.In("dy") / Abs(x * (1 - x));
  const double eps = call.GetReal("eps"), least = std::max(eps, 0.0);
  const double outside = eps < 0 ? std::numeric_limits<double>::quiet_NaN() : 0;
  Result(call, Select(x < least, outside, Select(x > 1 - least, outside, slope)));
}

void MapHeaviside(Call& call) {
  const std::vector<Value> inputs = TensorsAs(call, Domain::kOwn);
  const Term x{call, inputs[0]}, at_zero{call, inputs[1]};
  const Term zero = x.Like(0);
  Result(call, Select(x > 0, 1, Select(Apply("Equal", x, zero), at_zero, zero)));
}

const RegisterMapping activation_gradient_maps({
    {"aclnnHardsigmoidBackward", MapHardsigmoid},
    {"aclnnHardswishBackwardV2", MapHardswish},
    {"aclnnHardshrinkBackward", [](Call& call) { MapShrink(call, "lambd"); }},
    {"aclnnSoftshrinkBackward", [](Call& call) { MapShrink(call, "lambda"); }},
    {"aclnnMishBackward", MapMish},
    {"aclnnSoftplusBackward", MapSoftplus},
    {"aclnnLogSigmoidForward", MapLogSigmoidForward},
    {"aclnnLogSigmoidBackward", MapLogSigmoid},
    {"aclnnGeluBackwardV2", MapGelu},
    {"aclnnFastGeluBackward", MapFastGelu},
    {"aclnnSelu", MapSelu},
    {"aclnnInplaceSelu", MapSelu},
    {"aclnnSeluBackward", MapSeluBackward},
    {"aclnnPrelu", MapPrelu},
    {"aclnnPreluBackward", MapPreluBackward},
    {"aclnnLogit", MapLogit},
    {"aclnnLogitGrad", MapLogitGrad},
    {"aclnnHeaviside", MapHeaviside},
});

}  // namespace
}  // namespace foothold::aclnn
