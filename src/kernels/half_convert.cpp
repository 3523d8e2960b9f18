// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/half_convert.h"

#include "base/thread_pool.h"
#include "kernels/half_float.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/half_convert.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which it needs.
#include "kernels/widening_load-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

using Floats = hn::ScalableTag<float>;
using Words = hn::Rebind<std::uint16_t, Floats>;

HWY_INLINE void StoreNarrowed(HalfKind kind, hn::Vec<Floats> value, std::uint16_t* to) {
  if (kind == HalfKind::kFloat16) {
    const hn::Rebind<hwy::float16_t, Floats> half;
    hn::StoreU(hn::DemoteTo(half, value), half, reinterpret_cast<hwy::float16_t*>(to));
    return;
  }
  const hn::RebindToUnsigned<Floats> wide;
  const hn::RebindToSigned<Floats> signed_wide;
  const auto bits = hn::BitCast(wide, value);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(wide, 1));
  const auto rounded = hn::Add(hn::Add(bits, hn::Set(wide, 0x7FFF)), odd);
  const auto quiet = hn::Or(bits, hn::Set(wide, 0x400000));
  const auto chosen = hn::IfThenElse(hn::RebindMask(wide, hn::IsNaN(value)), quiet, rounded);
  hn::StoreU(hn::DemoteTo(Words(), hn::BitCast(signed_wide, hn::ShiftRight<16>(chosen))), Words(), to);
}

template <FloatKind kKind>
HWY_INLINE void WidenAs(const std::uint16_t* from, float* to, std::size_t count) {
  const Floats d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d))
    hn::StoreU(LoadWide<kKind>(d, from + i), d, to + i);
  for (; i < count; ++i)
    to[i] = WideOne<kKind>(from[i]);
}

void WidenPiece(HalfKind kind, const std::uint16_t* from, float* to, std::size_t count) {
  if (kind == HalfKind::kFloat16)
    WidenAs<FloatKind::kFloat16>(from, to, count);
  else
    WidenAs<FloatKind::kBfloat16>(from, to, count);
}

void NarrowPiece(HalfKind kind, const float* from, std::uint16_t* to, std::size_t count) {
  const Floats d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d))
    StoreNarrowed(kind, hn::LoadU(d, from + i), to + i);
  for (; i < count; ++i)
    to[i] = kind == HalfKind::kFloat16 ? Float16FromFloat(from[i]) : BFloat16FromFloat(from[i]);
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(WidenPiece);
HWY_EXPORT(NarrowPiece);
constexpr std::size_t kGrain = std::size_t{1} << 16;
}  // namespace

void FloatsFromHalves(HalfKind kind, const std::uint16_t* from, float* to, std::size_t count) {
  ParallelFor(count, kGrain, [=](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(WidenPiece)(kind, from + begin, to + begin, end - begin);
  });
}

void HalvesFromFloats(HalfKind kind, const float* from, std::uint16_t* to, std::size_t count) {
  ParallelFor(count, kGrain, [=](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(NarrowPiece)(kind, from + begin, to + begin, end - begin);
  });
}

}  // namespace foothold
#endif
