// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/elementwise/complex_loop.h"

#include <cmath>
#include <complex>

namespace foothold {
namespace {

template <typename C>
using Part = typename C::value_type;

template <auto function>
struct OfOne {
  template <typename C>
  static C Of(C a) {
    return static_cast<C>(function(std::complex<double>(a)));
  }
};
template <auto function>
struct OfTwo {
  template <typename C>
  static C Of(C a, C b) {
    return function(a, b);
  }
};
struct EqualOf {
  template <typename C>
  static bool Of(C a, C b) {
    return a == b;
  }
};
struct NotEqualOf {
  template <typename C>
  static bool Of(C a, C b) {
    return !(a == b);
  }
};
template <auto function, bool both>
struct PartsAre {
  template <typename C>
  static bool Of(C a) {
    const bool real = function(static_cast<double>(a.real())), imag = function(static_cast<double>(a.imag()));
    return both ? real && imag : real || imag;
  }
};
struct ExpOf {
  template <typename C>
  static C Of(const float* p, C a) {
    return static_cast<C>(
        std::exp(std::complex<double>(a) * static_cast<double>(p[0]) + static_cast<double>(p[1])));
  }
};
struct LogOf {
  template <typename C>
  static C Of(const float* p, C a) {
    return static_cast<C>(
        std::log(std::complex<double>(a) * static_cast<double>(p[0]) + static_cast<double>(p[1])) *
        static_cast<double>(p[2]));
  }
};
struct AbsOf {
  template <typename C>
  static Part<C> Of(C a) {
    return std::abs(a);
  }
};
struct RealOf {
  template <typename C>
  static Part<C> Of(C a) {
    return a.real();
  }
};
struct ImagOf {
  template <typename C>
  static Part<C> Of(C a) {
    return a.imag();
  }
};

using Wide = std::complex<double>;
constexpr auto kNeg = [](Wide a) { return -a; };
constexpr auto kConj = [](Wide a) { return std::conj(a); };
constexpr auto kSquare = [](Wide a) { return a * a; };
constexpr auto kReciprocal = [](Wide a) { return 1.0 / a; };
constexpr auto kSqrt = [](Wide a) { return std::sqrt(a); };
constexpr auto kRsqrt = [](Wide a) { return 1.0 / std::sqrt(a); };
constexpr auto kSign = [](Wide a) { return a == 0.0 ? Wide(0) : a / std::abs(a); };
constexpr auto kSigmoid = [](Wide a) { return 1.0 / (1.0 + std::exp(-a)); };
constexpr auto kSin = [](Wide a) { return std::sin(a); };
constexpr auto kCos = [](Wide a) { return std::cos(a); };
constexpr auto kTan = [](Wide a) { return std::tan(a); };
constexpr auto kAsin = [](Wide a) { return std::asin(a); };
constexpr auto kAcos = [](Wide a) { return std::acos(a); };
constexpr auto kAtan = [](Wide a) { return std::atan(a); };
constexpr auto kSinh = [](Wide a) { return std::sinh(a); };
constexpr auto kCosh = [](Wide a) { return std::cosh(a); };
constexpr auto kTanh = [](Wide a) { return std::tanh(a); };
constexpr auto kAsinh = [](Wide a) { return std::asinh(a); };
constexpr auto kAcosh = [](Wide a) { return std::acosh(a); };
constexpr auto kAtanh = [](Wide a) { return std::atanh(a); };
constexpr auto kAdd = [](auto a, auto b) { return a + b; };
constexpr auto kSub = [](auto a, auto b) { return a - b; };
constexpr auto kMul = [](auto a, auto b) { return a * b; };
constexpr auto kDiv = [](auto a, auto b) { return a / b; };
constexpr auto kPow = [](auto a, auto b) {
  using C = decltype(a);
  return b == C(0) ? C(1) : static_cast<C>(std::pow(Wide(a), Wide(b)));
};
constexpr auto kIsNan = [](double a) { return std::isnan(a); };
constexpr auto kIsInf = [](double a) { return std::isinf(a); };
constexpr auto kIsFinite = [](double a) { return std::isfinite(a); };

template <typename Function, typename... Operands>
constexpr PlainLoop kLoop = {&plain_loop_detail::Runner<Function, Operands...>::Run, sizeof...(Operands)};

struct Row {
  std::string_view op;
  PlainLoop narrow, wide;
};

template <typename Function>
constexpr Row One(std::string_view op) {
  return {op, kLoop<Function, std::complex<float>>, kLoop<Function, std::complex<double>>};
}
template <typename Function>
constexpr Row Two(std::string_view op) {
  return {op, kLoop<Function, std::complex<float>, std::complex<float>>,
          kLoop<Function, std::complex<double>, std::complex<double>>};
}

const Row kRows[] = {
    Two<OfTwo<kAdd>>("Add"),
    Two<OfTwo<kAdd>>("AddV2"),
    Two<OfTwo<kSub>>("Sub"),
    Two<OfTwo<kMul>>("Mul"),
    Two<OfTwo<kDiv>>("RealDiv"),
    Two<OfTwo<kDiv>>("Div"),
    Two<OfTwo<kPow>>("Pow"),
    Two<EqualOf>("Equal"),
    Two<NotEqualOf>("NotEqual"),
    One<PartsAre<kIsNan, false>>("IsNan"),
    One<PartsAre<kIsInf, false>>("IsInf"),
    One<PartsAre<kIsFinite, true>>("IsFinite"),
    One<OfOne<kNeg>>("Neg"),
    One<OfOne<kConj>>("Conj"),
    One<OfOne<kSquare>>("Square"),
    One<OfOne<kReciprocal>>("Reciprocal"),
    One<OfOne<kReciprocal>>("Inv"),
    One<OfOne<kSqrt>>("Sqrt"),
    One<OfOne<kRsqrt>>("Rsqrt"),
    One<OfOne<kSign>>("Sign"),
    One<OfOne<kSigmoid>>("Sigmoid"),
    One<OfOne<kSin>>("Sin"),
    One<OfOne<kCos>>("Cos"),
    One<OfOne<kTan>>("Tan"),
    One<OfOne<kAsin>>("Asin"),
    One<OfOne<kAcos>>("Acos"),
    One<OfOne<kAtan>>("Atan"),
    One<OfOne<kSinh>>("Sinh"),
    One<OfOne<kCosh>>("Cosh"),
    One<OfOne<kTanh>>("Tanh"),
    One<OfOne<kAsinh>>("Asinh"),
    One<OfOne<kAcosh>>("Acosh"),
    One<OfOne<kAtanh>>("Atanh"),
    One<ExpOf>("Exp"),
    One<LogOf>("Log"),
    One<AbsOf>("ComplexAbs"),
    One<RealOf>("Real"),
    One<ImagOf>("Imag"),
};

}  // namespace

PlainLoop ComplexLoop(std::string_view op, DataType type) {
  if (type != DataType::kComplex64 && type != DataType::kComplex128) return {};
  for (const Row& row : kRows)
    if (row.op == op) return type == DataType::kComplex64 ? row.narrow : row.wide;
  return {};
}

}  // namespace foothold
