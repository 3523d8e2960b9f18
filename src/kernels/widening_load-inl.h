// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Numbers of any FloatKind on their way into registers of floats; included once per target.
#if defined(FOOTHOLD_KERNELS_WIDENING_LOAD) == defined(HWY_TARGET_TOGGLE)
#ifdef FOOTHOLD_KERNELS_WIDENING_LOAD
#undef FOOTHOLD_KERNELS_WIDENING_LOAD
#else
#define FOOTHOLD_KERNELS_WIDENING_LOAD
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/float_kind.h"
#include "kernels/half_float.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <FloatKind kKind, class D>
HWY_INLINE hn::Vec<D> Widened(D d, hn::Vec<hn::Rebind<std::uint16_t, D>> halves) {
  if constexpr (kKind == FloatKind::kFloat16) {
    return hn::PromoteTo(d, hn::BitCast(hn::Rebind<hwy::float16_t, D>(), halves));
  } else {
    const hn::RebindToUnsigned<D> wide;
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(wide, halves)));
  }
}

template <FloatKind kKind, class D>
HWY_INLINE hn::Vec<D> LoadWide(D d, const StoredAs<kKind>* from) {
  if constexpr (kKind == FloatKind::kFloat)
    return hn::LoadU(d, from);
  else
    return Widened<kKind>(d, hn::LoadU(hn::Rebind<std::uint16_t, D>(), from));
}

template <FloatKind kKind>
HWY_INLINE float WideOne(StoredAs<kKind> stored) {
  if constexpr (kKind == FloatKind::kFloat)
    return stored;
  else
    return kKind == FloatKind::kFloat16 ? FloatFromFloat16(stored) : FloatFromBFloat16(stored);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#endif
