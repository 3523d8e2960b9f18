// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Activations of one input.
#include <cmath>

#include "ops/elementwise/element_op.h"

namespace foothold {
namespace {

double Softplus(double a) {
  return (a > 0 ? a : 0) + std::log1p(std::exp(-std::abs(a)));
}
double Sigmoid(double a) {
  return 1 / (1 + std::exp(-a));
}
double Mish(double a) {
  return a * std::tanh(Softplus(a));
}
double HardSwish(double a) {
  return a * std::min(std::max(a + 3, 0.0), 6.0) / 6;
}
double LogSigmoid(double a) {
  return -Softplus(-a);
}
double Softsign(double a) {
  return a / (1 + std::abs(a));
}
double Gelu(double a) {
  return a * Sigmoid(2 * 0.7978845608028654 * (a + 0.044715 * a * a * a));
}

template <double (*function)(double)>
struct Real {
  static double Of(double a) { return function(a); }
};
struct ReluOf {
  template <Number T>
  static T Of(T a) {
    return a < 0 ? T{0} : a;
  }
};
struct Relu6Of {
  template <Number T>
  static T Of(T a) {
    return a < 0 ? T{0} : a > 6 ? T{6} : a;
  }
};
struct LeakyReluOf {
  static double Of(const float* p, double a) { return a > 0 ? a : a * static_cast<double>(p[0]); }
};
struct EluOf {
  static double Of(const float* p, double a) {
    return a > 0 ? a * static_cast<double>(p[0])
                 : static_cast<double>(p[1]) * std::expm1(a * static_cast<double>(p[2]));
  }
};
struct SwishOf {
  static double Of(const float* p, double a) { return a * Sigmoid(a * static_cast<double>(p[0])); }
};
struct HardSigmoidOf {
  static double Of(const float* p, double a) {
    return std::min(std::max(a * static_cast<double>(p[0]) + static_cast<double>(p[1]), 0.0), 1.0);
  }
};
struct SoftplusV2Of {
  static double Of(const float* p, double a) {
    const double beta = static_cast<double>(p[0]);
    return a * beta > static_cast<double>(p[1]) ? a : Softplus(a * beta) / beta;
  }
};
struct ThresholdedReluOf {
  static double Of(const float* p, double a) { return a <= static_cast<double>(p[0]) ? 0 : a; }
};

std::vector<float> NegativeSlope(const OpContext& context) {
  return {context.node().Float("negative_slope", 0)};
}
std::vector<float> EluParams(const OpContext& context) {
  const float scale = context.node().Float("scale", 1);
  return {scale, scale * context.node().Float("alpha", 1), context.node().Float("input_scale", 1)};
}
std::vector<float> SeluParams(const OpContext&) {
  constexpr double kAlpha = 1.6732632423543772, kScale = 1.0507009873554805;
  return {static_cast<float>(kScale), static_cast<float>(kScale * kAlpha), 1.0f};
}
std::vector<float> CeluParams(const OpContext& context) {
  const float divisor = context.node().Float("alpha2", 1);
  if (divisor == 0) context.Refuse("attribute 'alpha2' is 0, and the input is divided by it");
  return {context.node().Float("alpha3", 1), context.node().Float("alpha1", 1), 1 / divisor};
}
std::vector<float> CeluV2Params(const OpContext& context) {
  const float alpha = context.node().Float("alpha", 1);
  if (alpha == 0) context.Refuse("attribute 'alpha' is 0, and the input is divided by it");
  return {1, alpha, 1 / alpha};
}
std::vector<float> SwishScale(const OpContext& context) {
  return {context.node().Float("scale", 1)};
}
std::vector<float> FastGeluScale(const OpContext&) {
  return {1.702f};
}
std::vector<float> HardSigmoidParams(const OpContext& context) {
  return {context.node().Float("alpha", 0.16666666f), context.node().Float("beta", 0.5f)};
}
std::vector<float> Alpha(const OpContext& context) {
  return {context.node().Float("alpha", 1)};
}
std::vector<float> Threshold(const OpContext& context) {
  return {context.node().Float("threshold", 0)};
}
std::vector<float> Shrink(const OpContext& context) {
  return {context.node().Float("lambd", 0.5f), context.node().Float("bias", 0)};
}
std::vector<float> HardShrink(const OpContext& context) {
  return {context.node().Float("lambd", 0.5f), 0};
}
std::vector<float> SoftShrink(const OpContext& context) {
  const float bound = context.node().Float("lambd", 0.5f);
  return {bound, bound};
}

std::vector<float> SoftplusParams(const OpContext& context) {
  const float beta = context.node().Float("beta", 1);
  if (beta == 0) context.Refuse("attribute 'beta' is 0, and the result is divided by it");
  return {beta, context.node().Float("threshold", 20)};
}

std::optional<ElementFormula> GeluV2(const OpContext& context) {
  const std::string approximate = context.node().Text("approximate", "none");
  if (approximate != "none" && approximate != "tanh")
    context.Refuse("attribute 'approximate' is '{}', expected 'none' or 'tanh'", approximate);
  return FunctionOfInputs(context, approximate == "none" ? "ErfGelu" : "Gelu");
}

const RegisterElementOps activation({
    {"Relu", "Relu", PlainLoopOf<ReluOf, 1>},
    {"Relu6", "Relu6", PlainLoopOf<Relu6Of, 1>},
    {"LeakyRelu", "LeakyRelu", PlainLoopOf<LeakyReluOf, 1>, NegativeSlope},
    {"Elu", "Elu", PlainLoopOf<EluOf, 1>, EluParams},
    {"Selu", "Elu", PlainLoopOf<EluOf, 1>, SeluParams},
    {"Celu", "Elu", PlainLoopOf<EluOf, 1>, CeluParams},
    {"CeluV2", "Elu", PlainLoopOf<EluOf, 1>, CeluV2Params},
    {"Sigmoid", "Sigmoid", PlainLoopOf<Real<Sigmoid>, 1>},
    {"LogSigmoid", "LogSigmoid", PlainLoopOf<Real<LogSigmoid>, 1>},
    {"Swish", "Swish", PlainLoopOf<SwishOf, 1>, SwishScale},
    {"FastGelu", "Swish", PlainLoopOf<SwishOf, 1>, FastGeluScale},
    {"Mish", "Mish", PlainLoopOf<Real<Mish>, 1>},
    {"HardSwish", "HardSwish", PlainLoopOf<Real<HardSwish>, 1>},
    {"HardSigmoid", "HardSigmoid", PlainLoopOf<HardSigmoidOf, 1>, HardSigmoidParams},
    {"Gelu", "Gelu", PlainLoopOf<Real<Gelu>, 1>},
    {"GeluV2", "", nullptr, nullptr, DataType::kUndefined, nullptr, GeluV2},
    {"BNLL", "Softplus", PlainLoopOf<Real<Softplus>, 1>},
    {"Softplus", "Softplus", PlainLoopOf<Real<Softplus>, 1>},
    {"SoftplusV2", "SoftplusTo", PlainLoopOf<SoftplusV2Of, 1>, SoftplusParams},
    {"Softsign", "Softsign", PlainLoopOf<Real<Softsign>, 1>},
    {"ThresholdedRelu", "ThresholdedRelu", PlainLoopOf<ThresholdedReluOf, 1>, Alpha},
    {"Threshold", "Threshold", nullptr, Threshold},
    {"Shrink", "Shrink", nullptr, Shrink},
    {"HardShrink", "Shrink", nullptr, HardShrink},
    {"SoftShrink", "Shrink", nullptr, SoftShrink},
});

}  // namespace
}  // namespace foothold
