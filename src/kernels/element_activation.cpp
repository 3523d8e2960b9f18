// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/element_function.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/element_activation.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/element_loop-inl.h"
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

FOOTHOLD_ELEMENT1(ReluOf, return hn::IfThenZeroElse(hn::Lt(a, hn::Zero(d)), a););
FOOTHOLD_ELEMENT1(Relu6Of, return AtMost(d, hn::IfThenZeroElse(hn::Lt(a, hn::Zero(d)), a), 6.0f););
FOOTHOLD_ELEMENT1(LeakyReluOf, return hn::IfThenElse(hn::Gt(a, hn::Zero(d)), a, hn::Mul(a, p[0])););
FOOTHOLD_ELEMENT2(PReluOf, return hn::IfThenElse(hn::Gt(a, hn::Zero(d)), a, hn::Mul(a, b)););
FOOTHOLD_ELEMENT1(EluOf, const auto below = hn::Mul(p[1], Expm1(d, hn::Mul(a, p[2])));
                  return hn::IfThenElse(hn::Gt(a, hn::Zero(d)), hn::Mul(a, p[0]), below););
FOOTHOLD_ELEMENT1(SigmoidOf, return Sigmoid(d, a););
FOOTHOLD_ELEMENT1(SwishOf, const auto one = hn::Set(d, 1.0f);
                  return hn::Div(a, hn::Add(one, ExpForSums(d, hn::Neg(hn::Mul(a, p[0]))))););
// tanh(log(1 + e)) is e (e + 2) / (e (e + 2) + 2), and 1 long before e overflows.
FOOTHOLD_ELEMENT1(MishOf, const auto two = hn::Set(d, 2.0f); const auto e = Exp(d, AtMost(d, a, 20.0f));
                  const auto t = hn::Mul(e, hn::Add(e, two));
                  return hn::Mul(a, hn::Div(t, hn::Add(t, two))););
FOOTHOLD_ELEMENT1(HardSigmoidOf, const auto line = hn::MulAdd(a, p[0], p[1]);
                  return AtMost(d, AtLeast(d, line, 0.0f), 1.0f););
FOOTHOLD_ELEMENT1(HardSwishOf,
                  const auto gate = AtMost(d, AtLeast(d, hn::Add(a, hn::Set(d, 3.0f)), 0.0f), 6.0f);
                  return hn::Mul(hn::Mul(a, gate), hn::Set(d, 1.0f / 6)););
// 0.5 (1 + tanh(u)) is the sigmoid of 2 u.
FOOTHOLD_ELEMENT1(GeluOf, const auto cubic = hn::MulAdd(hn::Mul(a, a), hn::Set(d, -0.0713548162726f),
                                                        hn::Set(d, -1.59576912161f));
                  const auto e = ExpForSums(d, hn::Mul(a, cubic));
                  return hn::Div(a, hn::Add(hn::Set(d, 1.0f), e)););
FOOTHOLD_ELEMENT1(ErfGeluOf, const auto half = hn::Mul(a, hn::Set(d, 0.5f));
                  return hn::MulAdd(half, Erf(d, hn::Mul(a, hn::Set(d, 0.707106781f))), half););
FOOTHOLD_ELEMENT1(SoftplusOf, return Softplus(d, a););
FOOTHOLD_ELEMENT1(SoftplusToOf, const auto scaled = hn::Mul(a, p[0]);
                  const auto curve = hn::Div(Softplus(d, scaled), p[0]);
                  return hn::IfThenElse(hn::Gt(scaled, p[1]), a, curve););
FOOTHOLD_ELEMENT1(LogSigmoidOf, return hn::Neg(Softplus(d, hn::Neg(a))););
FOOTHOLD_ELEMENT1(SoftsignOf, return hn::Div(a, hn::Add(hn::Set(d, 1.0f), hn::Abs(a))););
FOOTHOLD_ELEMENT1(ThresholdedReluOf, return hn::IfThenZeroElse(hn::Le(a, p[0]), a););
FOOTHOLD_ELEMENT1(ShrinkOf, const auto moved = hn::Sub(a, hn::CopySign(p[1], a));
                  return hn::IfThenZeroElse(hn::Le(hn::Abs(a), p[0]), moved););

constexpr ElementFunction kActivation[] = {
    Unary<ReluOf, 1>("Relu"),
    Unary<Relu6Of, 2>("Relu6"),
    Unary<LeakyReluOf, 2>("LeakyRelu", 1),  // below 0: a p0
    Binary<PReluOf, 2>("PRelu"),            // below 0: a b
    Unary<EluOf, 26>("Elu", 3),             // above 0: a p0, below: p1 (exp(a p2) - 1)
    Unary<SigmoidOf, 14>("Sigmoid"),
    Unary<SwishOf, 14>("Swish", 1),  // a sigmoid(a p0)
    Unary<MishOf, 16>("Mish"),
    Unary<HardSigmoidOf, 2>("HardSigmoid", 2),  // a p0 + p1 within [0, 1]
    Unary<HardSwishOf, 3>("HardSwish"),
    Unary<GeluOf, 16>("Gelu"),  // the tanh form
    Unary<ErfGeluOf, 22>("ErfGelu"),
    Unary<SoftplusOf, 36>("Softplus"),
    Unary<SoftplusToOf, 38>("SoftplusTo", 2),  // softplus(a p0) / p0, and a where a p0 is above p1
    Unary<LogSigmoidOf, 36>("LogSigmoid"),
    Unary<SoftsignOf, 2>("Softsign"),
    Unary<ThresholdedReluOf, 1>("ThresholdedRelu", 1),  // 0 up to p0
    Unary<ShrinkOf, 2>("Shrink", 2),                    // 0 within p0 around 0, else nearer to 0 by p1
};

std::span<const ElementFunction> ActivationTable() {
  return kActivation;
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(ActivationTable);
}  // namespace

std::span<const ElementFunction> ActivationFunctions() {
  return HWY_DYNAMIC_DISPATCH(ActivationTable)();
}

}  // namespace foothold
#endif
