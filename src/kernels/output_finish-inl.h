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

// Of numbers from 1 to 2^126. The estimate of x86 has 12 bits, so one step of Newton is enough, and takes less
// time than a division.
template <class D>
HWY_INLINE hn::Vec<D> Reciprocal(D d, hn::Vec<D> size) {
#if HWY_ARCH_X86
  const auto estimate = hn::ApproximateReciprocal(size);
  return hn::Mul(estimate, hn::NegMulAdd(size, estimate, hn::Set(d, 2.0f)));
#else
  return hn::Div(hn::Set(d, 1.0f), size);
#endif
}

// 1 / (1 + exp(-x)) within 3e-7 of the largest value, which is 1. Powers of two by a polynomial of the fraction
// and the exponent's bits.
template <class D>
HWY_INLINE hn::Vec<D> Logistic(D d, hn::Vec<D> x) {
  const hn::RebindToSigned<D> di;
  const auto per_power = hn::Set(d, -1.44269504f);
  const auto near = AtMost(d, AtLeast(d, x, -87.0f), 87.0f);
  const auto power = hn::Round(hn::Mul(near, per_power));
  const auto fraction = hn::MulSub(near, per_power, power);
  const auto root = Horner(d, fraction, 1.000000119f, 6.931469440e-1f, 2.402212024e-1f, 5.550713465e-2f,
                           9.675540961e-3f, 1.327646663e-3f);
  const auto shift = hn::ShiftLeft<23>(hn::ConvertTo(di, power));
  const auto exp = hn::BitCast(d, hn::Add(hn::BitCast(di, root), shift));
  return Reciprocal(d, hn::Add(exp, hn::Set(d, 1.0f)));
}

template <class D>
HWY_INLINE hn::Vec<D> Silu(D d, hn::Vec<D> x) {
  return hn::Mul(x, Logistic(d, x));
}

template <class D>
HWY_INLINE hn::Vec<D> HardSwish(D d, hn::Vec<D> x) {
  const auto gate = hn::MulAdd(x, hn::Set(d, 1.0f / 6.0f), hn::Set(d, 0.5f));
  return hn::Mul(x, AtMost(d, AtLeast(d, gate, 0.0f), 1.0f));
}

template <class D>
HWY_INLINE hn::Vec<D> LeakyRelu(D d, hn::Vec<D> x, const ActivationSpec& spec) {
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(x, hn::Set(d, spec.slope)), x);
}

// Three vectors at a time: each is a chain of operations that wait for each other.
template <class D, typename Function>
HWY_INLINE void ChangeEach(D d, float* data, std::size_t count, const Function& function) {
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 3 * lanes <= count; i += 3 * lanes) {
    const auto first = function(hn::LoadU(d, data + i));
    const auto second = function(hn::LoadU(d, data + i + lanes));
    const auto third = function(hn::LoadU(d, data + i + 2 * lanes));
    hn::StoreU(first, d, data + i);
    hn::StoreU(second, d, data + i + lanes);
    hn::StoreU(third, d, data + i + 2 * lanes);
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
      return ChangeEach(d, data, count, [&](V x) HWY_ATTR { return Logistic(d, x); });
    case Activation::kSilu:
      return ChangeEach(d, data, count, [&](V x) HWY_ATTR { return Silu(d, x); });
    case Activation::kHardSwish:
      return ChangeEach(d, data, count, [&](V x) HWY_ATTR { return HardSwish(d, x); });
    case Activation::kClip:
      return;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#endif
