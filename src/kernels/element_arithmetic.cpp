// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/element_function.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/element_arithmetic.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/element_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

FOOTHOLD_ELEMENT2(AddOf, return hn::Add(a, b););
FOOTHOLD_ELEMENT2(SubOf, return hn::Sub(a, b););
FOOTHOLD_ELEMENT2(MulOf, return hn::Mul(a, b););
FOOTHOLD_ELEMENT2(DivOf, return hn::Div(a, b););
FOOTHOLD_ELEMENT2(DivNoNanOf, return hn::IfThenZeroElse(hn::Eq(b, hn::Zero(d)), hn::Div(a, b)););
FOOTHOLD_ELEMENT2(MulNoNanOf, return hn::IfThenZeroElse(hn::Eq(b, hn::Zero(d)), hn::Mul(a, b)););
FOOTHOLD_ELEMENT2(XdivyOf, return hn::IfThenZeroElse(hn::Eq(a, hn::Zero(d)), hn::Div(a, b)););
FOOTHOLD_ELEMENT2(FloorDivOf, return hn::Floor(hn::Div(a, b)););
FOOTHOLD_ELEMENT2(TruncateDivOf, return hn::Trunc(hn::Div(a, b)););
// A NaN in either place wins.
FOOTHOLD_ELEMENT2(MaximumOf, return hn::IfThenElse(hn::Or(hn::IsNaN(a), hn::Gt(a, b)), a, b););
FOOTHOLD_ELEMENT2(MinimumOf, return hn::IfThenElse(hn::Or(hn::IsNaN(a), hn::Lt(a, b)), a, b););
FOOTHOLD_ELEMENT2(SquaredDifferenceOf, const auto e = hn::Sub(a, b); return hn::Mul(e, e););
FOOTHOLD_ELEMENT2(AxpyOf, return hn::MulAdd(p[0], b, a););
FOOTHOLD_ELEMENT3(MulAddOf, return hn::MulAdd(a, b, c););
FOOTHOLD_ELEMENT3(NegMulAddOf, return hn::NegMulAdd(a, b, c););
// The lower bound first: with crossed bounds the upper one is the result.
FOOTHOLD_ELEMENT3(ClipOf, const auto high = hn::IfThenElse(hn::Lt(a, b), b, a);
                  return hn::IfThenElse(hn::Gt(high, c), c, high););

FOOTHOLD_ELEMENT1(CopyOf, return a;);
FOOTHOLD_ELEMENT1(AbsOf, return hn::Abs(a););
FOOTHOLD_ELEMENT1(NegOf, return hn::Neg(a););
FOOTHOLD_ELEMENT1(SignOf, const auto zero = hn::Zero(d); const auto sign = hn::CopySign(hn::Set(d, 1.0f), a);
                  return hn::IfThenElse(hn::Or(hn::Lt(a, zero), hn::Gt(a, zero)), sign, a););
FOOTHOLD_ELEMENT1(SquareOf, return hn::Mul(a, a););
FOOTHOLD_ELEMENT1(CubeOf, return hn::Mul(hn::Mul(a, a), a););
FOOTHOLD_ELEMENT1(ReciprocalOf, return hn::Div(hn::Set(d, 1.0f), a););
FOOTHOLD_ELEMENT1(SqrtOf, return hn::Sqrt(a););
FOOTHOLD_ELEMENT1(RsqrtOf, return hn::Div(hn::Set(d, 1.0f), hn::Sqrt(a)););
FOOTHOLD_ELEMENT1(FloorOf, return hn::Floor(a););
FOOTHOLD_ELEMENT1(CeilOf, return hn::Ceil(a););
FOOTHOLD_ELEMENT1(RintOf, return hn::Round(a););
FOOTHOLD_ELEMENT1(TruncOf, return hn::Trunc(a););
FOOTHOLD_ELEMENT1(AddByOf, return hn::Add(a, p[0]););
FOOTHOLD_ELEMENT1(MulByOf, return hn::Mul(a, p[0]););
FOOTHOLD_ELEMENT1(AffineOf, return hn::MulAdd(a, p[0], p[1]););
FOOTHOLD_ELEMENT1(ClipToOf, const auto high = hn::IfThenElse(hn::Lt(a, p[0]), p[0], a);
                  return hn::IfThenElse(hn::Gt(high, p[1]), p[1], high););
FOOTHOLD_ELEMENT1(FiniteOrOf, const auto low = hn::IfThenElse(hn::Lt(a, hn::Zero(d)), p[2], p[1]);
                  const auto number = hn::IfThenElse(hn::IsInf(a), low, a);
                  return hn::IfThenElse(hn::IsNaN(a), p[0], number););

constexpr ElementFunction kArithmetic[] = {
    Binary<AddOf, 1>("Add"),
    Binary<SubOf, 1>("Sub"),
    Binary<MulOf, 1>("Mul"),
    Binary<DivOf, 2>("Div"),
    Binary<DivNoNanOf, 2>("DivNoNan"),
    Binary<MulNoNanOf, 2>("MulNoNan"),
    Binary<XdivyOf, 2>("Xdivy"),
    Binary<FloorDivOf, 2>("FloorDiv"),
    Binary<TruncateDivOf, 2>("TruncateDiv"),
    Binary<MaximumOf, 2>("Maximum"),
    Binary<MinimumOf, 2>("Minimum"),
    Binary<SquaredDifferenceOf, 1>("SquaredDifference"),
    Binary<AxpyOf, 1>("Axpy", 1),          // a + p0 b
    Ternary<MulAddOf, 1>("MulAdd"),        // a b + c
    Ternary<NegMulAddOf, 1>("NegMulAdd"),  // c - a b
    Ternary<ClipOf, 2>("Clip"),            // x, lower bound, upper bound
    Unary<CopyOf, 1>("Copy"),
    Unary<AbsOf, 1>("Abs"),
    Unary<NegOf, 1>("Neg"),
    Unary<SignOf, 2>("Sign"),
    Unary<SquareOf, 1>("Square"),
    Unary<CubeOf, 1>("Cube"),
    Unary<ReciprocalOf, 2>("Reciprocal"),
    Unary<SqrtOf, 2>("Sqrt"),
    Unary<RsqrtOf, 4>("Rsqrt"),
    Unary<FloorOf, 1>("Floor"),
    Unary<CeilOf, 1>("Ceil"),
    Unary<RintOf, 1>("Rint"),
    Unary<TruncOf, 1>("Trunc"),
    Unary<AddByOf, 1>("AddBy", 1),        // a + p0
    Unary<MulByOf, 1>("MulBy", 1),        // a p0
    Unary<AffineOf, 1>("Affine", 2),      // a p0 + p1
    Unary<ClipToOf, 2>("ClipTo", 2),      // within [p0, p1]
    Unary<FiniteOrOf, 2>("FiniteOr", 3),  // p0 for NaN, p1 and p2 for the infinities
};

std::span<const ElementFunction> ArithmeticTable() {
  return kArithmetic;
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(ArithmeticTable);
}  // namespace

std::span<const ElementFunction> ArithmeticFunctions() {
  return HWY_DYNAMIC_DISPATCH(ArithmeticTable)();
}

}  // namespace foothold
#endif
