// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Gradients of activations and simple functions: what arrives times the derivative.
#include <cmath>

#include "ops/elementwise/element_op.h"

namespace foothold {
namespace {

struct ReluGradOf {
  template <Number T>
  static T Of(T gradient, T x) {
    return x > 0 ? gradient : T{0};
  }
};
struct Relu6GradOf {
  template <Number T>
  static T Of(T gradient, T x) {
    return x > 0 && x < 6 ? gradient : T{0};
  }
};
struct ThresholdGradOf {
  template <Number T>
  static T Of(const float* p, T gradient, T x) {
    return static_cast<double>(x) > static_cast<double>(p[0]) ? gradient : T{0};
  }
};
struct SigmoidGradOf {
  static double Of(double y, double dy) { return dy * y * (1 - y); }
};
struct TanhGradOf {
  static double Of(double y, double dy) { return dy * (1 - y * y); }
};
struct SqrtGradOf {
  static double Of(double y, double dy) { return dy * 0.5 / y; }
};
struct RsqrtGradOf {
  static double Of(double y, double dy) { return -0.5 * dy * y * y * y; }
};
struct ReciprocalGradOf {
  static double Of(double y, double dy) { return -dy * y * y; }
};

std::vector<float> NegativeSlope(const OpContext& context) {
  return {context.node().Float("negative_slope", 0)};
}

std::vector<float> One(const OpContext&) {
  return {1};
}
std::vector<float> Threshold(const OpContext& context) {
  if (context.node().FindAttribute("threshold") == nullptr)
    context.Refuse("attribute 'threshold' is not set");
  return {context.node().Float("threshold", 0)};
}

std::optional<ElementFormula> EluGradV2(const OpContext& context) {
  const Node& node = context.node();
  const float scale = node.Float("scale", 1);
  return FunctionOfInputs(context, node.Bool("is_result", false) ? "EluValueGrad" : "EluArgumentGrad",
                          {scale, scale * node.Float("alpha", 1), node.Float("input_scale", 1)});
}

// The third input is the value of the function, which the derivative does not need.
std::optional<ElementFormula> OfFirstTwo(const OpContext& context, const char* function,
                                         std::vector<float> params) {
  if (context.inputs() < 2) context.Refuse("there are {} inputs, expected 3", context.inputs());
  if (!IsFloatType(context.In(0).type) || !IsFloatType(context.In(1).type)) return std::nullopt;
  return ElementFormula{context.Out(0).dims,
                        {{0, context.InDims(0)}, {1, context.InDims(1)}},
                        {{function, {0, 1}, std::move(params)}},
                        {{2, 0}}};
}

std::optional<ElementFormula> GeluGrad(const OpContext& context) {
  return OfFirstTwo(context, "GeluGrad", {});
}
std::optional<ElementFormula> SwishGrad(const OpContext& context) {
  return OfFirstTwo(context, "SwishGrad", {context.node().Float("scale", 1)});
}

const RegisterElementOps gradient({
    {"ReluGrad", "ReluGrad", PlainLoopOf<ReluGradOf, 2>},
    {"Relu6Grad", "Relu6Grad", PlainLoopOf<Relu6GradOf, 2>},
    {"LeakyReluGrad", "LeakyReluGrad", nullptr, NegativeSlope},
    {"EluGrad", "EluGrad"},
    {"EluGradV2", "", nullptr, nullptr, DataType::kUndefined, nullptr, EluGradV2},
    {"SiluGrad", "SwishGrad", nullptr, One},
    {"HardSwishGrad", "HardSwishGrad"},
    {"ThresholdGradV2D", "ThresholdGrad", PlainLoopOf<ThresholdGradOf, 2>, Threshold},
    {"SoftplusGrad", "SoftplusGrad"},
    {"SigmoidGrad", "SigmoidGrad", PlainLoopOf<SigmoidGradOf, 2>},
    {"TanhGrad", "TanhGrad", PlainLoopOf<TanhGradOf, 2>},
    {"SqrtGrad", "SqrtGrad", PlainLoopOf<SqrtGradOf, 2>},
    {"RsqrtGrad", "RsqrtGrad", PlainLoopOf<RsqrtGradOf, 2>},
    {"ReciprocalGrad", "ReciprocalGrad", PlainLoopOf<ReciprocalGradOf, 2>},
    {"GeluGrad", "", nullptr, nullptr, DataType::kUndefined, nullptr, GeluGrad},
    {"SwishGrad", "", nullptr, nullptr, DataType::kUndefined, nullptr, SwishGrad},
});

}  // namespace
}  // namespace foothold
