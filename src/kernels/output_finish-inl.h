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

// Of numbers from 1 to 2^126. The estimate of x86 has 12 bits, so one step of Newton is enough, and takes
// less time than a division.
template <class D>
HWY_INLINE hn::Vec<D> Reciprocal(D d, hn::Vec<D> size) {
#if HWY_ARCH_X86
  const auto estimate = hn::ApproximateReciprocal(size);
  return hn::Mul(estimate, hn::NegMulAdd(size, estimate, hn::Set(d, 2.0f)));
#else
  return hn::Div(hn::Set(d, 1.0f), size);
#endif
}

// 1 / (1 + exp(-x)) within 3e-7 for three vectors: one alone is a chain of operations that wait for each
// other, so they take turns. The power of two is a whole number and a fraction: a number so large that it has
// no fraction leaves the whole one in the low bits of a sum, from where it moves into the exponent.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void Logistic(D d, V& x, V& y, V& z) {
  const hn::RebindToSigned<D> di;
  const auto per_power = hn::Set(d, -1.44269504f), large = hn::Set(d, 0x1.8p23f);
  const auto near = [&](V v) HWY_ATTR { return AtMost(d, AtLeast(d, v, -87.0f), 87.0f); };
  const auto fraction = [&](V v, V whole)
                            HWY_ATTR { return hn::MulSub(v, per_power, hn::Sub(whole, large)); };
  const auto finish = [&](V root, V whole) HWY_ATTR {
    const auto exponent = hn::ShiftLeft<23>(hn::BitCast(di, whole));
    const auto exp = hn::BitCast(d, hn::Add(hn::BitCast(di, root), exponent));
    return Reciprocal(d, hn::Add(exp, hn::Set(d, 1.0f)));
  };
  const V nx = near(x), ny = near(y), nz = near(z);
  const V wx = hn::MulAdd(nx, per_power, large), wy = hn::MulAdd(ny, per_power, large),
          wz = hn::MulAdd(nz, per_power, large);
  const V fx = fraction(nx, wx), fy = fraction(ny, wy), fz = fraction(nz, wz);
  V rx = hn::Set(d, 1.327646663e-3f), ry = rx, rz = rx;
  const auto power = [&](float coefficient) HWY_ATTR {
    const auto c = hn::Set(d, coefficient);
    rx = hn::MulAdd(rx, fx, c);
    ry = hn::MulAdd(ry, fy, c);
    rz = hn::MulAdd(rz, fz, c);
  };
  power(9.675540961e-3f);
  power(5.550713465e-2f);
  power(2.402212024e-1f);
  power(6.931469440e-1f);
  power(1.000000119f);
  x = finish(rx, wx);
  y = finish(ry, wy);
  z = finish(rz, wz);
}

template <class D>
HWY_INLINE hn::Vec<D> HardSwish(D d, hn::Vec<D> x) {
  const auto gate = hn::MulAdd(x, hn::Set(d, 1.0f / 6.0f), hn::Set(d, 0.5f));
  return hn::Mul(x, AtMost(d, AtLeast(d, gate, 0.0f), 1.0f));
}

// GELU is x times the logistic function of something that is nearly linear in x. Beyond this both are 0 or x.
constexpr float kGeluReach = 6.2f;

// Within 1e-7 of x times the normal distribution, the error of the logistic function aside.
template <class D>
HWY_INLINE hn::Vec<D> GeluGate(D d, hn::Vec<D> x) {
  const auto near = AtMost(d, AtLeast(d, x, -kGeluReach), kGeluReach);
  return hn::Mul(near, Horner(d, hn::Mul(near, near), 1.59576843f, 7.26685670e-2f, -6.62599358e-5f,
                              -1.10480333e-4f, 7.93822118e-6f, -2.66892960e-7f, 3.61123604e-9f));
}

// 0.5 (1 + tanh(u)) is the logistic function of 2 u.
template <class D>
HWY_INLINE hn::Vec<D> TanhGeluGate(D d, hn::Vec<D> x) {
  return hn::Mul(x, hn::MulAdd(hn::Mul(x, x), hn::Set(d, 0.0713548162726f), hn::Set(d, 1.59576912161f)));
}

template <class D>
HWY_INLINE hn::Vec<D> LeakyRelu(D d, hn::Vec<D> x, const ActivationSpec& spec) {
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(x, hn::Set(d, spec.slope)), x);
}

template <class D, typename Function>
HWY_INLINE void ChangeEach(D d, float* data, std::size_t count, const Function& function) {
  for (std::size_t i = 0; i < count; i += hn::Lanes(d))
    hn::StoreU(function(hn::LoadU(d, data + i)), d, data + i);
}

// gate(x) is what the logistic function is taken of, and use(x, that) the result.
template <class D, typename Gate, typename Use>
HWY_INLINE void GateEach(D d, float* data, std::size_t count, const Gate& gate, const Use& use) {
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < count; i += 3 * lanes) {
    float* first = data + i;
    float* second = i + lanes < count ? first + lanes : first;
    float* third = i + 2 * lanes < count ? first + 2 * lanes : first;
    const auto a = hn::LoadU(d, first), b = hn::LoadU(d, second), c = hn::LoadU(d, third);
    auto x = gate(a), y = gate(b), z = gate(c);
    Logistic(d, x, y, z);
    hn::StoreU(use(c, z), d, third);
    hn::StoreU(use(b, y), d, second);
    hn::StoreU(use(a, x), d, first);
  }
}

// Everything but clipping, which is done where the sums are; `count` is a multiple of the lanes.
template <class D>
HWY_INLINE void Activate(D d, const ActivationSpec& spec, float* data, std::size_t count) {
  using V = hn::Vec<D>;
  switch (spec.kind) {
    case Activation::kLeakyRelu:
      return ChangeEach(d, data, count, [&](V x) HWY_ATTR { return LeakyRelu(d, x, spec); });
    case Activation::kSigmoid:
      return GateEach(
          d, data, count, [](V x) HWY_ATTR { return x; }, [](V, V gate) HWY_ATTR { return gate; });
    case Activation::kSilu:
      return GateEach(
          d, data, count, [](V x) HWY_ATTR { return x; },
          [](V x, V gate) HWY_ATTR { return hn::Mul(x, gate); });
    case Activation::kHardSwish:
      return ChangeEach(d, data, count, [&](V x) HWY_ATTR { return HardSwish(d, x); });
    case Activation::kGelu:
      return GateEach(
          d, data, count, [d](V x) HWY_ATTR { return GeluGate(d, x); },
          [d](V x, V gate) HWY_ATTR { return hn::Mul(AtLeast(d, x, -kGeluReach), gate); });
    case Activation::kTanhGelu:
      return GateEach(
          d, data, count, [d](V x) HWY_ATTR { return TanhGeluGate(d, x); },
          [](V x, V gate) HWY_ATTR { return hn::Mul(x, gate); });
    case Activation::kClip:
      return;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#endif
