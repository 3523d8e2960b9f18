// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Numbers that are nearly equal, and numbers that are infinite on one side: the result is bool.
#include <cmath>
#include <limits>

#include "ops/elementwise/element_op.h"

namespace foothold {
namespace {

struct IsPosInfOf {
  static bool Of(double a) { return a == HUGE_VAL; }
};
struct IsNegInfOf {
  static bool Of(double a) { return a == -HUGE_VAL; }
};

// Differences of integers are taken in double: no overflow, and what it loses is far below any tolerance.
struct ApproximateEqualOf {
  template <Number T>
  static bool Of(const float* p, T a, T b) {
    return std::abs(static_cast<double>(a) - static_cast<double>(b)) < static_cast<double>(p[0]);
  }
};
struct IsCloseOf {
  template <Number T>
  static bool Of(const float* p, T a, T b) {
    if (a == b) return true;
    const auto x = static_cast<double>(a), y = static_cast<double>(b);
    if (std::isnan(x) && std::isnan(y)) return p[2] != 0;
    const double distance = std::abs(x - y);
    return std::isfinite(distance) &&
           distance <= static_cast<double>(p[1]) + static_cast<double>(p[0]) * std::abs(y);
  }
};

std::vector<float> Tolerance(const OpContext& context) {
  return {context.node().Float("tolerance", 1e-5f)};
}
std::vector<float> Tolerances(const OpContext& context) {
  return {context.node().Float("rtol", 1e-5f), context.node().Float("atol", 1e-8f),
          context.node().Bool("equal_nan", false) ? 1.0f : 0.0f};
}

std::optional<ElementFormula> Approximate(const OpContext& context) {
  auto formula = FunctionOfInputs(context, "Sub");
  if (!formula) return formula;
  formula->steps = {{"Sub", {0, 1}, {}},
                    {"Abs", {2}, {}},
                    {"Affine", {3}, {-1.0f, context.node().Float("tolerance", 1e-5f)}},
                    {"Threshold", {4}, {0.0f}}};
  formula->results = {{5, 0}};
  return formula;
}

std::optional<ElementFormula> Close(const OpContext& context) {
  auto formula = FunctionOfInputs(context, "Sub");
  if (!formula) return formula;
  const std::vector<float> tolerances = Tolerances(context);
  formula->steps = {{"Sub", {0, 1}, {}},       {"Abs", {2}, {}},
                    {"Abs", {1}, {}},          {"Affine", {4}, {tolerances[0], tolerances[1]}},
                    {"LessEqual", {3, 5}, {}}, {"IsFinite", {3}, {}},
                    {"And", {6, 7}, {}},       {"Equal", {0, 1}, {}},
                    {"Or", {8, 9}, {}}};
  int result = 10;
  if (tolerances[2] != 0) {
    formula->steps.push_back({"IsNan", {0}, {}});
    formula->steps.push_back({"IsNan", {1}, {}});
    formula->steps.push_back({"And", {11, 12}, {}});
    formula->steps.push_back({"Or", {10, 13}, {}});
    result = 14;
  }
  formula->results = {{result, 0}};
  return formula;
}

std::optional<ElementFormula> PositiveInfinity(const OpContext& context) {
  return FunctionOfInputs(context, "Threshold", {std::numeric_limits<float>::max()});
}

std::optional<ElementFormula> NegativeInfinity(const OpContext& context) {
  auto formula = FunctionOfInputs(context, "Neg");
  if (!formula) return formula;
  formula->steps.push_back({"Threshold", {1}, {std::numeric_limits<float>::max()}});
  formula->results = {{2, 0}};
  return formula;
}

const RegisterElementOps closeness({
    {"IsPosInf", "", PlainLoopOf<IsPosInfOf, 1>, nullptr, DataType::kBool, nullptr, PositiveInfinity},
    {"IsNegInf", "", PlainLoopOf<IsNegInfOf, 1>, nullptr, DataType::kBool, nullptr, NegativeInfinity},
    {"ApproximateEqual", "", PlainLoopOf<ApproximateEqualOf, 2>, Tolerance, DataType::kBool, nullptr,
     Approximate},
    {"IsClose", "", PlainLoopOf<IsCloseOf, 2>, Tolerances, DataType::kBool, nullptr, Close},
});

}  // namespace
}  // namespace foothold
