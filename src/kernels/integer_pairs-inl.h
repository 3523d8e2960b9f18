// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pairs of int16 in lanes of 32 bits, and what becomes of their sums (integer_finish.h); included once per
// target.
#if defined(FOOTHOLD_KERNELS_INTEGER_PAIRS) == defined(HWY_TARGET_TOGGLE)
#ifdef FOOTHOLD_KERNELS_INTEGER_PAIRS
#undef FOOTHOLD_KERNELS_INTEGER_PAIRS
#else
#define FOOTHOLD_KERNELS_INTEGER_PAIRS
#endif

#include "hwy/highway.h"
#include "kernels/integer_finish.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// sum + the two products of each lane, as int32 that wraps.
template <class DI>
HWY_INLINE hn::Vec<DI> AddIntegerPairs([[maybe_unused]] DI di, hn::Vec<DI> a, hn::Vec<DI> b,
                                       hn::Vec<DI> sum) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  const hn::Repartition<std::int16_t, DI> narrow;
  auto unused = hn::Zero(di);
  sum = hn::ReorderWidenMulAccumulate(di, hn::BitCast(narrow, a), hn::BitCast(narrow, b), sum, unused);
  // Compilers know that sums of integers may be formed in any order, choose one, and run out of registers.
  __asm__("" : "+v"(sum.raw));
  return sum;
#else
  // Elsewhere the two products of a pair would go to different sums.
  const auto low = [](hn::Vec<DI> pair) HWY_ATTR { return hn::ShiftRight<16>(hn::ShiftLeft<16>(pair)); };
  const auto high = [](hn::Vec<DI> pair) HWY_ATTR { return hn::ShiftRight<16>(pair); };
  return hn::Add(hn::Add(hn::Mul(low(a), low(b)), hn::Mul(high(a), high(b))), sum);
#endif
}

// The same where vectors are called floats.
template <class D>
HWY_INLINE hn::Vec<D> AddPairs(D d, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> sum) {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(d, AddIntegerPairs(di, hn::BitCast(di, a), hn::BitCast(di, b), hn::BitCast(di, sum)));
}

// Rounds to the nearest whole number, ties to even, within limits that are whole numbers.
template <class D>
HWY_INLINE hn::Vec<hn::RebindToSigned<D>> RoundWithin(D d, hn::Vec<D> x, float low, float high) {
  return hn::NearestInt(hn::Min(hn::Max(x, hn::Set(d, low)), hn::Set(d, high)));
}

// Quantised sums, `own`, added to a residual that has a scale of its own, and quantised again. Each operation
// rounds as the operators do that this replaces: the limit keeps compilers from making one of two.
template <class D>
HWY_INLINE hn::Vec<D> AddResidual(D d, hn::Vec<D> own, hn::Vec<D> residual, const IntegerSum& sum) {
  const auto large = hn::Set(d, 1e38f);
  const auto a = hn::Min(hn::Mul(own, hn::Set(d, sum.left_scale)), large);
  const auto b = hn::Min(hn::Mul(residual, hn::Set(d, sum.right_scale)), large);
  return hn::Div(hn::Add(a, b), hn::Set(d, sum.out_scale));
}

template <class D>
HWY_INLINE hn::Vec<D> LoadNarrow(D d, const std::int16_t* from) {
  const hn::Rebind<std::int16_t, D> narrow;
  return hn::ConvertTo(d, hn::PromoteTo(hn::RebindToSigned<D>(), hn::LoadU(narrow, from)));
}

template <class D>
HWY_INLINE void StoreNarrow(D, hn::Vec<hn::RebindToSigned<D>> numbers, std::int16_t* to) {
  const hn::Rebind<std::int16_t, D> narrow;
  hn::StoreU(hn::DemoteTo(narrow, numbers), narrow, to);
}

// Sums of one vector of channels for pixels side by side, which are half of a block of the output.
template <class D>
HWY_INLINE void FinishPixels(D d, const IntegerFinish& finish, hn::Vec<D> scales,
                             const std::int16_t* residual, const std::int32_t* sums, std::size_t pixels,
                             std::int16_t* out) {
  const hn::RebindToSigned<D> di;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < pixels; ++i) {
    const auto scaled = hn::Mul(hn::ConvertTo(d, hn::LoadU(di, sums + i * lanes)), scales);
    auto numbers = RoundWithin(d, scaled, finish.low, finish.high);
    if (residual != nullptr) {
      const auto sum =
          AddResidual(d, hn::ConvertTo(d, numbers), LoadNarrow(d, residual + 2 * i * lanes), finish.sum);
      numbers = RoundWithin(d, sum, finish.sum.low, finish.sum.high);
    }
    StoreNarrow(d, numbers, out + 2 * i * lanes);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#endif
