// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of one input that differ by one function: signs, rounding, roots, exponentials, trigonometry.
#include <cmath>
#include <limits>

#include "kernels/inverse_erf.h"
#include "ops/elementwise/element_op.h"

namespace foothold {
namespace {

struct AbsOf {
  static double Of(double a) { return std::abs(a); }
  template <Integer T>
  static T Of(T a) {
    return a < 0 ? static_cast<T>(0 - static_cast<std::uint64_t>(a)) : a;
  }
};
struct NegOf {
  static double Of(double a) { return -a; }
  template <Integer T>
  static T Of(T a) {
    return static_cast<T>(0 - static_cast<std::uint64_t>(a));
  }
};
struct SignOf {
  static double Of(double a) { return a > 0 ? 1 : a < 0 ? -1 : a; }
  template <Integer T>
  static T Of(T a) {
    return static_cast<T>(a > 0 ? 1 : a < 0 ? -1 : 0);
  }
};
struct SquareOf {
  static double Of(double a) { return a * a; }
  template <Integer T>
  static T Of(T a) {
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(a));
  }
};
template <double (*function)(double)>
struct Rounding {
  static double Of(double a) { return function(a); }
  template <Integer T>
  static T Of(T a) {
    return a;
  }
};
template <double (*function)(double)>
struct Real {
  static double Of(double a) { return function(a); }
};
struct RoundOf {
  static double Of(const float* p, double a) {
    const double scale = std::pow(10.0, static_cast<double>(p[0]));
    const double scaled = a * scale;
    return std::isfinite(scaled) ? std::nearbyint(scaled) / scale : a;
  }
  template <Integer T>
  static T Of(const float*, T a) {
    return a;
  }
};
struct ExpOf {
  static double Of(const float* p, double a) {
    return std::exp(static_cast<double>(p[0]) * a + static_cast<double>(p[1]));
  }
};
struct LogOf {
  static double Of(const float* p, double a) {
    return std::log(static_cast<double>(p[0]) * a + static_cast<double>(p[1])) * static_cast<double>(p[2]);
  }
};
struct ReciprocalOf {
  static double Of(double a) { return 1 / a; }
};
struct RsqrtOf {
  static double Of(double a) { return 1 / std::sqrt(a); }
};
struct AddsOf {
  static double Of(const float* p, double a) { return a + static_cast<double>(p[0]); }
  template <Integer T>
  static T Of(const float* p, T a) {
    return static_cast<T>(static_cast<std::uint64_t>(a) +
                          static_cast<std::uint64_t>(static_cast<std::int64_t>(p[0])));
  }
};
struct MulsOf {
  static double Of(const float* p, double a) { return a * static_cast<double>(p[0]); }
  template <Integer T>
  static T Of(const float* p, T a) {
    return static_cast<T>(static_cast<std::uint64_t>(a) *
                          static_cast<std::uint64_t>(static_cast<std::int64_t>(p[0])));
  }
};

struct NanToNumOf {
  static double Of(const float* p, double a) {
    if (std::isnan(a)) return static_cast<double>(p[0]);
    return std::isinf(a) ? static_cast<double>(p[a > 0 ? 1 : 2]) : a;
  }
  template <Integer T>
  static T Of(const float*, T a) {
    return a;
  }
};

// The logarithm of the base attribute; -1 stands for e.
double LogBase(const OpContext& context) {
  const float base = context.node().Float("base", -1);
  if (base == -1) return 1;
  if (!(base > 0)) context.Refuse("attribute 'base' is {}, expected -1 or a positive number", base);
  return std::log(static_cast<double>(base));
}

std::vector<float> ExpParams(const OpContext& context) {
  const double base = LogBase(context);
  return {static_cast<float>(context.node().Float("scale", 1) * base),
          static_cast<float>(context.node().Float("shift", 0) * base)};
}

std::vector<float> LogParams(const OpContext& context) {
  const double base = LogBase(context);
  if (base == 0) context.Refuse("attribute 'base' is 1, which has no logarithms");
  return {context.node().Float("scale", 1), context.node().Float("shift", 0), static_cast<float>(1 / base)};
}

std::vector<float> ValueParam(const OpContext& context) {
  if (context.node().FindAttribute("value") == nullptr) context.Refuse("attribute 'value' is required");
  const float value = context.node().Float("value", 0);
  const bool whole = !IsFloatType(context.In(0).type) && context.In(0).type != DataType::kDouble;
  if (whole && !(std::abs(value) < 0x1p62f)) context.Refuse("attribute 'value' is {}, out of range", value);
  return {value};
}

std::vector<float> Replacements(const OpContext& context) {
  std::vector<float> values;
  for (const char* name : {"nan", "posinf", "neginf"}) {
    if (context.node().FindAttribute(name) == nullptr) context.Refuse("attribute '{}' is not set", name);
    values.push_back(context.node().Float(name, 0));
  }
  return values;
}

std::vector<float> Decimals(const OpContext& context) {
  return {static_cast<float>(context.node().Int("decimals", 0))};
}

std::optional<ElementFormula> Round(const OpContext& context) {
  if (context.node().Int("decimals", 0) == 0) return FunctionOfInputs(context, "Rint");
  return FunctionOfInputs(context, "RoundTo", Decimals(context));
}

const RegisterElementOps unary({
    {"Abs", "Abs", PlainLoopOf<AbsOf, 1>},
    {"Neg", "Neg", PlainLoopOf<NegOf, 1>},
    {"Sign", "Sign", PlainLoopOf<SignOf, 1>},
    {"Square", "Square", PlainLoopOf<SquareOf, 1>},
    {"Reciprocal", "Reciprocal", PlainLoopOf<ReciprocalOf, 1>},
    {"Inv", "Reciprocal", PlainLoopOf<ReciprocalOf, 1>},
    {"Sqrt", "Sqrt", PlainLoopOf<Real<std::sqrt>, 1>},
    {"Rsqrt", "Rsqrt", PlainLoopOf<RsqrtOf, 1>},
    {"Floor", "Floor", PlainLoopOf<Rounding<std::floor>, 1>},
    {"Ceil", "Ceil", PlainLoopOf<Rounding<std::ceil>, 1>},
    {"Trunc", "Trunc", PlainLoopOf<Rounding<std::trunc>, 1>},
    {"Rint", "Rint", PlainLoopOf<Rounding<std::nearbyint>, 1>},
    {"Round", "Rint", PlainLoopOf<RoundOf, 1>, Decimals, DataType::kUndefined, nullptr, Round},
    {"Adds", "AddBy", PlainLoopOf<AddsOf, 1>, ValueParam},
    {"Muls", "MulBy", PlainLoopOf<MulsOf, 1>, ValueParam},
    {"Exp", "Exp", PlainLoopOf<ExpOf, 1>, ExpParams},
    {"Log", "Log", PlainLoopOf<LogOf, 1>, LogParams},
    {"Log1p", "Log1p", PlainLoopOf<Real<std::log1p>, 1>},
    {"Expm1", "Expm1", PlainLoopOf<Real<std::expm1>, 1>},
    {"Erf", "Erf", PlainLoopOf<Real<std::erf>, 1>},
    {"Erfc", "Erfc", PlainLoopOf<Real<std::erfc>, 1>},
    {"Erfinv", "Erfinv", PlainLoopOf<Real<InverseErf>, 1>},
    {"NanToNum", "FiniteOr", PlainLoopOf<NanToNumOf, 1>, Replacements},
    {"Sin", "Sin", PlainLoopOf<Real<std::sin>, 1>},
    {"Cos", "Cos", PlainLoopOf<Real<std::cos>, 1>},
    {"Tan", "Tan", PlainLoopOf<Real<std::tan>, 1>},
    {"Asin", "Asin", PlainLoopOf<Real<std::asin>, 1>},
    {"Acos", "Acos", PlainLoopOf<Real<std::acos>, 1>},
    {"Atan", "Atan", PlainLoopOf<Real<std::atan>, 1>},
    {"Sinh", "Sinh", PlainLoopOf<Real<std::sinh>, 1>},
    {"Cosh", "Cosh", PlainLoopOf<Real<std::cosh>, 1>},
    {"Asinh", "Asinh", PlainLoopOf<Real<std::asinh>, 1>},
    {"Acosh", "Acosh", PlainLoopOf<Real<std::acosh>, 1>},
    {"Atanh", "Atanh", PlainLoopOf<Real<std::atanh>, 1>},
    {"Tanh", "Tanh", PlainLoopOf<Real<std::tanh>, 1>},
});

}  // namespace
}  // namespace foothold
