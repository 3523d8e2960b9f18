// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/error.h"
#include "ops/op.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using Function = std::function<double(double)>;

struct Case {
  std::string type;
  Function exact;
  double lowest = -4, highest = 4;
  Attributes attributes = {};
  std::string input = "x", output = "y";
};

double Softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}
double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double Elu(double x, double alpha, double scale, double input_scale) {
  return x > 0 ? scale * x : scale * alpha * (std::exp(input_scale * x) - 1);
}

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      {"Relu", [](double x) { return x > 0 ? x : 0; }},
      {"Relu6", [](double x) { return std::min(std::max(x, 0.0), 6.0); }, -3, 9},
      {"LeakyRelu", [](double x) { return x > 0 ? x : 0; }},
      {"LeakyRelu", [](double x) { return x > 0 ? x : 0.25 * x; }, -4, 4, {{"negative_slope", 0.25f}}},
      {"Elu", [](double x) { return Elu(x, 1, 1, 1); }},
      {"Elu",
       [](double x) { return Elu(x, 2, 0.5, 0.75); },
       -4,
       4,
       {{"alpha", 2.0f}, {"scale", 0.5f}, {"input_scale", 0.75f}}},
      {"Selu", [](double x) { return Elu(x, 1.6732632423543772, 1.0507009873554805, 1); }},
      {"Celu",
       [](double x) { return x >= 0 ? 3 * x : 2 * (std::exp(x / 4) - 1); },
       -4,
       4,
       {{"alpha1", 2.0f}, {"alpha2", 4.0f}, {"alpha3", 3.0f}}},
      {"CeluV2", [](double x) { return x > 0 ? x : 2 * (std::exp(x / 2) - 1); }, -4, 4, {{"alpha", 2.0f}}},
      {"Sigmoid", Sigmoid, -30, 30},
      {"LogSigmoid", [](double x) { return -Softplus(-x); }},
      {"Tanh", [](double x) { return std::tanh(x); }, -12, 12},
      {"Swish", [](double x) { return x * Sigmoid(x); }},
      {"Swish", [](double x) { return x * Sigmoid(2 * x); }, -4, 4, {{"scale", 2.0f}}},
      {"Mish", [](double x) { return x * std::tanh(Softplus(x)); }, -10, 30},
      {"HardSwish", [](double x) { return x * std::min(std::max(x + 3, 0.0), 6.0) / 6; }},
      {"HardSigmoid",
       [](double x) { return std::min(std::max(x / 6 + 0.5, 0.0), 1.0); },
       -5,
       5,
       {},
       "input_x",
       "output_y"},
      {"HardSigmoid",
       [](double x) { return std::min(std::max(0.5 * x + 0.25, 0.0), 1.0); },
       -5,
       5,
       {{"alpha", 0.5f}, {"beta", 0.25f}},
       "input_x",
       "output_y"},
      {"Gelu",
       [](double x) { return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); },
       -6, 6},
      {"GeluV2", [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }, -6, 6},
      {"GeluV2",
       [](double x) { return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); },
       -6,
       6,
       {{"approximate", std::string("tanh")}}},
      {"FastGelu", [](double x) { return x * Sigmoid(1.702 * x); }},
      {"BNLL", Softplus, -20, 60},
      {"Softplus", Softplus, -20, 60},
      {"Softsign", [](double x) { return x / (1 + std::abs(x)); }},
      {"ThresholdedRelu", [](double x) { return x > 0.5 ? x : 0; }, -2, 2, {{"alpha", 0.5f}}},
      {"Threshold", [](double x) { return x > 0.3f ? 1 : 0; }, -2, 2, {{"threshold", 0.3f}}},
      {"Shrink",
       [](double x) { return x < -0.5  ? x + 0.25
                             : x > 0.5 ? x - 0.25
                                       : 0; },
       -2,
       2,
       {{"lambd", 0.5f}, {"bias", 0.25f}},
       "input_x",
       "output_y"},
      {"HardShrink", [](double x) { return std::abs(x) > 0.5 ? x : 0; }, -2, 2, {}, "input_x", "output_y"},
      {"SoftShrink",
       [](double x) { return x < -0.5  ? x + 0.5
                             : x > 0.5 ? x - 0.5
                                       : 0; },
       -2,
       2,
       {},
       "input_x",
       "output_y"},
      {"Abs", [](double x) { return std::abs(x); }},
      {"Neg", [](double x) { return -x; }},
      {"Sign", [](double x) { return x > 0   ? 1
                                     : x < 0 ? -1
                                             : 0; }},
      {"Square", [](double x) { return x * x; }},
      {"Floor", [](double x) { return std::floor(x); }},
      {"Ceil", [](double x) { return std::ceil(x); }},
      {"Trunc", [](double x) { return std::trunc(x); }, -4, 4, {}, "input_x", "output_y"},
      {"Rint", [](double x) { return std::nearbyint(x); }},
      {"Round", [](double x) { return std::nearbyint(x); }},
      {"Reciprocal", [](double x) { return 1 / x; }, 0.25, 4},
      {"Inv", [](double x) { return 1 / x; }, 0.25, 4},
      {"Sqrt", [](double x) { return std::sqrt(x); }, 0, 9},
      {"Rsqrt", [](double x) { return 1 / std::sqrt(x); }, 0.1, 9},
      {"Exp", [](double x) { return std::exp(x); }},
      {"Exp",
       [](double x) { return std::pow(2, 1 + 0.5 * x); },
       -4,
       4,
       {{"base", 2.0f}, {"scale", 0.5f}, {"shift", 1.0f}}},
      {"Log", [](double x) { return std::log(x); }, 0.1, 9},
      {"Log",
       [](double x) { return std::log10(1 + 2 * x); },
       0,
       9,
       {{"base", 10.0f}, {"scale", 2.0f}, {"shift", 1.0f}}},
      {"Log1p", [](double x) { return std::log1p(x); }, -0.9, 4},
      {"Expm1", [](double x) { return std::expm1(x); }},
      {"Erf", [](double x) { return std::erf(x); }},
      {"Erfc", [](double x) { return std::erfc(x); }},
      {"Sin", [](double x) { return std::sin(x); }},
      {"Cos", [](double x) { return std::cos(x); }},
      {"Tan", [](double x) { return std::tan(x); }, -1, 1},
      {"Asin", [](double x) { return std::asin(x); }, -1, 1},
      {"Acos", [](double x) { return std::acos(x); }, -1, 1},
      {"Atan", [](double x) { return std::atan(x); }},
      {"Sinh", [](double x) { return std::sinh(x); }},
      {"Cosh", [](double x) { return std::cosh(x); }},
      {"Asinh", [](double x) { return std::asinh(x); }},
      {"Acosh", [](double x) { return std::acosh(x); }, 1, 5},
      {"Atanh", [](double x) { return std::atanh(x); }, -0.9, 0.9},
      {"Adds", [](double x) { return x + 1.5; }, -4, 4, {{"value", 1.5f}}},
      {"Muls", [](double x) { return x * -2.5; }, -4, 4, {{"value", -2.5f}}},
      {"Power",
       [](double x) { return std::pow(1 + 0.5 * x, 2); },
       -4,
       4,
       {{"power", 2.0f}, {"scale", 0.5f}, {"shift", 1.0f}}},
      {"Power", [](double x) { return std::pow(x, 1.5); }, 0, 4, {{"power", 1.5f}}},
  };
  return cases;
}

class Unary : public testing::TestWithParam<int> {
 protected:
  const Case& test() const { return Cases()[static_cast<std::size_t>(GetParam())]; }

  // Compares with the exact function of the values the type can hold.
  void Check(DataType type, const Dims& dims, double tolerance) {
    std::vector<double> numbers(static_cast<std::size_t>(ElementCount(dims)));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = test().lowest + (test().highest - test().lowest) * static_cast<double>(i * 7 % 101) / 101;
    const TensorValue x = Tensor(type, dims, numbers);
    OpRun run(test().type);
    run.In(test().input, x).Out(test().output);
    for (const auto& [name, value] : test().attributes)
      run.Attr(name, value);
    const TensorValue y = run.Run();
    EXPECT_EQ(y.dims(), dims);
    EXPECT_EQ(y.type().type, type);
    std::vector<double> expected;
    for (const double number : Numbers(x))
      expected.push_back(test().exact(number));
    ExpectNear(y, expected, tolerance);
  }
};

TEST_P(Unary, IsRightForFloat) {
  Check(DataType::kFloat, {3, 41}, 2e-6);
  Check(DataType::kFloat, {}, 2e-6);
  Check(DataType::kFloat, {2, 0}, 2e-6);
  Check(DataType::kFloat, {1}, 2e-6);
}

TEST_P(Unary, IsRightForHalves) {
  Check(DataType::kFloat16, {41, 3}, 2e-3);
  Check(DataType::kBfloat16, {5, 7}, 1e-2);
}

TEST_P(Unary, IsRightForDoubleWhereItHasALoop) {
  const auto& types = FindOp(test().type)->types();
  if (std::find(types.begin(), types.end(), DataType::kDouble) != types.end())
    Check(DataType::kDouble, {7, 11}, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Operators, Unary, testing::Range(0, static_cast<int>(Cases().size())),
                         [](const auto& info) {
                           const auto i = static_cast<std::size_t>(info.param);
                           return Cases()[i].type + "_" + std::to_string(i);
                         });

TensorValue Apply(const char* type, const TensorValue& x) {
  return OpRun(type).In("x", x).Out("y").Run();
}

TEST(UnaryOperators, KeepNaN) {
  for (const char* type : {"Relu", "Relu6",     "LeakyRelu", "Elu",      "Sigmoid", "Tanh",  "Swish",
                           "Mish", "HardSwish", "Gelu",      "Softplus", "Abs",     "Sign",  "Sqrt",
                           "Exp",  "Log",       "Erf",       "Floor",    "Sin",     "Log1p", "Expm1"})
    EXPECT_TRUE(std::isnan(Numbers(Apply(type, Floats({1}, {NAN})))[0])) << type;
}

TEST(UnaryOperators, GiveTheLimitsAtInfinity) {
  const double inf = std::numeric_limits<double>::infinity();
  const TensorValue both = Floats({2}, {inf, -inf});
  ExpectNear(Apply("Exp", both), {inf, 0});
  ExpectNear(Apply("Tanh", both), {1, -1});
  ExpectNear(Apply("Sigmoid", both), {1, 0});
  ExpectNear(Apply("Erf", both), {1, -1});
  ExpectNear(Apply("Softplus", both), {inf, 0});
  ExpectNear(Apply("Log", Floats({2}, {0, -1})), {-inf, NAN});
}

TEST(UnaryOperators, RoundTiesToEven) {
  const TensorValue halves = Floats({6}, {0.5, 1.5, 2.5, -0.5, -1.5, -2.5});
  ExpectNear(Apply("Round", halves), {0, 2, 2, 0, -2, -2});
  ExpectNear(Apply("Rint", halves), {0, 2, 2, 0, -2, -2});
  const TensorValue y = OpRun("Round")
                            .In("x", Floats({3}, {1.2345, -7.777, 1e30}))
                            .Attr("decimals", std::int64_t{2})
                            .Out("y")
                            .Run();
  ExpectNear(y, {1.23, -7.78, 1e30});
}

TEST(UnaryOperators, WorkOnIntegers) {
  const DataType types[] = {DataType::kInt8, DataType::kInt16, DataType::kInt32, DataType::kInt64};
  for (const DataType type : types) {
    const TensorValue x = Tensor(type, {4}, {-3, 0, 2, 7});
    ExpectNear(Apply("Abs", x), {3, 0, 2, 7});
    ExpectNear(Apply("Neg", x), {3, 0, -2, -7});
    ExpectNear(Apply("Sign", x), {-1, 0, 1, 1});
    ExpectNear(Apply("Square", x), {9, 0, 4, 49});
    ExpectNear(Apply("Relu", x), {0, 0, 2, 7});
    ExpectNear(Apply("Relu6", x), {0, 0, 2, 6});
    ExpectNear(Apply("Floor", x), {-3, 0, 2, 7});
  }
  ExpectNear(Apply("Abs", Tensor(DataType::kInt8, {1}, {-128})), {-128});
}

TEST(UnaryOperators, SayWhatTheyHaveNoKernelFor) {
  EXPECT_THROW(Apply("Exp", Int32s({1}, {1})), Error);
  EXPECT_THROW(Apply("Neg", Tensor(DataType::kBool, {1}, {1})), Error);
  EXPECT_THROW(OpRun("Adds").In("x", Floats({1}, {1})).Out("y").Run(), Error);
  EXPECT_THROW(OpRun("Exp").In("x", Floats({1}, {1})).Attr("base", -3.0f).Out("y").Run(), Error);
  EXPECT_THROW(OpRun("GeluV2").In("x", Floats({1}, {1})).Attr("approximate", std::string("?")).Out("y").Run(),
               Error);
  EXPECT_THROW(OpRun("Celu").In("x", Floats({1}, {1})).Attr("alpha2", 0.0f).Out("y").Run(), Error);
}

TEST(UnaryOperators, GoThroughLongTensorsOnSeveralThreads) {
  const TensorValue x = Random(DataType::kFloat, {513, 1023}, 7);
  std::vector<double> expected;
  for (const double number : Numbers(x))
    expected.push_back(Sigmoid(number));
  ExpectNear(Apply("Sigmoid", x), expected);
}

}  // namespace
}  // namespace foothold
