// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Narrow weights (narrow_weights.h) on their way into registers of floats; included once per target.
#if defined(FOOTHOLD_KERNELS_NARROW_WORDS) == defined(HWY_TARGET_TOGGLE)
#ifdef FOOTHOLD_KERNELS_NARROW_WORDS
#undef FOOTHOLD_KERNELS_NARROW_WORDS
#else
#define FOOTHOLD_KERNELS_NARROW_WORDS
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Two steps of the depth: a and b, then c and d.
template <class D>
struct WideWeights {
  hn::Vec<D> a, b, c, d;
};

// a, b and c have their words, and each the next byte of d behind its own.
template <class D>
HWY_INLINE WideWeights<D> LoadNarrow(D d, const std::uint32_t* words) {
  const hn::RebindToUnsigned<D> bits;
  const std::size_t lanes = hn::Lanes(d);
  const auto last_byte = hn::Set(bits, 0xff);
  const auto x = hn::LoadU(bits, words), y = hn::LoadU(bits, words + lanes);
  const auto z = hn::LoadU(bits, words + 2 * lanes);
  const auto two = hn::OrAnd(hn::ShiftLeft<8>(x), y, last_byte);
  const auto three = hn::OrAnd(hn::ShiftLeft<8>(two), z, last_byte);
  return {hn::BitCast(d, hn::AndNot(last_byte, x)), hn::BitCast(d, hn::AndNot(last_byte, y)),
          hn::BitCast(d, hn::AndNot(last_byte, z)), hn::BitCast(d, hn::ShiftLeft<8>(three))};
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#endif
