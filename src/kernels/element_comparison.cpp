// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/element_function.h"

#include <cmath>

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/element_comparison.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/element_loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

HWY_INLINE Floats Truth(hn::Mask<FloatTag> mask) {
  return hn::IfThenElseZero(mask, hn::Set(FloatTag(), 1.0f));
}

// A NaN is not equal to anything, which the vector comparison for inequality does not say everywhere.
HWY_INLINE Floats Untruth(hn::Mask<FloatTag> mask) {
  return hn::IfThenZeroElse(mask, hn::Set(FloatTag(), 1.0f));
}

FOOTHOLD_ELEMENT2(LessOf, return Truth(hn::Lt(a, b)););
FOOTHOLD_ELEMENT2(LessEqualOf, return Truth(hn::Le(a, b)););
FOOTHOLD_ELEMENT2(GreaterOf, return Truth(hn::Gt(a, b)););
FOOTHOLD_ELEMENT2(GreaterEqualOf, return Truth(hn::Ge(a, b)););
FOOTHOLD_ELEMENT2(EqualOf, return Truth(hn::Eq(a, b)););
FOOTHOLD_ELEMENT2(NotEqualOf, return Untruth(hn::Eq(a, b)););
FOOTHOLD_ELEMENT2(AndOf, const auto zero = hn::Zero(d);
                  return Truth(hn::And(hn::Ne(a, zero), hn::Ne(b, zero))););
FOOTHOLD_ELEMENT2(OrOf, const auto zero = hn::Zero(d);
                  return Truth(hn::Or(hn::Ne(a, zero), hn::Ne(b, zero))););
FOOTHOLD_ELEMENT1(NotOf, return Truth(hn::Eq(a, hn::Zero(d))););
FOOTHOLD_ELEMENT1(NotZeroOf, return Untruth(hn::Eq(a, hn::Zero(d))););
FOOTHOLD_ELEMENT1(IsNanOf, return Truth(hn::IsNaN(a)););
FOOTHOLD_ELEMENT1(IsInfOf, return Truth(hn::Eq(hn::Abs(a), hn::Set(d, HUGE_VALF))););
FOOTHOLD_ELEMENT1(IsFiniteOf, return Truth(hn::Lt(hn::Abs(a), hn::Set(d, HUGE_VALF))););
FOOTHOLD_ELEMENT1(ThresholdOf, return Truth(hn::Gt(a, p[0])););
FOOTHOLD_ELEMENT3(SelectOf, return hn::IfThenElse(hn::Ne(a, hn::Zero(d)), b, c););

constexpr ElementFunction kComparison[] = {
    Binary<LessOf, 1>("Less"),        Binary<LessEqualOf, 1>("LessEqual"),
    Binary<GreaterOf, 1>("Greater"),  Binary<GreaterEqualOf, 1>("GreaterEqual"),
    Binary<EqualOf, 1>("Equal"),      Binary<NotEqualOf, 1>("NotEqual"),
    Binary<AndOf, 1>("And"),          Binary<OrOf, 1>("Or"),
    Unary<NotOf, 1>("Not"),           Unary<NotZeroOf, 1>("NotZero"),
    Unary<IsNanOf, 1>("IsNan"),       Unary<IsInfOf, 1>("IsInf"),
    Unary<IsFiniteOf, 1>("IsFinite"), Unary<ThresholdOf, 1>("Threshold", 1),  // a > p0
    Ternary<SelectOf, 2>("Select"),                                           // a ? b : c
};

std::span<const ElementFunction> ComparisonTable() {
  return kComparison;
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(ComparisonTable);
}  // namespace

std::span<const ElementFunction> ComparisonFunctions() {
  return HWY_DYNAMIC_DISPATCH(ComparisonTable)();
}

}  // namespace foothold
#endif
