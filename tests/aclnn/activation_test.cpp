// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Activations with parameters, their gradients, and gated units.
#include <algorithm>
#include <cmath>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_clipped_swiglu.h"
#include "aclnnop/aclnn_elu.h"
#include "aclnnop/aclnn_elu_backward.h"
#include "aclnnop/aclnn_erfinv.h"
#include "aclnnop/aclnn_fast_gelu.h"
#include "aclnnop/aclnn_geglu.h"
#include "aclnnop/aclnn_gelu.h"
#include "aclnnop/aclnn_gelu_backward.h"
#include "aclnnop/aclnn_gelu_v2.h"
#include "aclnnop/aclnn_hardswish_backward.h"
#include "aclnnop/aclnn_leaky_relu.h"
#include "aclnnop/aclnn_leaky_relu_backward.h"
#include "aclnnop/aclnn_sigmoid.h"
#include "aclnnop/aclnn_sigmoid_backward.h"
#include "aclnnop/aclnn_silu.h"
#include "aclnnop/aclnn_silu_backward.h"
#include "aclnnop/aclnn_softplus.h"
#include "aclnnop/aclnn_swi_glu.h"
#include "aclnnop/aclnn_tanh_backward.h"
#include "aclnnop/aclnn_threshold_backward.h"

namespace nn {
namespace {

double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double Swish(double x) {
  return x * Sigmoid(x);
}
double TanhGelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}
double ErfGelu(double x) {
  return 0.5 * x * (1 + std::erf(x / std::sqrt(2)));
}
double Elu(double x) {
  return x > 0 ? 2 * x : 2 * 1.5 * std::expm1(0.5 * x);
}
double Softplus(double x) {
  return 2 * x > 3 ? x : std::log1p(std::exp(2 * x)) / 2;
}

struct ActivationCase {
  const char* name;
  void (*run)(const Tensor& x, const Tensor& y);
  double (*expected)(double);
};
using T = const Tensor&;

const ActivationCase kCases[] = {
    {"LeakyRelu", [](T x, T y) { Run(NN(LeakyRelu), x, Scalar(0.1f), y); },
     [](double x) { return x > 0 ? x : 0.1 * x; }},
    {"Elu", [](T x, T y) { Run(NN(Elu), x, Scalar(1.5f), Scalar(2.0f), Scalar(0.5f), y); }, Elu},
    {"Softplus", [](T x, T y) { Run(NN(Softplus), x, Scalar(2.0f), Scalar(3.0f), y); }, Softplus},
    {"GeluV2 erf", [](T x, T y) { Run(NN(GeluV2), x, 0, y); }, ErfGelu},
    {"GeluV2 tanh", [](T x, T y) { Run(NN(GeluV2), x, 1, y); }, TanhGelu},
    {"FastGelu", [](T x, T y) { Run(NN(FastGelu), x, y); },
     [](double x) { return x * Sigmoid(1.702 * std::abs(x)) * std::exp(0.851 * (x - std::abs(x))); }},
};

TEST_F(Nn, ActivationsTakeTypesAndViews) {
  for (const ActivationCase& test : kCases)
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16})
      for (const Layout layout : {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed}) {
        SCOPED_TRACE(test.name);
        const Tensor x = In(type, {4, 6}, Spread(24, -4, 4), layout), y = Out(type, {4, 6}, layout);
        test.run(x, y);
        ExpectClose(y.Read(), Applied(x.Read(), test.expected), Tolerance(type));
      }
}

TEST_F(Nn, ActivationsHoldOverTheRangeOfTests) {
  const Tensor x = In(ACL_FLOAT, {1000}, Spread(1000, -150, 150)), y = Out(ACL_FLOAT, {1000});
  for (const ActivationCase& test : kCases) {
    test.run(x, y);
    EXPECT_LT(Nmse(y.Read(), Applied(x.Read(), test.expected)), 1e-10) << test.name;
  }
  ExpectRefused(161002, "'approximate' is 2", NN(GeluV2), x, 2, y);
}

// exp(88.5) is finite, but its power of two is not.
TEST_F(Nn, SigmoidsAreNumbersWhereExponentialsOverflow) {
  for (const double low : {-90.0, -54.0, -12.0}) {
    const Tensor x = In(ACL_FLOAT, {2000}, Spread(2000, low, low + 4)), y = Out(ACL_FLOAT, {2000});
    Run(NN(Sigmoid), x, y);
    ExpectClose(y.Read(), Applied(x.Read(), Sigmoid), 1e-6);
    Run(NN(Silu), x, y);
    ExpectClose(y.Read(), Applied(x.Read(), Swish), 1e-5);
    Run(NN(Gelu), x, y);
    ExpectClose(y.Read(), Applied(x.Read(), TanhGelu), 1e-5);
    Run(NN(FastGelu), x, y);
    ExpectClose(y.Read(), Applied(x.Read(), [](double v) { return v * Sigmoid(1.702 * v); }), 1e-5);
  }
}

TEST_F(Nn, ErfinvIsTheInverse) {
  const Tensor x = In(ACL_FLOAT, {20}, Spread(20, -0.95, 0.95)), y = Out(ACL_FLOAT, {20});
  Run(NN(Erfinv), x, y);
  ExpectClose(Applied(y.Read(), std::erf), x.Read(), 1e-6);
}

struct GradientCase {
  const char* name;
  void (*run)(const Tensor& gradient, const Tensor& x, const Tensor& out);
  double (*factor)(double);
};

double Slope(double (*function)(double), double x) {
  return (function(x + 1e-6) - function(x - 1e-6)) / 2e-6;
}
double HardSwish(double x) {
  return x * std::min(std::max(x + 3, 0.0), 6.0) / 6;
}

const GradientCase kGradients[] = {
    {"Sigmoid", [](T g, T y, T out) { Run(NN(SigmoidBackward), g, y, out); },
     [](double y) { return y * (1 - y); }},
    {"Tanh", [](T g, T y, T out) { Run(NN(TanhBackward), g, y, out); }, [](double y) { return 1 - y * y; }},
    {"Silu", [](T g, T x, T out) { Run(NN(SiluBackward), g, x, out); },
     [](double x) { return Slope(Swish, x); }},
    {"Gelu", [](T g, T x, T out) { Run(NN(GeluBackward), g, x, out); },
     [](double x) { return Slope(TanhGelu, x); }},
    {"Hardswish", [](T g, T x, T out) { Run(NN(HardswishBackward), g, x, out); },
     [](double x) { return Slope(HardSwish, x); }},
    {"Threshold", [](T g, T x, T out) { Run(NN(ThresholdBackward), g, x, Scalar(0.5f), out); },
     [](double x) { return x > 0.5 ? 1.0 : 0.0; }},
    {"LeakyRelu", [](T g, T x, T out) { Run(NN(LeakyReluBackward), g, x, Scalar(0.1f), false, out); },
     [](double x) { return x > 0 ? 1 : 0.1; }},
    {"Elu",
     [](T g, T x, T out) {
       Run(NN(EluBackward), g, Scalar(1.5f), Scalar(2.0f), Scalar(0.5f), false, x, out);
     },
     [](double x) { return Slope(Elu, x); }},
    {"Elu of results",
     [](T g, T y, T out) { Run(NN(EluBackward), g, Scalar(1.5f), Scalar(2.0f), Scalar(0.5f), true, y, out); },
     [](double y) { return y > 0 ? 2 : 0.5 * (y + 3); }},
};

TEST_F(Nn, GradientsAreWhatArrivesTimesTheSlope) {
  for (const GradientCase& test : kGradients)
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16})
      for (const Layout layout : {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed}) {
        SCOPED_TRACE(test.name);
        const Tensor gradient = In(type, {4, 6}, Spread(24), layout), out = Out(type, {4, 6}, layout);
        const Tensor x = In(type, {4, 6}, Spread(24, -2.4, 4, 9), Layout::kOffset);
        test.run(gradient, x, out);
        Values expected = gradient.Read();
        for (std::size_t i = 0; i < expected.size(); ++i)
          expected[i] *= test.factor(x.Read()[i]);
        ExpectClose(out.Read(), expected, std::max(Tolerance(type), 1e-5));
      }
}

// The halves of rows of `columns` numbers.
Values Gated(const Values& rows, std::size_t columns, double (*activation)(double), bool left = true) {
  Values results;
  for (std::size_t row = 0; row < rows.size(); row += columns)
    for (std::size_t i = 0; i < columns / 2; ++i) {
      const double a = rows[row + i], b = rows[row + columns / 2 + i];
      results.push_back(left ? activation(a) * b : a * activation(b));
    }
  return results;
}

TEST_F(Nn, SwiGluTakesRowsThatLieApart) {
  const Layout layouts[] = {Layout::kContiguous, Layout::kPaddedRows, Layout::kTransposed, Layout::kOffset,
                            Layout::kEveryOther};
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16})
    for (const Layout in : layouts)
      for (const Layout out : {Layout::kContiguous, Layout::kPaddedRows}) {
        const Tensor x = In(type, {2, 3, 8}, Spread(48), in), y = Out(type, {2, 3, 4}, out);
        Run(NN(SwiGlu), x, 2, y);
        ExpectClose(y.Read(), Gated(x.Read(), 8, Swish), Tolerance(type));
        Run(NN(SwiGlu), x, -1, y);
        ExpectClose(y.Read(), Gated(x.Read(), 8, Swish), Tolerance(type));
      }
}

TEST_F(Nn, SwiGluHalvesAnyDimension) {
  const Tensor x = In(ACL_FLOAT, {2, 4, 3}, Spread(24), Layout::kPaddedRows), y = Out(ACL_FLOAT, {2, 2, 3});
  Run(NN(SwiGlu), x, 1, y);
  ExpectClose(y.Read(), Gated(x.Read(), 12, Swish), Tolerance(ACL_FLOAT));
  ExpectRefused(161002, "two halves", NN(SwiGlu), x, 2, y);
  ExpectRefused(161002, "'dim' is 3", NN(SwiGlu), x, 3, y);
  Run(NN(SwiGlu), In(ACL_FLOAT, {0, 4}, {}), 1, Out(ACL_FLOAT, {0, 2}));
}

TEST_F(Nn, SwiGluIgnoresStridesOfOneRow) {
  const Tensor memory = In(ACL_FLOAT, {8}, Spread(8)), y = Out(ACL_FLOAT, {1, 1, 4});
  const Tensor x = memory.View(Role::kIn, {1, 1, 8}, {1234567, 7654321, 1}, 0);
  Run(NN(SwiGlu), x, 2, y);
  ExpectClose(y.Read(), Gated(memory.Read(), 8, Swish), Tolerance(ACL_FLOAT));
}

TEST_F(Nn, GeGluWritesBothResults) {
  for (const int approximate : {0, 1})
    for (const bool left : {false, true})
      for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16})
        for (const Layout layout : {Layout::kContiguous, Layout::kPaddedRows}) {
          const Tensor x = In(type, {3, 8}, Spread(24), layout);
          const Tensor y = Out(type, {3, 4}, layout), gelu = Out(type, {3, 4});
          Run(NN(GeGluV3), x, -1, approximate, left, y, gelu);
          const auto function = approximate == 0 ? ErfGelu : TanhGelu;
          ExpectClose(y.Read(), Gated(x.Read(), 8, function, left), Tolerance(type));
          const Tensor half =
              x.View(Role::kIn, {3, 4}, {layout == Layout::kContiguous ? 8 : 11, 1}, left ? 0 : 4);
          ExpectClose(gelu.Read(), Applied(half.Read(), function), Tolerance(type));
        }
}

TEST_F(Nn, ClippedSwigluStaysWithinLimits) {
  for (const bool pairs : {false, true})
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16})
      for (const Layout layout : {Layout::kContiguous, Layout::kPaddedRows}) {
        const Tensor x = In(type, {3, 8}, Spread(24, -9, 9), layout), y = Out(type, {3, 4}, layout);
        Run(NN(ClippedSwiglu), x, nullptr, -1, 1.702, 7.0, 1.0, pairs, y);
        Values expected;
        for (std::size_t i = 0; i < 12; ++i) {
          const std::size_t row = i / 4 * 8, at = i % 4;
          const double gate = std::min(x.Read()[row + (pairs ? 2 * at : at)], 7.0);
          const double factor = std::clamp(x.Read()[row + (pairs ? 2 * at + 1 : at + 4)], -7.0, 7.0);
          expected.push_back(gate * Sigmoid(1.702 * gate) * (factor + 1));
        }
        ExpectClose(y.Read(), expected, std::max(1e-5, Tolerance(type)));
        ExpectRefused(161002, "limit", NN(ClippedSwiglu), x, nullptr, -1, 1.702, -7.0, 1.0, pairs, y);
      }
}

}  // namespace
}  // namespace nn
