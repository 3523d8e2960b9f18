// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Binary arithmetic with broadcasting. Integers wrap; a quotient or remainder by 0 is 0.
#include <cmath>
#include <limits>
#include <type_traits>

#include "ops/elementwise/element_op.h"

namespace foothold {
namespace {

// Overflow of signed numbers is undefined, of unsigned ones it wraps; narrow types would be promoted to int.
template <typename T, typename Function>
T Wrapped(T a, T b, Function function) {
  using Wide = std::make_unsigned_t<std::conditional_t<(sizeof(T) < sizeof(int)), int, T>>;
  return static_cast<T>(function(static_cast<Wide>(a), static_cast<Wide>(b)));
}

// The one quotient that does not fit is -lowest.
template <typename T>
bool DividesBadly(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    return b == 0 || (b == -1 && a == std::numeric_limits<T>::min());
  } else {
    return b == 0;
  }
}

struct AddOf {
  static double Of(double a, double b) { return a + b; }
  static bool Of(bool a, bool b) { return a || b; }
  template <Integer T>
  static T Of(T a, T b) {
    return Wrapped(a, b, [](auto x, auto y) { return x + y; });
  }
};
struct SubOf {
  static double Of(double a, double b) { return a - b; }
  template <Integer T>
  static T Of(T a, T b) {
    return Wrapped(a, b, [](auto x, auto y) { return x - y; });
  }
};
struct MulOf {
  static double Of(double a, double b) { return a * b; }
  static bool Of(bool a, bool b) { return a && b; }
  template <Integer T>
  static T Of(T a, T b) {
    return Wrapped(a, b, [](auto x, auto y) { return x * y; });
  }
};
struct DivOf {
  static double Of(double a, double b) { return a / b; }
  template <Integer T>
  static T Of(T a, T b) {
    if (DividesBadly(a, b)) return b == 0 ? T{0} : a;
    return static_cast<T>(a / b);
  }
};
struct TruncateDivOf {
  static double Of(double a, double b) { return std::trunc(a / b); }
  template <Integer T>
  static T Of(T a, T b) {
    return DivOf::Of(a, b);
  }
};
struct DivNoNanOf {
  static double Of(double a, double b) { return b == 0 ? 0 : a / b; }
  template <Integer T>
  static T Of(T a, T b) {
    return DivOf::Of(a, b);
  }
};
struct MulNoNanOf {
  static double Of(double a, double b) { return b == 0 ? 0 : a * b; }
  template <Integer T>
  static T Of(T a, T b) {
    return MulOf::Of(a, b);
  }
};
struct XdivyOf {
  static double Of(double a, double b) { return a == 0 ? 0 : a / b; }
  template <Integer T>
  static T Of(T a, T b) {
    return DivOf::Of(a, b);
  }
};
struct XlogyOf {
  static double Of(double a, double b) { return a == 0 ? 0 : a * std::log(b); }
};
struct FloorDivOf {
  static double Of(double a, double b) { return std::floor(a / b); }
  template <Integer T>
  static T Of(T a, T b) {
    if (DividesBadly(a, b)) return b == 0 ? T{0} : a;
    const T quotient = static_cast<T>(a / b);
    return static_cast<T>(quotient - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0));
  }
};
struct ModOf {
  static double Of(double a, double b) { return std::fmod(a, b); }
  template <Integer T>
  static T Of(T a, T b) {
    return DividesBadly(a, b) ? T{0} : static_cast<T>(a % b);
  }
};
struct FloorModOf {
  static double Of(double a, double b) {
    const double rest = std::fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
  template <Integer T>
  static T Of(T a, T b) {
    const T rest = ModOf::Of(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
  }
};
struct MaximumOf {
  static double Of(double a, double b) { return std::isnan(a) || a > b ? a : b; }
  template <Integer T>
  static T Of(T a, T b) {
    return a > b ? a : b;
  }
};
struct MinimumOf {
  static double Of(double a, double b) { return std::isnan(a) || a < b ? a : b; }
  template <Integer T>
  static T Of(T a, T b) {
    return a < b ? a : b;
  }
};
struct SquaredDifferenceOf {
  template <typename T>
  requires Number<T>
  static T Of(T a, T b) {
    const T difference = SubOf::Of(a, b);
    return MulOf::Of(difference, difference);
  }
};
struct Atan2Of {
  static double Of(double a, double b) { return std::atan2(a, b); }
};
struct AxpyOf {
  static double Of(const float* p, double a, double b) { return a + static_cast<double>(p[0]) * b; }
  template <Integer T>
  static T Of(const float* p, T a, T b) {
    return AddOf::Of(
        a, static_cast<T>(static_cast<std::int64_t>(static_cast<double>(p[0]) * static_cast<double>(b))));
  }
};

std::vector<float> Alpha(const OpContext& context) {
  if (context.node().FindAttribute("alpha") == nullptr) context.Refuse("attribute 'alpha' is required");
  return {context.node().Float("alpha", 0)};
}

// a + alpha b with alpha a scalar tensor.
std::optional<ElementFormula> AxpyV2(const OpContext& context) {
  auto formula = FunctionOfInputs(context, "MulAdd");
  if (formula) formula->steps[0].operands = {2, 1, 0};
  return formula;
}

const RegisterElementOps arithmetic({
    {"Add", "Add", PlainLoopOf<AddOf, 2>},
    {"AddV2", "Add", PlainLoopOf<AddOf, 2>},
    {"Sub", "Sub", PlainLoopOf<SubOf, 2>},
    {"Mul", "Mul", PlainLoopOf<MulOf, 2>, nullptr, DataType::kUndefined, BroadcastPromoted},
    {"MulNoNan", "MulNoNan", PlainLoopOf<MulNoNanOf, 2>},
    {"Div", "Div", PlainLoopOf<DivOf, 2>},
    {"RealDiv", "Div", PlainLoopOf<DivOf, 2>},
    {"DivNoNan", "DivNoNan", PlainLoopOf<DivNoNanOf, 2>},
    {"FloorDiv", "FloorDiv", PlainLoopOf<FloorDivOf, 2>},
    {"FloorMod", "FloorMod", PlainLoopOf<FloorModOf, 2>},
    {"Mod", "Mod", PlainLoopOf<ModOf, 2>},
    {"TruncateMod", "Mod", PlainLoopOf<ModOf, 2>},
    {"TruncateDiv", "TruncateDiv", PlainLoopOf<TruncateDivOf, 2>},
    {"Xdivy", "Xdivy", PlainLoopOf<XdivyOf, 2>},
    {"Xlogy", "Xlogy", PlainLoopOf<XlogyOf, 2>},
    {"Maximum", "Maximum", PlainLoopOf<MaximumOf, 2>},
    {"Minimum", "Minimum", PlainLoopOf<MinimumOf, 2>},
    {"SquaredDifference", "SquaredDifference", PlainLoopOf<SquaredDifferenceOf, 2>},
    {"Atan2", "Atan2", PlainLoopOf<Atan2Of, 2>},
    {"Axpy", "Axpy", PlainLoopOf<AxpyOf, 2>, Alpha},
    {"AxpyV2", "", nullptr, nullptr, DataType::kUndefined, BroadcastPromoted, AxpyV2},
});

}  // namespace
}  // namespace foothold
