// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/gated_rows.h"

#include "kernels/float_memory.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gated_rows.cpp"
#endif
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which they need.
#include "kernels/float_lanes-inl.h"
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// exp(-x) for x in [-87, 87], right to a few parts in ten million where a sum with 1 shows it. Rounding is by
// a number so large that only whole ones are left below it; its lowest bits are then the exponent.
template <class D>
HWY_INLINE hn::Vec<D> ExpOfNegative(D d, hn::Vec<D> x) {
  const hn::RebindToUnsigned<D> words;
  const auto factor = hn::Set(d, -1.44269504f), magic = hn::Set(d, 12582912.0f);
  const auto shifted = hn::MulAdd(x, factor, magic);
  const auto r = hn::MulSub(x, factor, hn::Sub(shifted, magic));
  const auto power = Horner(d, r, 1.0f, 0.6931469776f, 0.2402224209f, 0.05550733744f, 0.009671512649f,
                            0.001326472707f);  // of two
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(words, shifted));
  return hn::BitCast(d, hn::Add(hn::BitCast(words, power), exponent));
}

// A gate below the bound leaves as little as zero would, and exp would leave its range.
template <class D>
HWY_INLINE hn::Vec<D> Gated(D d, hn::Vec<D> gate, hn::Vec<D> x) {
  constexpr float kBound = 87.0f;
  gate = AtLeast(d, gate, -kBound);
  const auto divisor = hn::Add(ExpOfNegative(d, AtMost(d, gate, kBound)), hn::Set(d, 1.0f));
  return hn::Div(hn::Mul(gate, x), divisor);
}

template <typename T>
void GateTyped(const T* gate, const T* x, T* out, std::size_t count) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kAhead = 4096 / sizeof(T);  // into the next page, where no CPU looks by itself
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hwy::Prefetch(gate + i + kAhead);
    hwy::Prefetch(x + i + kAhead);
    StoreLanes(d, Gated(d, LoadLanes(d, gate + i), LoadLanes(d, x + i)), out + i);
  }
  if (i < count)
    StoreSome(d, Gated(d, LoadSome(d, gate + i, count - i), LoadSome(d, x + i, count - i)), out + i,
              count - i);
}

void SwishGateOf(ElementType type, const std::byte* gate, const std::byte* x, std::byte* out,
                 std::size_t count) {
  VisitFloats(type, [&](auto sample) HWY_ATTR {
    using T = decltype(sample);
    GateTyped(reinterpret_cast<const T*>(gate), reinterpret_cast<const T*>(x), reinterpret_cast<T*>(out),
              count);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(SwishGateOf);
}  // namespace

void SwishGate(ElementType type, const std::byte* gate, const std::byte* x, std::byte* out,
               std::size_t count) {
  HWY_DYNAMIC_DISPATCH(SwishGateOf)(type, gate, x, out, count);
}

}  // namespace foothold
#endif
