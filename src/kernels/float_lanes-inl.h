// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Vectors of floats from and to memory that holds float, float16 or bfloat16, so that a loop written once
// reads and writes all three where they lie. For the kernels, which include it once per target.
#if defined(FOOTHOLD_KERNELS_FLOAT_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef FOOTHOLD_KERNELS_FLOAT_LANES
#undef FOOTHOLD_KERNELS_FLOAT_LANES
#else
#define FOOTHOLD_KERNELS_FLOAT_LANES
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/half.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::Vec<D> LoadLanes(D d, const float* from) {
  return hn::LoadU(d, from);
}
template <class D>
HWY_INLINE hn::Vec<D> LoadLanes(D d, const Half* from) {
  const hn::Rebind<hwy::float16_t, D> half;
  return hn::PromoteTo(d, hn::LoadU(half, reinterpret_cast<const hwy::float16_t*>(from)));
}
template <class D>
HWY_INLINE hn::Vec<D> LoadLanes(D d, const Bfloat16* from) {
  const hn::Rebind<std::uint16_t, D> words;
  const hn::RebindToUnsigned<D> wide;
  const auto bits = hn::LoadU(words, reinterpret_cast<const std::uint16_t*>(from));
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(wide, bits)));
}

template <class D>
HWY_INLINE void StoreLanes(D d, hn::Vec<D> value, float* to) {
  hn::StoreU(value, d, to);
}
template <class D>
HWY_INLINE void StoreLanes(D, hn::Vec<D> value, Half* to) {
  const hn::Rebind<hwy::float16_t, D> half;
  hn::StoreU(hn::DemoteTo(half, value), half, reinterpret_cast<hwy::float16_t*>(to));
}
template <class D>
HWY_INLINE void StoreLanes(D, hn::Vec<D> value, Bfloat16* to) {
  const hn::RebindToUnsigned<D> wide;
  const hn::RebindToSigned<D> signed_wide;
  const hn::Rebind<std::uint16_t, D> words;
  const auto bits = hn::BitCast(wide, value);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(wide, 1));
  const auto rounded = hn::Add(hn::Add(bits, hn::Set(wide, 0x7FFF)), odd);
  const auto quiet = hn::Or(bits, hn::Set(wide, 0x400000));
  const auto chosen = hn::IfThenElse(hn::RebindMask(wide, hn::IsNaN(value)), quiet, rounded);
  hn::StoreU(hn::DemoteTo(words, hn::BitCast(signed_wide, hn::ShiftRight<16>(chosen))), words,
             reinterpret_cast<std::uint16_t*>(to));
}

// The first `count` lanes only; the others are `rest`.
template <class D, typename T>
HWY_INLINE hn::Vec<D> LoadSome(D d, const T* from, std::size_t count, T rest = T()) {
  T lanes[hn::MaxLanes(D())];
  std::fill_n(lanes, hn::MaxLanes(D()), rest);
  std::copy_n(from, count, lanes);
  return LoadLanes(d, lanes);
}
template <class D, typename T>
HWY_INLINE void StoreSome(D d, hn::Vec<D> value, T* to, std::size_t count) {
  T lanes[hn::MaxLanes(D())];
  StoreLanes(d, value, lanes);
  std::copy_n(lanes, count, to);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#endif
