// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/element_function.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/element_math.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/element_loop-inl.h"
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

FOOTHOLD_ELEMENT1(ExpOf, return Exp(d, hn::MulAdd(a, p[0], p[1])););
FOOTHOLD_ELEMENT1(LogOf, return hn::Mul(Log(d, hn::MulAdd(a, p[0], p[1])), p[2]););
FOOTHOLD_ELEMENT1(Expm1Of, return Expm1(d, a););
FOOTHOLD_ELEMENT1(Log1pOf, return Log1p(d, a););
FOOTHOLD_ELEMENT1(ErfOf, return Erf(d, a););
FOOTHOLD_ELEMENT1(TanhOf, return Tanh(d, a););
FOOTHOLD_ELEMENT1(SinOf, return Sin(d, a););
FOOTHOLD_ELEMENT1(CosOf, return Cos(d, a););

constexpr ElementFunction kMath[] = {
    Unary<ExpOf, 14>("Exp", 2),  // exp(a p0 + p1)
    Unary<LogOf, 16>("Log", 3),  // log(a p0 + p1) p2
    Unary<Expm1Of, 24>("Expm1"), Unary<Log1pOf, 20>("Log1p"), Unary<ErfOf, 20>("Erf"),
    Unary<TanhOf, 16>("Tanh"),   Unary<SinOf, 20>("Sin"),     Unary<CosOf, 20>("Cos"),
};

std::span<const ElementFunction> MathTable() {
  return kMath;
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(MathTable);
}  // namespace

std::span<const ElementFunction> MathFunctions() {
  return HWY_DYNAMIC_DISPATCH(MathTable)();
}

}  // namespace foothold
#endif
