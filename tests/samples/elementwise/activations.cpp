// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Activations of networks and their gradients.
#include <cmath>

#include "samples/table.h"

namespace samples {
namespace {

constexpr double kRootOfTwo = 1.4142135623730951, kRootOfTwoOverPi = 0.7978845608028654;

double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double Normal(double x) {
  return 0.5 * std::erfc(-x / kRootOfTwo);
}
double Gelu(double x) {
  return x * 0.5 * (1 + std::tanh(kRootOfTwoOverPi * (x + 0.044715 * x * x * x)));
}
double Mish(double x) {
  return x * std::tanh(std::log1p(std::exp(x)));
}
double Swish(double x) {
  return x * Sigmoid(x);
}
double HardSigmoid(double x) {
  return std::min(std::max(x / 6 + 0.5, 0.0), 1.0);
}
double LogSigmoid(double x) {
  return std::min(x, 0.0) - std::log1p(std::exp(-std::fabs(x)));
}

constexpr const char* kProducts = "what is no number or without bounds comes from products that cancel";

const Table activations({
    Operator("Relu").Calls(NN(Relu)).InPlace(NN(InplaceRelu)).Each([](double x) {
      return std::isnan(x) ? x : std::max(x, 0.0);
    }),
    Operator("Sigmoid").Calls(NN(Sigmoid)).InPlace(NN(InplaceSigmoid)).Each(Sigmoid),
    Operator("LogSigmoid")
        .Calls(NN(LogSigmoid))
        .Range(-4, 4)
        .Without(Part::kSpecial, kProducts)
        .Each(LogSigmoid),
    Operator("Swish")
        .Calls(NN(Silu))
        .Calls(NN(Swish), {X(0), 1.0, Y(0)})
        .Range(-4, 4)
        .Without(Part::kSpecial, kProducts)
        .Each(Swish),
    Functions("SwishOfTwice")
        .Types(FloatTypes())
        .Calls(NN(Swish), {X(0), 2.0, Y(0)})
        .Without(Part::kSpecial, kProducts)
        .Each([](double x) { return x * Sigmoid(2 * x); }),
    Operator("Gelu").Calls(NN(Gelu)).Range(-4, 4).Without(Part::kSpecial, kProducts).Each(Gelu),
    Operator("GeluV2")
        .Calls(NN(GeluV2), {X(0), 0, Y(0)})
        .Range(-4, 4)
        .Without(Part::kSpecial, kProducts)
        .Each([](double x) { return x * Normal(x); }),
    Functions("GeluV2ByTanh")
        .Types(FloatTypes())
        .Calls(NN(GeluV2), {X(0), 1, Y(0)})
        .Range(-4, 4)
        .Without(Part::kSpecial, kProducts)
        .Each(Gelu),
    Operator("FastGelu")
        .Types(FloatTypes())
        .Calls(NN(FastGelu))
        .Range(-4, 4)
        .Without(Part::kSpecial, kProducts)
        .Each([](double x) { return x * Sigmoid(1.702 * x); }),
    Operator("Mish")
        .Calls(NN(Mish))
        .InPlace(NN(InplaceMish))
        .Range(-4, 4)
        .Without(Part::kSpecial, kProducts)
        .Each(Mish),
    Operator("HardSigmoid")
        .Types(FloatTypes())
        .Calls(NN(Hardsigmoid))
        .InPlace(NN(InplaceHardsigmoid))
        .Range(-4, 4)
        .Without(Part::kSpecial, kProducts)
        .Each(HardSigmoid),
    Operator("HardSwish")
        .Calls(NN(Hardswish))
        .InPlace(NN(InplaceHardswish))
        .Range(-4, 4)
        .Without(Part::kSpecial, kProducts)
        .Each([](double x) { return x * HardSigmoid(x); }),
});

const Table with_numbers({
    Operator("LeakyRelu")
        .Calls(NN(LeakyRelu))
        .InPlace(NN(InplaceLeakyRelu))
        .With("negative_slope", 0.25)
        .Each([](double x) { return x > 0 ? x : 0.25 * x; }),
    Operator("Elu")
        .Calls(NN(Elu))
        .InPlace(NN(InplaceElu))
        .With("alpha", 1.5)
        .With("scale", 2.0)
        .With("input_scale", 0.5)
        .Each([](double x) { return x > 0 ? 2 * x : 3 * std::expm1(0.5 * x); }),
    Operator("CeluV2").Calls(NN(Celu)).InPlace(NN(InplaceCelu)).With("alpha", 2.0).Each([](double x) {
      return x > 0 ? x : 2 * std::expm1(x / 2);
    }),
    Operator("SoftplusV2")
        .Calls(NN(Softplus))
        .Range(-4, 4)
        .With("beta", 2.0)
        .With("threshold", 5.0)
        .Each([](double x) { return 2 * x > 5 ? x : std::log1p(std::exp(2 * x)) / 2; }),
    Operator("HardShrink").Calls(NN(Hardshrink)).With("lambd", 0.75).Each([](double x) {
      return x >= -0.75 && x <= 0.75 ? 0.0 : x;
    }),
    Operator("SoftShrink").Calls(NN(Softshrink)).With("lambd", 0.75).Each([](double x) {
      return x > 0.75 ? x - 0.75 : x < -0.75 ? x + 0.75 : std::isnan(x) ? x : 0.0;
    }),
    Operator("NanToNum")
        .Types(FloatTypes())
        .Calls(NN(NanToNum))
        .InPlace(NN(InplaceNanToNum))
        .With("nan", 0.5)
        .With("posinf", 3.0)
        .With("neginf", -2.5)
        .Each([](double x) { return std::isnan(x)   ? 0.5
                                    : std::isinf(x) ? (x > 0 ? 3.0 : -2.5)
                                                    : x; }),
    Functions("RoundDecimals")
        .Types({ACL_FLOAT, ACL_DOUBLE})
        .Without(Part::kHalf, "what is rounded again is not what was rounded to decimals")
        .Calls(NN(RoundDecimals), {X(0), 1, Y(0)})
        .InPlace(NN(InplaceRoundDecimals), {X(0), 1})
        .Each([](double x) { return std::isfinite(x) ? std::nearbyint(x * 10) / 10 : x; }),
    Functions("LogSigmoidForward")
        .Types(FloatTypes())
        .Calls(NN(LogSigmoidForward), {X(0), Y(0), Y(1)})
        .Range(-4, 4)
        .Without(Part::kSpecial, kProducts)
        .Form({{2, 3, 4}})
        .Form({{0, 3}})
        .Form({{}})
        .Are([](const Given& in) {
          return std::vector<Block>{ElementByElement(in, [](const double* x) { return LogSigmoid(*x); }),
                                    {{0}, {}}};
        }),
    Functions("Prelu")
        .Types(FloatTypes())
        .Calls(NN(Prelu))
        .Form({{2, 3, 4}, {1, 3, 1}})
        .Form({{2, 3}, {1, 1}})
        .Form({{0, 3}, {1, 3}})
        .Is([](const Given& in) {
          return ElementByElement(in, [](const double* x) { return x[0] > 0 ? x[0] : x[1] * x[0]; });
        }),
});

// Of what arrives and the input of the function, or of its result.
const Table gradients({
    Operator("SiluGrad")
        .Calls(NN(SiluBackward))
        .Without(Part::kSpecial, kProducts)
        .Form({{2, 3, 4}, {2, 3, 4}})
        .Form({{0, 3}, {0, 3}})
        .Form({{}, {}})
        .Is([](const Given& in) {
          return ElementByElement(in, [](const double* x) {
            const double s = Sigmoid(x[1]);
            return x[0] * s * (1 + x[1] * (1 - s));
          });
        }),
    Operator("HardSwishGrad")
        .Calls(NN(HardswishBackward))
        .Range(1, -4, 4)
        .Without(Part::kSpecial, kProducts)
        .Form({{2, 3, 4}, {2, 3, 4}})
        .Form({{0, 3}, {0, 3}})
        .Form({{}, {}})
        .Is([](const Given& in) {
          return ElementByElement(in, [](const double* x) {
            return x[1] <= -3 ? 0 : x[1] < 3 ? x[0] * (x[1] / 3 + 0.5) : x[0];
          });
        }),
    Operator("SigmoidGrad")
        .Calls(NN(SigmoidBackward), {X(1), X(0), Y(0)})
        .Without(Part::kSpecial, kProducts)
        .Form({{2, 3, 4}, {2, 3, 4}})
        .Form({{0, 3}, {0, 3}})
        .Form({{}, {}})
        .Is([](const Given& in) {
          return ElementByElement(in, [](const double* x) { return x[1] * x[0] * (1 - x[0]); });
        }),
    Operator("TanhGrad")
        .Calls(NN(TanhBackward), {X(1), X(0), Y(0)})
        .Without(Part::kSpecial, kProducts)
        .Form({{2, 3, 4}, {2, 3, 4}})
        .Form({{0, 3}, {0, 3}})
        .Form({{}, {}})
        .Is([](const Given& in) {
          return ElementByElement(in, [](const double* x) { return x[1] * (1 - x[0] * x[0]); });
        }),
    Operator("ThresholdGradV2D")
        .Types(FloatTypes())
        .Calls(NN(ThresholdBackward))
        .Without(Part::kSpecial, kProducts)
        .With("threshold", 0.5)
        .Form({{2, 3, 4}, {2, 3, 4}})
        .Form({{0, 3}, {0, 3}})
        .Form({{}, {}})
        .Is([](const Given& in) {
          return ElementByElement(in, [](const double* x) { return x[1] > 0.5 ? x[0] : 0; });
        }),
    Operator("LeakyReluGrad")
        .Calls(NN(LeakyReluBackward), {X(0), X(1), V("negative_slope"), false, Y(0)})
        .Without(Part::kSpecial, kProducts)
        .With("negative_slope", 0.25)
        .Form({{2, 3, 4}, {2, 3, 4}})
        .Form({{0, 3}, {0, 3}})
        .Form({{}, {}})
        .Is([](const Given& in) {
          return ElementByElement(in, [](const double* x) { return x[1] > 0 ? x[0] : 0.25 * x[0]; });
        }),
    Operator("EluGradV2")
        .Calls(NN(EluBackward), {X(0), V("alpha"), V("scale"), V("input_scale"), V("is_result"), X(1), Y(0)})
        .Without(Part::kSpecial, kProducts)
        .With("alpha", 1.5)
        .With("scale", 2.0)
        .With("input_scale", 0.5)
        .Form({{2, 3, 4}, {2, 3, 4}}, {{"is_result", false}})
        .Form({{0, 3}, {0, 3}}, {{"is_result", false}})
        .Form({{5}, {5}}, {{"is_result", true}})
        .Is([](const Given& in) {
          const bool is_result = in.Flag("is_result");
          return ElementByElement(in, [=](const double* x) {
            if (x[1] > 0) return 2 * x[0];
            return x[0] * 0.5 * (is_result ? x[1] + 3 : 3 * std::exp(0.5 * x[1]));
          });
        }),
});

}  // namespace
}  // namespace samples
