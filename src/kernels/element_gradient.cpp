// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/element_function.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/element_gradient.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/element_loop-inl.h"
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

// Each is the gradient that arrives times the derivative of a function, by its value or its argument.
FOOTHOLD_ELEMENT2(ReluGradOf, return hn::IfThenElseZero(hn::Gt(b, hn::Zero(d)), a););
FOOTHOLD_ELEMENT2(Relu6GradOf,
                  const auto inside = hn::And(hn::Gt(b, hn::Zero(d)), hn::Lt(b, hn::Set(d, 6.0f)));
                  return hn::IfThenElseZero(inside, a););
FOOTHOLD_ELEMENT2(LeakyReluGradOf, return hn::IfThenElse(hn::Gt(b, hn::Zero(d)), a, hn::Mul(a, p[0])););
FOOTHOLD_ELEMENT2(EluGradOf, return hn::IfThenElse(hn::Gt(b, hn::Zero(d)), a, hn::MulAdd(a, b, a)););
FOOTHOLD_ELEMENT2(SoftplusGradOf, return hn::Mul(a, Sigmoid(d, b)););
FOOTHOLD_ELEMENT2(SigmoidGradOf, return hn::Mul(b, hn::Mul(a, hn::Sub(hn::Set(d, 1.0f), a))););
FOOTHOLD_ELEMENT2(TanhGradOf, return hn::Mul(b, hn::NegMulAdd(a, a, hn::Set(d, 1.0f))););
FOOTHOLD_ELEMENT2(SqrtGradOf, return hn::Div(hn::Mul(b, hn::Set(d, 0.5f)), a););
FOOTHOLD_ELEMENT2(RsqrtGradOf, return hn::Mul(hn::Mul(b, hn::Set(d, -0.5f)), hn::Mul(a, hn::Mul(a, a))););
FOOTHOLD_ELEMENT2(ReciprocalGradOf, return hn::Neg(hn::Mul(b, hn::Mul(a, a))););
FOOTHOLD_ELEMENT2(SwishGradOf, const auto one = hn::Set(d, 1.0f); const auto scaled = hn::Mul(b, p[0]);
                  const auto s = Sigmoid(d, scaled);
                  return hn::Mul(a, hn::Mul(s, hn::MulAdd(scaled, hn::Sub(one, s), one))););
// x s(x) with s the sigmoid of u(x) = x (k + 3-fold cubic term): s + x u' s (1 - s).
FOOTHOLD_ELEMENT2(GeluGradOf, const auto one = hn::Set(d, 1.0f); const auto square = hn::Mul(b, b);
                  const auto k = hn::Set(d, 1.59576912161f); const auto k3 = hn::Set(d, 0.0713548162726f);
                  const auto s = Sigmoid(d, hn::Mul(b, hn::MulAdd(square, k3, k)));
                  const auto slope = hn::Mul(b, hn::MulAdd(square, hn::Mul(k3, hn::Set(d, 3.0f)), k));
                  return hn::Mul(a, hn::Mul(s, hn::MulAdd(slope, hn::Sub(one, s), one))););

FOOTHOLD_ELEMENT2(EluValueGradOf, const auto below = hn::Mul(hn::Mul(a, p[2]), hn::Add(b, p[1]));
                  return hn::IfThenElse(hn::Gt(b, hn::Zero(d)), hn::Mul(a, p[0]), below););
FOOTHOLD_ELEMENT2(EluArgumentGradOf, const auto e = Exp(d, hn::Mul(b, p[2]));
                  const auto below = hn::Mul(hn::Mul(a, hn::Mul(p[1], p[2])), e);
                  return hn::IfThenElse(hn::Gt(b, hn::Zero(d)), hn::Mul(a, p[0]), below););
FOOTHOLD_ELEMENT2(HardSwishGradOf, const auto three = hn::Set(d, 3.0f);
                  const auto slope = hn::MulAdd(b, hn::Set(d, 1.0f / 3), hn::Set(d, 0.5f));
                  const auto inside = hn::IfThenElse(hn::Gt(b, three), a, hn::Mul(a, slope));
                  return hn::IfThenZeroElse(hn::Lt(b, hn::Neg(three)), inside););
FOOTHOLD_ELEMENT2(ThresholdGradOf, return hn::IfThenElseZero(hn::Gt(b, p[0]), a););

constexpr ElementFunction kGradient[] = {
    Binary<ReluGradOf, 1>("ReluGrad"),               // gradient, argument
    Binary<Relu6GradOf, 2>("Relu6Grad"),             // gradient, argument
    Binary<LeakyReluGradOf, 2>("LeakyReluGrad", 1),  // gradient, argument
    Binary<EluGradOf, 2>("EluGrad"),                 // gradient, value
    Binary<EluValueGradOf, 2>("EluValueGrad", 3),    // gradient, value; slope p0 above 0, below p2 (b + p1)
    Binary<EluArgumentGradOf, 18>("EluArgumentGrad", 3),  // gradient, argument; the same parameters
    Binary<HardSwishGradOf, 3>("HardSwishGrad"),          // gradient, argument
    Binary<ThresholdGradOf, 1>("ThresholdGrad", 1),       // gradient, argument; 0 up to p0
    Binary<SoftplusGradOf, 16>("SoftplusGrad"),           // gradient, argument
    Binary<SwishGradOf, 18>("SwishGrad", 1),              // gradient, argument
    Binary<GeluGradOf, 20>("GeluGrad"),                   // gradient, argument
    Binary<SigmoidGradOf, 1>("SigmoidGrad"),              // value, gradient
    Binary<TanhGradOf, 1>("TanhGrad"),                    // value, gradient
    Binary<SqrtGradOf, 2>("SqrtGrad"),                    // value, gradient
    Binary<RsqrtGradOf, 2>("RsqrtGrad"),                  // value, gradient
    Binary<ReciprocalGradOf, 2>("ReciprocalGrad"),        // value, gradient
};

std::span<const ElementFunction> GradientTable() {
  return kGradient;
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(GradientTable);
}  // namespace

std::span<const ElementFunction> GradientFunctions() {
  return HWY_DYNAMIC_DISPATCH(GradientTable)();
}

}  // namespace foothold
#endif
