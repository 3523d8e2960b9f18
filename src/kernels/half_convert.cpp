// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/half_convert.h"

#include "base/thread_pool.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/half_convert.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which it needs.
#include "kernels/float_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
HWY_INLINE void Widen(const T* from, float* to, std::size_t count) {
  const hn::ScalableTag<float> d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d))
    hn::StoreU(LoadLanes(d, from + i), d, to + i);
  for (; i < count; ++i)
    to[i] = static_cast<float>(from[i]);
}

template <typename T>
HWY_INLINE void Narrow(const float* from, T* to, std::size_t count) {
  const hn::ScalableTag<float> d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d))
    StoreLanes(d, hn::LoadU(d, from + i), to + i);
  for (; i < count; ++i)
    to[i] = T(from[i]);
}

void WidenPiece(HalfKind kind, const std::uint16_t* from, float* to, std::size_t count) {
  if (kind == HalfKind::kFloat16) return Widen(reinterpret_cast<const Half*>(from), to, count);
  Widen(reinterpret_cast<const Bfloat16*>(from), to, count);
}

void NarrowPiece(HalfKind kind, const float* from, std::uint16_t* to, std::size_t count) {
  if (kind == HalfKind::kFloat16) return Narrow(from, reinterpret_cast<Half*>(to), count);
  Narrow(from, reinterpret_cast<Bfloat16*>(to), count);
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
