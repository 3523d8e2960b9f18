// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pow: x1 to the power of x2, with broadcasting; Power: the same with attributes. Known exponents that occur
// in norms and distances have functions of their own.
#include <cmath>

#include "ops/elementwise/element_op.h"

namespace foothold {
namespace {

struct PowOf {
  static double Of(double a, double b) { return std::pow(a, b); }
  template <Integer T>
  static T Of(T base, T exponent) {
    if (exponent < 0) return Inverse(base, exponent);
    std::uint64_t power = 1, square = static_cast<std::uint64_t>(base);
    for (auto left = static_cast<std::uint64_t>(exponent); left != 0; left >>= 1, square *= square)
      if ((left & 1) != 0) power *= square;
    return static_cast<T>(power);
  }
  // What is left of 1 / base^n as an integer.
  template <Integer T>
  static T Inverse(T base, T exponent) {
    if (base == 1) return 1;
    if (static_cast<std::int64_t>(base) == -1) return static_cast<T>(exponent % 2 == 0 ? 1 : -1);
    return 0;
  }
};

// Null: no shorter way.
const char* FunctionFor(double exponent) {
  const struct {
    double exponent;
    const char* function;
  } known[] = {{1, "Copy"}, {2, "Square"}, {3, "Cube"}, {0.5, "Sqrt"}, {-0.5, "Rsqrt"}, {-1, "Reciprocal"}};
  for (const auto& each : known)
    if (each.exponent == exponent) return each.function;
  return nullptr;
}

std::optional<ElementFormula> PowFormula(const OpContext& context) {
  auto formula = FunctionOfInputs(context, "Pow");
  const TensorValue* exponent = context.inputs() > 1 ? context.Value(1) : nullptr;
  if (!formula || exponent == nullptr || ElementCount(exponent->dims()) != 1) return formula;
  if (const char* function = FunctionFor(Scalar(*exponent))) {
    formula->operands.pop_back();
    formula->steps = {{function, {0}, {}}};
    formula->results = {{1, 0}};
  }
  return formula;
}

std::optional<ElementFormula> PowerFormula(const OpContext& context) {
  auto formula = FunctionOfInputs(context, "Affine",
                                  {context.node().Float("scale", 1), context.node().Float("shift", 0)});
  if (!formula) return formula;
  const float power = context.node().Float("power", 1);
  if (const char* function = FunctionFor(static_cast<double>(power))) {
    formula->steps.push_back({function, {1}, {}});
  } else {
    formula->steps.push_back({"PowBy", {1}, {power}});
  }
  formula->results = {{2, 0}};
  return formula;
}

const RegisterElementOps pow({
    {"Pow", "Pow", PlainLoopOf<PowOf, 2>, nullptr, DataType::kUndefined, BroadcastPromoted, PowFormula},
    {"Power", "", nullptr, nullptr, DataType::kUndefined, nullptr, PowerFormula},
});

}  // namespace
}  // namespace foothold
