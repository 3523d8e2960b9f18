// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Gradients of activations: what arrives, and the argument.
#include <cmath>
#include <numbers>

#include "samples/table.h"

namespace samples {
namespace {

const std::vector<aclDataType> kFloating = FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE};

double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double Hardsigmoid(double g, double x) {
  return x > -3 && x < 3 ? g / 6 : 0;
}
double Hardswish(double g, double x) {
  return x <= -3 ? 0 : x < 3 ? g * (x / 3 + 0.5) : g;
}
double Shrink(double g, double x) {
  return x >= -0.5 && x <= 0.5 ? 0 : g;
}
double Mish(double g, double x) {
  const double w = std::tanh(std::log1p(std::exp(x)));
  return g * (w + x * Sigmoid(x) * (1 - w * w));
}
double Softplus(double g, double x) {
  return 2 * x > 3 ? g : g * Sigmoid(2 * x);
}
double GeluOf(double g, double x) {
  const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
  return g * (0.5 * std::erfc(-x / std::numbers::sqrt2) + x * density);
}
double TanhGelu(double g, double x) {
  const double k = std::sqrt(2 / std::numbers::pi), t = std::tanh(k * (x + 0.044715 * x * x * x));
  return g * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * k * (1 + 3 * 0.044715 * x * x));
}
double FastGelu(double g, double x) {
  const double s = Sigmoid(1.702 * x);
  return g * (s + 1.702 * x * s * (1 - s));
}
double LogitSlope(double x, double g) {
  return x < 0 || x > 1 ? std::nan("") : g / std::fabs(x * (1 - x));
}
double BoundLogitSlope(double x, double g) {
  return x < 0.125 || x > 0.875 ? 0 : g / std::fabs(x * (1 - x));
}
double BoundLogit(double x) {
  const double p = std::isnan(x) ? x : std::min(std::max(x, 0.125), 0.875);
  return std::log(p / (1 - p));
}

const Table gradients({
    Functions("HardsigmoidGradient")
        .Types(kFloating)
        .Calls(NN(HardsigmoidBackward))
        .Range(-5, 5)
        .Each(Hardsigmoid),
    Functions("HardswishGradient")
        .Types(kFloating)
        .Calls(NN(HardswishBackwardV2))
        .Range(-5, 5)
        .Within(2)
        .Each(Hardswish),
    Functions("ShrinkGradient")
        .Types(kFloating)
        .Calls(NN(HardshrinkBackward), {X(0), X(1), 0.5, Y(0)})
        .Calls(NN(SoftshrinkBackward), {X(0), X(1), 0.5, Y(0)})
        .Each(Shrink),
    Functions("MishGradient")
        .Types(kFloating)
        .Calls(NN(MishBackward))
        .Within(8)
        .Without(Part::kSpecial, "an infinity times nothing")
        .Each(Mish),
    Functions("SoftplusGradient")
        .Types(kFloating)
        .Calls(NN(SoftplusBackward), {X(0), X(1), 2, 3, Y(0)})
        .Within(4)
        .Each(Softplus),
    Functions("GeluGradient")
        .Types(kFloating)
        .Calls(NN(GeluBackwardV2), {X(0), X(1), "none", Y(0)})
        .Within(8)
        .Without(Part::kSpecial, "an infinity times nothing")
        .Each(GeluOf),
    Functions("TanhGeluGradient")
        .Types(kFloating)
        .Calls(NN(GeluBackwardV2), {X(0), X(1), "tanh", Y(0)})
        .Within(8)
        .Without(Part::kSpecial, "an infinity times nothing")
        .Each(TanhGelu),
    Functions("FastGeluGradient")
        .Types(kFloating)
        .Calls(NN(FastGeluBackward))
        .Within(8)
        .Without(Part::kSpecial, "an infinity times nothing")
        .Each(FastGelu),
    Functions("Logit")
        .Types(kFloating)
        .Calls(NN(Logit), {X(0), -1.0, Y(0)})
        .Range(0.1, 0.9)
        .Within(8)
        .Each([](double x) { return std::log(x / (1 - x)); }),
    Functions("BoundLogit")
        .Types(kFloating)
        .Calls(NN(Logit), {X(0), 0.125, Y(0)})
        .Range(-1, 2)
        .Within(8)
        .Each(BoundLogit),
    Functions("LogitGradient")
        .Types(kFloating)
        .Calls(NN(LogitGrad), {X(0), X(1), -1.0, Y(0)})
        .Range(0, -0.25, 1.25)
        .Within(16)
        .Each(LogitSlope),
    Functions("BoundLogitGradient")
        .Types(kFloating)
        .Calls(NN(LogitGrad), {X(0), X(1), 0.125, Y(0)})
        .Range(0, -0.25, 1.25)
        .Within(8)
        .Each(BoundLogitSlope),
    Functions("Prelu").Types(kFloating).Calls(NN(Prelu)).Each([](double x, double w) {
      return x > 0 ? x : w * x;
    }),
    Functions("Heaviside").Types(kFloating).Calls(NN(Heaviside)).Each([](double x, double at_zero) -> double {
      return x > 0 ? 1 : x == 0 ? at_zero : 0;
    }),
});

// The forward function has a second output that nobody may write; the backward one gets it again.
const Table logarithms({
    Functions("LogSigmoidForward")
        .Types(kFloating)
        .Calls(NN(LogSigmoidForward), {X(0), Y(0), X(1)})
        .Form({{3, 4, 5}, {0}})
        .Form({{}, {0}})
        .Form({{0, 3}, {0}})
        .Within(4)
        .Is([](const Given& in) {
          Block out = in[0];
          for (double& x : out.values)
            x = std::isnan(x) ? x : -(std::max(-x, 0.0) + std::log1p(std::exp(-std::fabs(x))));
          return out;
        }),
    Functions("LogSigmoidGradient")
        .Types(kFloating)
        .Calls(NN(LogSigmoidBackward), {X(0), X(1), X(2), Y(0)})
        .Form({{3, 4, 5}, {3, 4, 5}, {0}})
        .Form({{}, {}, {0}})
        .Form({{0, 3}, {0, 3}, {0}})
        .Within(4)
        .Is([](const Given& in) {
          Block out = in[0];
          for (std::size_t i = 0; i < out.values.size(); ++i)
            out.values[i] *= Sigmoid(-in[1].values[i]);
          return out;
        }),
});

// What arrives, the argument, a weight for each channel or one: gradients of both.
std::vector<Block> PreluGradients(const Given& in) {
  Block gradient = in[0], shares{in[2].dims, Values(in[2].values.size(), 0)};
  const Dims& dims = in[1].dims;
  const std::size_t axis = dims.size() > 1 ? 1 : 0;
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < dims.size(); ++i)
    inner *= static_cast<std::size_t>(dims[i]);
  for (std::size_t i = 0; i < gradient.values.size(); ++i) {
    const std::size_t channel = shares.values.size() == 1 ? 0 : i / inner % shares.values.size();
    const double x = in[1].values[i], g = in[0].values[i];
    gradient.values[i] = x > 0 ? g : in[2].values[channel] * g;
    shares.values[channel] += x > 0 ? 0 : x * g;
  }
  return {gradient, shares};
}

const Table prelu({
    Functions("PreluGradient")
        .Types(kFloating)
        .Calls(NN(PreluBackward), {X(0), X(1), X(2), Y(0), Y(1)})
        .Gives({kSame, kSame})
        .Form({{2, 3, 4}, {2, 3, 4}, {3}})
        .Form({{2, 3, 4, 5}, {2, 3, 4, 5}, {1}})
        .Form({{7}, {7}, {7}})
        .Form({{7}, {7}, {1}})
        .Form({{0, 3}, {0, 3}, {3}})
        .Within(8)
        .Without(Part::kSpecial, "sums of infinities of both signs")
        .Are(PreluGradients),
});

}  // namespace
}  // namespace samples
