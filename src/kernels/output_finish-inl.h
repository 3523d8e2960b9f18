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
HWY_INLINE hn::Vec<D> Activated(D d, hn::Vec<D> x, const ActivationSpec& spec) {
  switch (spec.kind) {
    case Activation::kLeakyRelu:
      return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(x, hn::Set(d, spec.slope)), x);
    case Activation::kSigmoid:
      return Sigmoid(d, x);
    case Activation::kSilu:
      return Silu(d, x);
    case Activation::kHardSwish:
      return HardSwish(d, x);
    default:
      return Clip(d, x, spec);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#endif
