// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Activations on vectors, for the kernels that finish outputs (output_finish.h); included once per target.
#if defined(FOOTHOLD_KERNELS_OUTPUT_FINISH) == defined(HWY_TARGET_TOGGLE)
#ifdef FOOTHOLD_KERNELS_OUTPUT_FINISH
#undef FOOTHOLD_KERNELS_OUTPUT_FINISH
#else
#define FOOTHOLD_KERNELS_OUTPUT_FINISH
#endif

#include "hwy/highway.h"
#include "kernels/output_finish.h"
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::Vec<D> Clip(D d, hn::Vec<D> x, const ActivationSpec& spec) {
  return AtMost(d, AtLeast(d, x, spec.low), spec.high);
}

// x / (1 + exp(-x)); one step of Newton on the estimate takes less time than a division, and needs a finite
// divisor.
template <class D>
HWY_INLINE hn::Vec<D> Silu(D d, hn::Vec<D> x) {
  const auto size = hn::Add(hn::Set(d, 1.0f), ExpForSums(d, AtMost(d, hn::Neg(x), 87.0f)));
  const auto estimate = hn::ApproximateReciprocal(size);
  return hn::Mul(x, hn::Mul(estimate, hn::NegMulAdd(size, estimate, hn::Set(d, 2.0f))));
}

template <class D>
HWY_INLINE hn::Vec<D> HardSwish(D d, hn::Vec<D> x) {
  const auto gate = hn::MulAdd(x, hn::Set(d, 1.0f / 6.0f), hn::Set(d, 0.5f));
  return hn::Mul(x, AtMost(d, AtLeast(d, gate, 0.0f), 1.0f));
}

template <class D>
HWY_INLINE hn::Vec<D> Gelu(D d, hn::Vec<D> x) {
  const auto half = hn::Mul(x, hn::Set(d, 0.5f));
  return hn::MulAdd(half, Erf(d, hn::Mul(x, hn::Set(d, 0.707106781f))), half);
}

// 0.5 (1 + tanh(u)) is the sigmoid of 2 u.
template <class D>
HWY_INLINE hn::Vec<D> TanhGelu(D d, hn::Vec<D> x) {
  const auto factor = hn::MulAdd(hn::Mul(x, x), hn::Set(d, -0.0713548162726f), hn::Set(d, -1.59576912161f));
  return hn::Div(x, hn::Add(hn::Set(d, 1.0f), ExpForSums(d, hn::Mul(x, factor))));
}

template <class D>
HWY_INLINE hn::Vec<D> LeakyRelu(D d, hn::Vec<D> x, const ActivationSpec& spec) {
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(x, hn::Set(d, spec.slope)), x);
}

// Two vectors at a time: each is a chain of operations that wait for each other.
template <class D, typename Function>
HWY_INLINE void ChangeEach(D d, float* data, std::size_t count, const Function& function) {
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    const auto first = function(hn::LoadU(d, data + i));
    const auto second = function(hn::LoadU(d, data + i + lanes));
    hn::StoreU(first, d, data + i);
    hn::StoreU(second, d, data + i + lanes);
  }
  for (; i < count; i += lanes)
    hn::StoreU(function(hn::LoadU(d, data + i)), d, data + i);
}

// Everything but clipping, which is done where the sums are; `count` is a multiple of the lanes.
template <class D>
HWY_INLINE void Activate(D d, const ActivationSpec& spec, float* data, std::size_t count) {
  using V = hn::Vec<D>;
  switch (spec.kind) {
    case Activation::kLeakyRelu:
      return ChangeEach(d, data, count, [&](V x) HWY_ATTR { return LeakyRelu(d, x, spec); });
    case Activation::kSigmoid:
      return ChangeEach(d, data, count, [&](V x) HWY_ATTR { return Sigmoid(d, x); });
    case Activation::kSilu:
      return ChangeEach(d, data, count, [&](V x) HWY_ATTR { return Silu(d, x); });
    case Activation::kHardSwish:
      return ChangeEach(d, data, count, [&](V x) HWY_ATTR { return HardSwish(d, x); });
    case Activation::kGelu:
      return ChangeEach(d, data, count, [&](V x) HWY_ATTR { return Gelu(d, x); });
    case Activation::kTanhGelu:
      return ChangeEach(d, data, count, [&](V x) HWY_ATTR { return TanhGelu(d, x); });
    case Activation::kClip:
      return;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#endif
