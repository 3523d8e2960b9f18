// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/element_function.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace foothold {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

struct Case {
  const char* name;
  double (*exact)(double);
  double lowest, highest;  // of the arguments
  double units;            // in the last place, at most
  std::vector<float> params = {};
};

double Units(float found, double exact) {
  if (std::isnan(exact)) return std::isnan(found) ? 0 : kInf;
  const auto nearest = static_cast<float>(exact);
  if (std::isinf(nearest) || std::isinf(found)) return found == nearest ? 0 : kInf;
  const float size = std::abs(nearest);
  const double unit =
      std::max<double>(std::nextafter(size, kInf) - size, std::numeric_limits<float>::min() * 1e-7);
  return std::abs(found - exact) / unit;
}

std::vector<float> Arguments(double lowest, double highest) {
  std::vector<float> all = {0.0f, -0.0f, kInf, -kInf, NAN, 1e-40f, -1e-40f, 1e-6f, -1e-6f, 3.4e38f, -3.4e38f};
  for (int i = 0; i <= 20000; ++i)
    all.push_back(static_cast<float>(lowest + (highest - lowest) * i / 20000));
  return all;
}

class ElementFunctions : public testing::TestWithParam<Case> {};

TEST_P(ElementFunctions, AreRightToAFewUnits) {
  const Case& test = GetParam();
  const ElementFunction* function = FindElementFunction(test.name);
  ASSERT_NE(function, nullptr);
  const std::vector<float> x = Arguments(test.lowest, test.highest);
  std::vector<float> y(x.size());
  function->loop(x.data(), x.data(), x.data(), y.data(), x.size(), test.params.data());
  double worst = 0;
  float where = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double units = Units(y[i], test.exact(x[i]));
    if (units > worst) worst = units, where = x[i];
  }
  EXPECT_LE(worst, test.units) << "at " << where;
}

const Case kCases[] = {
    {"Exp", [](double x) { return std::exp(x); }, -105, 90, 1.5, {1, 0}},
    {"Log", [](double x) { return std::log(x); }, 1e-3, 30, 1.5, {1, 0, 1}},
    {"Log", [](double x) { return std::log(x); }, 1e-39, 1e-37, 1.5, {1, 0, 1}},
    {"Log", [](double x) { return std::log(x); }, 1e30, 3e38, 1.5, {1, 0, 1}},
    {"Expm1", [](double x) { return std::expm1(x); }, -2, 2, 2.5},
    {"Expm1", [](double x) { return std::expm1(x); }, -90, 90, 2.5},
    {"Log1p", [](double x) { return std::log1p(x); }, -0.99, 3, 3.5},
    {"Erf", [](double x) { return std::erf(x); }, -5, 5, 2.5},
    {"Tanh", [](double x) { return std::tanh(x); }, -12, 12, 3},
    {"Tanh", [](double x) { return std::tanh(x); }, -0.01, 0.01, 3},
    {"Sin", [](double x) { return std::sin(x); }, -3.1, 3.1, 2},
    {"Sin", [](double x) { return std::sin(x); }, 8000, 9000, 30},
    {"Cos", [](double x) { return std::cos(x); }, -1.5, 1.5, 2},
    {"Sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }, -80, 80, 3},
    {"Relu", [](double x) { return x < 0 ? 0 : x; }, -3, 3, 0},
    {"Rsqrt", [](double x) { return 1 / std::sqrt(x); }, 1e-3, 10, 1.5},
    {"Sign", [](double x) { return x > 0   ? 1
                                   : x < 0 ? -1
                                           : x; }, -3, 3, 0},
    {"Softplus", [](double x) { return x > 40 ? x : std::log1p(std::exp(x)); }, -80, 60, 4},
    {"Mish", [](double x) { return x * std::tanh(x > 40 ? x : std::log1p(std::exp(x))); }, -20, 60, 6},
};
INSTANTIATE_TEST_SUITE_P(All, ElementFunctions, testing::ValuesIn(kCases), [](const auto& test) {
  return std::string(test.param.name) + std::to_string(test.index);
});

TEST(ElementFunction, WritesNothingBeyondTheLastElement) {
  for (const ElementFunction* function : AllElementFunctions()) {
    const float params[kMaxElementParams] = {1, 1, 1, 1};
    for (std::size_t count = 0; count < 40; ++count) {
      const std::vector<float> x(count, 1.0f);
      std::vector<float> y(count + 1, -7.0f), at_once(count + 1, -7.0f);
      function->loop(x.data(), x.data(), x.data(), y.data(), count, params);
      EXPECT_EQ(y[count], -7.0f) << function->name;
      std::fill_n(at_once.begin(), count, 1.0f);
      function->loop(at_once.data(), x.data(), x.data(), at_once.data(), count, params);
      EXPECT_EQ(at_once, y) << function->name << " in place";
    }
  }
}

TEST(ElementFunction, NamesAreTold) {
  std::set<std::string_view> names;
  for (const ElementFunction* function : AllElementFunctions()) {
    EXPECT_TRUE(names.insert(function->name).second);
    EXPECT_EQ(FindElementFunction(function->name), function);
    EXPECT_LE(function->operands, static_cast<int>(kMaxElementOperands));
  }
  EXPECT_EQ(FindElementFunction("NoSuchFunction"), nullptr);
}

TEST(ElementFunction, OfCrossedBoundsTheUpperOneCounts) {
  const float x[] = {-5, 0, 5, NAN}, low[] = {2, 2, 2, 2}, high[] = {1, 1, 1, 1};
  float y[4];
  FindElementFunction("Clip")->loop(x, low, high, y, 4, nullptr);
  EXPECT_EQ(y[0], 1);
  EXPECT_EQ(y[1], 1);
  EXPECT_EQ(y[2], 1);
  EXPECT_TRUE(std::isnan(y[3]));
}

// Between 88.38 and 88.72 the power of two of an exponential is infinite before the exponential is.
TEST(ElementFunction, SigmoidsAreNumbersWhereTheirExponentialOverflows) {
  std::vector<float> x, y;
  for (int i = 0; i < 1024; ++i)
    x.push_back(-86.0f - static_cast<float>(i) * 0.01f);
  y.resize(x.size());
  const float one = 1;
  for (const char* name : {"Sigmoid", "Swish", "Gelu"}) {
    FindElementFunction(name)->loop(x.data(), x.data(), x.data(), y.data(), x.size(), &one);
    for (std::size_t i = 0; i < y.size(); ++i)
      EXPECT_LT(std::abs(y[i]), 1e-34f) << name << " of " << x[i];
  }
}

TEST(ElementFunction, MaximumAndMinimumKeepNaNFromEitherSide) {
  const float a[] = {NAN, 1, 1, 2}, b[] = {1, NAN, 2, 1};
  float y[4];
  for (const char* name : {"Maximum", "Minimum"}) {
    FindElementFunction(name)->loop(a, b, b, y, 4, nullptr);
    EXPECT_TRUE(std::isnan(y[0]) && std::isnan(y[1])) << name;
    EXPECT_EQ(y[2], y[3]) << name;
  }
}

}  // namespace
}  // namespace foothold
