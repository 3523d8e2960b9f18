// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Logic on truth values and on the bits of integers, with broadcasting.
#include <numeric>

#include "ops/elementwise/element_op.h"

namespace foothold {
namespace {

struct LogicalAndOf {
  static bool Of(bool a, bool b) { return a && b; }
};
struct LogicalOrOf {
  static bool Of(bool a, bool b) { return a || b; }
};
struct LogicalNotOf {
  static bool Of(bool a) { return !a; }
};
struct BitwiseAndOf {
  template <std::integral T>
  static T Of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct BitwiseOrOf {
  template <std::integral T>
  static T Of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct BitwiseXorOf {
  template <std::integral T>
  static T Of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct InvertOf {
  template <Integer T>
  static T Of(T a) {
    return static_cast<T>(~a);
  }
};

template <class Function, int operands>
PlainLoop OfTruths(DataType type) {
  return type == DataType::kBool ? PlainLoopOf<Function, operands>(type) : PlainLoop();
}

// Truth values that another step makes are 0 or 1 in a block of floats, where they can stay.
template <const char* function>
std::optional<ElementFormula> FormulaOfTruths(const OpContext& context) {
  ElementFormula formula{context.Out(0).dims, {}, {{function, {}, {}}}, {{context.inputs(), 0}}};
  for (int port = 0; port < context.inputs(); ++port) {
    if (context.In(port).type != DataType::kBool) return std::nullopt;
    formula.operands.push_back({port, context.InDims(port)});
    formula.steps[0].operands.push_back(port);
  }
  return formula;
}

constexpr char kAnd[] = "And", kOr[] = "Or", kNot[] = "Not";

struct GcdOf {
  template <std::integral T>
  static T Of(T a, T b) {
    return static_cast<T>(std::gcd(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b)));
  }
};

const RegisterElementOps logical({
    {"AclnnGcd", "", PlainLoopOf<GcdOf, 2>},
    {"LogicalAnd", "", OfTruths<LogicalAndOf, 2>},
    {"LogicalOr", "", OfTruths<LogicalOrOf, 2>},
    {"LogicalNot", "", OfTruths<LogicalNotOf, 1>},
    {"BitwiseAnd", "", PlainLoopOf<BitwiseAndOf, 2>},
    {"BitwiseOr", "", PlainLoopOf<BitwiseOrOf, 2>},
    {"BitwiseXor", "", PlainLoopOf<BitwiseXorOf, 2>},
    {"Invert", "", PlainLoopOf<InvertOf, 1>},
});

// For fusing only: alone, bytes are faster.
struct RegisterTruths {
  RegisterTruths() {
    AddFormulaRule("LogicalAnd", FormulaOfTruths<kAnd>);
    AddFormulaRule("LogicalOr", FormulaOfTruths<kOr>);
    AddFormulaRule("LogicalNot", FormulaOfTruths<kNot>);
  }
};
const RegisterTruths truths;

}  // namespace
}  // namespace foothold
