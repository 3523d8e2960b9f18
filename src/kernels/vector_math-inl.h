// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Transcendental functions on vectors of floats, right to a few units in the last place over the whole range,
// with the IEEE values for infinities and NaN. For the kernels, which include it once per target, between
// HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE of their own. The coefficients are minimax fits.
#if defined(FOOTHOLD_KERNELS_VECTOR_MATH) == defined(HWY_TARGET_TOGGLE)
#ifdef FOOTHOLD_KERNELS_VECTOR_MATH
#undef FOOTHOLD_KERNELS_VECTOR_MATH
#else
#define FOOTHOLD_KERNELS_VECTOR_MATH
#endif

#include <cmath>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::Vec<D> Horner(D d, hn::Vec<D>, float last) {
  return hn::Set(d, last);
}
// Coefficients from the lowest power up.
template <class D, typename... Rest>
HWY_INLINE hn::Vec<D> Horner(D d, hn::Vec<D> x, float lowest, Rest... rest) {
  return hn::MulAdd(Horner(d, x, rest...), x, hn::Set(d, lowest));
}

// The larger and the smaller one; the second if that is NaN, or the first is. x86 does just that, Arm would
// give the number.
template <class V>
HWY_INLINE V MaxOrSecond(V a, V b) {
#if HWY_ARCH_X86
  return hn::Max(a, b);
#else
  return hn::IfThenElse(hn::Lt(b, a), a, b);
#endif
}
template <class V>
HWY_INLINE V MinOrSecond(V a, V b) {
#if HWY_ARCH_X86
  return hn::Min(a, b);
#else
  return hn::IfThenElse(hn::Lt(a, b), a, b);
#endif
}

// Bounds that a NaN passes.
template <class D>
HWY_INLINE hn::Vec<D> AtMost(D d, hn::Vec<D> x, float bound) {
  return MinOrSecond(hn::Set(d, bound), x);
}
template <class D>
HWY_INLINE hn::Vec<D> AtLeast(D d, hn::Vec<D> x, float bound) {
  return MaxOrSecond(hn::Set(d, bound), x);
}

// 2 to the power of a whole number in [-126, 128]; 128 gives infinity.
template <class D, class VI>
HWY_INLINE hn::Vec<D> PowerOfTwo(D d, VI n) {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(n, hn::Set(di, 127))));
}

// x = n ln 2 + r; `tail` is exp(r) - 1.
template <class D>
struct ExpParts {
  hn::Vec<hn::RebindToSigned<D>> n;
  hn::Vec<D> tail;
};

template <class D>
HWY_INLINE ExpParts<D> SplitExp(D d, hn::Vec<D> x) {
  const auto rounded = hn::Round(hn::Mul(x, hn::Set(d, 1.44269504f)));
  auto r = hn::NegMulAdd(rounded, hn::Set(d, 0.693145752f), x);
  r = hn::NegMulAdd(rounded, hn::Set(d, 1.42860682e-6f), r);
  const auto p =
      Horner(d, r, 4.999999345e-1f, 1.666652063e-1f, 4.166838861e-2f, 8.368716024e-3f, 1.381455624e-3f);
  return {hn::ConvertTo(hn::RebindToSigned<D>(), rounded), hn::MulAdd(hn::Mul(r, r), p, r)};
}

// Flushes results below the normal numbers to about 1e-38 and overflows a little early (88.4): right where a
// sum with 1 follows.
template <class D>
HWY_INLINE hn::Vec<D> ExpForSums(D d, hn::Vec<D> x) {
  const auto parts = SplitExp(d, AtMost(d, AtLeast(d, x, -87.3f), 88.8f));
  // Not in one step: where the power of two is infinite, a negative tail would make that no number.
  return hn::Mul(hn::Add(parts.tail, hn::Set(d, 1.0f)), PowerOfTwo(d, parts.n));
}

template <class D>
HWY_INLINE hn::Vec<D> Exp(D d, hn::Vec<D> x) {
  const auto parts = SplitExp(d, AtMost(d, AtLeast(d, x, -104.0f), 89.0f));
  // Two factors, so that results may be subnormal and n may be 128.
  const auto half = hn::ShiftRight<1>(parts.n);
  const auto y = hn::Mul(hn::Add(parts.tail, hn::Set(d, 1.0f)), PowerOfTwo(d, half));
  return hn::Mul(y, PowerOfTwo(d, hn::Sub(parts.n, half)));
}

template <class D>
HWY_INLINE hn::Vec<D> Expm1(D d, hn::Vec<D> x) {
  const auto parts = SplitExp(d, AtMost(d, AtLeast(d, x, -87.0f), 88.0f));
  const auto scale = PowerOfTwo(d, parts.n);
  const auto y = hn::MulAdd(parts.tail, scale, hn::Sub(scale, hn::Set(d, 1.0f)));
  return hn::IfThenElse(hn::Gt(x, hn::Set(d, 88.0f)), Exp(d, x), y);
}

template <class D>
HWY_INLINE hn::Vec<D> Log(D d, hn::Vec<D> x) {
  const hn::RebindToSigned<D> di;
  const auto tiny = hn::Lt(x, hn::Set(d, 0x1p-126f));
  const auto normal = hn::IfThenElse(tiny, hn::Mul(x, hn::Set(d, 0x1p25f)), x);
  // The mantissa into [sqrt(1/2), sqrt(2)): the bits of sqrt(1/2) are where the exponent steps.
  const auto shifted = hn::Sub(hn::BitCast(di, normal), hn::Set(di, 0x3F3504F3));
  const auto exponent = hn::ShiftRight<23>(shifted);
  const auto mantissa =
      hn::BitCast(d, hn::Add(hn::And(shifted, hn::Set(di, 0x007FFFFF)), hn::Set(di, 0x3F3504F3)));
  const auto e = hn::Sub(hn::ConvertTo(d, exponent), hn::IfThenElseZero(tiny, hn::Set(d, 25.0f)));
  const auto z = hn::Sub(mantissa, hn::Set(d, 1.0f));
  const auto p =
      Horner(d, z, 3.333331043e-1f, -2.499998677e-1f, 2.000222718e-1f, -1.666924197e-1f, 1.421864096e-1f,
             -1.238449128e-1f, 1.187323612e-1f, -1.178907367e-1f, 6.913924493e-2f);
  const auto z2 = hn::Mul(z, z);
  auto y = hn::MulAdd(hn::Mul(z2, z), p, hn::Mul(e, hn::Set(d, 1.42860682e-6f)));
  y = hn::Add(z, hn::NegMulAdd(z2, hn::Set(d, 0.5f), y));
  y = hn::MulAdd(e, hn::Set(d, 0.693145752f), y);
  const auto infinity = hn::Set(d, HUGE_VALF);
  y = hn::IfThenElse(hn::Lt(x, infinity), y, x);  // infinity and NaN are their own logarithms
  y = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(infinity), y);
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Set(d, NAN), y);
}

// What rounding 1 + x lost is put back by the ratio.
template <class D>
HWY_INLINE hn::Vec<D> Log1p(D d, hn::Vec<D> x) {
  const auto one = hn::Set(d, 1.0f);
  const auto sum = hn::Add(x, one);
  const auto y = hn::Mul(Log(d, sum), hn::Div(x, hn::Sub(sum, one)));
  const auto exact = hn::Or(hn::Eq(sum, one), hn::Eq(sum, hn::Set(d, HUGE_VALF)));
  return hn::IfThenElse(exact, x, hn::IfThenElse(hn::Eq(sum, hn::Zero(d)), hn::Set(d, -HUGE_VALF), y));
}

template <class D>
HWY_INLINE hn::Vec<D> Tanh(D d, hn::Vec<D> x) {
  const auto doubled = AtMost(d, AtLeast(d, hn::Add(x, x), -18.5f), 18.5f);
  const auto parts = SplitExp(d, doubled);
  const auto scale = PowerOfTwo(d, parts.n);
  const auto y = hn::MulAdd(parts.tail, scale, hn::Sub(scale, hn::Set(d, 1.0f)));
  return hn::Div(y, hn::Add(y, hn::Set(d, 2.0f)));
}

template <class D>
HWY_INLINE hn::Vec<D> Sigmoid(D d, hn::Vec<D> x) {
  const auto one = hn::Set(d, 1.0f);
  return hn::Div(one, hn::Add(one, ExpForSums(d, hn::Neg(x))));
}

// log(1 + exp(x)) without overflow.
template <class D>
HWY_INLINE hn::Vec<D> Softplus(D d, hn::Vec<D> x) {
  const auto positive = hn::IfThenZeroElse(hn::Lt(x, hn::Zero(d)), x);
  return hn::Add(positive, Log1p(d, Exp(d, hn::Neg(hn::Abs(x)))));
}

template <class D>
HWY_INLINE hn::Vec<D> Erf(D d, hn::Vec<D> x) {
  const auto size = hn::Abs(x);
  const auto square = hn::Mul(x, x);
  const auto small = hn::Mul(x, Horner(d, square, 1.128379166f, -3.761262575e-1f, 1.128358428e-1f,
                                       -2.685377676e-2f, 5.188262300e-3f, -8.009629125e-4f, 7.852023824e-5f));
  // -log(erfc) is smooth; beyond 4 erf is 1.
  const auto q = Horner(d, AtMost(d, size, 4.0f), 3.531342929e-4f, 1.127042450f, 6.382216066e-1f,
                        1.030409576e-1f, -2.180706143e-2f, 2.940049175e-3f, -1.856196543e-4f);
  const auto large = hn::CopySign(hn::Sub(hn::Set(d, 1.0f), ExpForSums(d, hn::Neg(q))), x);
  return hn::IfThenElse(hn::Gt(size, hn::Set(d, 1.0f)), large, small);
}

// sin(x + quarter pi / 2). Beyond `kLargestTurned` the steps of the argument are coarser than what the
// reduction keeps, and the library takes over.
constexpr float kLargestTurned = 8192.0f;

template <class D>
HWY_INLINE hn::Vec<D> SinOfQuarters(D d, hn::Vec<D> x, int quarter) {
  const hn::RebindToSigned<D> di;
  const auto turns = hn::Round(hn::Mul(x, hn::Set(d, 0.636619772f)));
  auto r = hn::NegMulAdd(turns, hn::Set(d, 1.5703125f), x);
  r = hn::NegMulAdd(turns, hn::Set(d, 4.83751297e-4f), r);
  r = hn::NegMulAdd(turns, hn::Set(d, 7.54953362e-8f), r);
  r = hn::NegMulAdd(turns, hn::Set(d, 2.56334415e-12f), r);
  const auto n = hn::Add(hn::ConvertTo(di, turns), hn::Set(di, quarter));
  const auto r2 = hn::Mul(r, r);
  const auto sine =
      hn::MulAdd(hn::Mul(r2, r), Horner(d, r2, -1.666665494e-1f, 8.332177733e-3f, -1.951724825e-4f), r);
  const auto high =
      hn::Mul(hn::Mul(r2, r2), Horner(d, r2, 4.166664685e-2f, -1.388736683e-3f, 2.443837850e-5f));
  const auto cosine = hn::Add(hn::NegMulAdd(r2, hn::Set(d, 0.5f), hn::Set(d, 1.0f)), high);
  const auto odd = hn::Ne(hn::And(n, hn::Set(di, 1)), hn::Zero(di));
  const auto sign = hn::BitCast(d, hn::ShiftLeft<30>(hn::And(n, hn::Set(di, 2))));
  return hn::Xor(hn::IfThenElse(hn::RebindMask(d, odd), cosine, sine), sign);
}

template <class D, typename Exact>
HWY_INLINE hn::Vec<D> SinOrExact(D d, hn::Vec<D> x, int quarter, Exact exact) {
  if (HWY_LIKELY(hn::AllTrue(d, hn::Le(hn::Abs(x), hn::Set(d, kLargestTurned)))))
    return SinOfQuarters(d, x, quarter);
  HWY_ALIGN float lanes[hn::MaxLanes(d)];
  hn::Store(x, d, lanes);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i)
    lanes[i] = exact(lanes[i]);
  return hn::Load(d, lanes);
}

template <class D>
HWY_INLINE hn::Vec<D> Sin(D d, hn::Vec<D> x) {
  return SinOrExact(d, x, 0, static_cast<float (*)(float)>(std::sin));
}
template <class D>
HWY_INLINE hn::Vec<D> Cos(D d, hn::Vec<D> x) {
  return SinOrExact(d, x, 1, static_cast<float (*)(float)>(std::cos));
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#endif
