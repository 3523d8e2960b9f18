// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Comparisons, with broadcasting, and tests of single numbers: the result is bool.
#include <cmath>

#include "ops/elementwise/element_op.h"

namespace foothold {
namespace {

struct LessOf {
  template <typename T>
  static bool Of(T a, T b) {
    return a < b;
  }
};
struct LessEqualOf {
  template <typename T>
  static bool Of(T a, T b) {
    return a <= b;
  }
};
struct GreaterOf {
  template <typename T>
  static bool Of(T a, T b) {
    return a > b;
  }
};
struct GreaterEqualOf {
  template <typename T>
  static bool Of(T a, T b) {
    return a >= b;
  }
};
struct EqualOf {
  template <typename T>
  static bool Of(T a, T b) {
    return a == b;
  }
};
struct NotEqualOf {
  template <typename T>
  static bool Of(T a, T b) {
    return a != b;
  }
};
struct IsNanOf {
  template <Number T>
  static bool Of(T a) {
    return a != a;
  }
};
struct IsInfOf {
  template <Number T>
  static bool Of(T a) {
    return std::isinf(static_cast<double>(a));
  }
};
struct IsFiniteOf {
  template <Number T>
  static bool Of(T a) {
    return std::isfinite(static_cast<double>(a));
  }
};

const RegisterElementOps comparison({
    {"Less", "Less", PlainLoopOf<LessOf, 2>, nullptr, DataType::kBool},
    {"LessEqual", "LessEqual", PlainLoopOf<LessEqualOf, 2>, nullptr, DataType::kBool},
    {"Greater", "Greater", PlainLoopOf<GreaterOf, 2>, nullptr, DataType::kBool},
    {"GreaterEqual", "GreaterEqual", PlainLoopOf<GreaterEqualOf, 2>, nullptr, DataType::kBool},
    {"Equal", "Equal", PlainLoopOf<EqualOf, 2>, nullptr, DataType::kBool},
    {"NotEqual", "NotEqual", PlainLoopOf<NotEqualOf, 2>, nullptr, DataType::kBool},
    {"IsNan", "IsNan", PlainLoopOf<IsNanOf, 1>, nullptr, DataType::kBool},
    {"IsInf", "IsInf", PlainLoopOf<IsInfOf, 1>, nullptr, DataType::kBool},
    {"IsFinite", "IsFinite", PlainLoopOf<IsFiniteOf, 1>, nullptr, DataType::kBool},
});

}  // namespace
}  // namespace foothold
